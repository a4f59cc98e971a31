"""Multi-arm space free-flyers: a base with manipulators, floating without gravity.

    spatial()           the spatial free-flyer of 14 degrees of freedom as a `Model`
    planar()            the planar one of 8
    tree_model(flyer)   any other, declared as a `FreeFlyer`

Source: S. A. A. Moosavian, *Dynamics and Control of Free-Flying Manipulators Capturing Space
Objects*, Ph.D. thesis, McGill University, 1996.
"""

from __future__ import annotations

from eomc.derive.model import Model
from eomc.systems.free_flyer.tables import PLANAR, SPATIAL
from eomc.systems.free_flyer.topology import FreeFlyer, Link, Manipulator
from eomc.systems.free_flyer.tree_model import Attitude, to_tree, tree_model, tree_order

__all__ = [
    "PLANAR",
    "SPATIAL",
    "Attitude",
    "FreeFlyer",
    "Link",
    "Manipulator",
    "planar",
    "spatial",
    "to_tree",
    "tree_model",
    "tree_order",
]


def planar(*, thrusters: bool = False) -> Model:
    """The planar free-flyer with two 2-link arms and an antenna (8 degrees of freedom).

    >>> from eomc.systems import free_flyer
    >>> free_flyer.planar().coordinates[:4]
    ('base_x', 'base_y', 'base_theta', 'arm1_theta1')
    """
    return tree_model(PLANAR, thrusters=thrusters)


def spatial(attitude: Attitude = "euler_parameters", *, thrusters: bool = False) -> Model:
    """The spatial free-flyer with two 3-link arms and a 2-link antenna (14 degrees of freedom).

    `attitude`: "euler_angles" (u = q'), "quasi_coordinates" (u = R_C0' in inertial axes, base
    rates) or "euler_parameters" (a floating joint); see `tree_model`.

    >>> from eomc.systems import free_flyer
    >>> len(free_flyer.spatial("euler_angles").speeds)
    14
    """
    return tree_model(SPATIAL, attitude, thrusters=thrusters)
