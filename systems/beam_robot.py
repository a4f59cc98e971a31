"""Planar serial robots of flexible beams: revolute joints, torques, a payload.

The robots on which flexible-link control was first shown: one beam (Siciliano and Book), two and
more (Cyril). Coordinates: ``joint1``, ``beam1_y1``, ``beam1_y2``, ..., ``joint2``, .... The numbers
are of this project's own choice, of the size that the literature has.

References: B. Siciliano and W. J. Book, A singular perturbation approach to control of lightweight
flexible manipulators, Int. J. Robotics Research 7 (1988) 79; X. Cyril, *Dynamics of flexible-link
manipulators*, Ph.D. thesis, McGill University, 1988.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.bodies import Beam
from eomc.derive.model import Model

__all__ = ["ONE_LINK", "TWO_LINKS", "MotorLink", "beam_robot"]


@dataclass(frozen=True)
class MotorLink:
    """A beam with its motor.

    Attributes
    ----------
    length [m], mass_per_length [kg/m], EI [N m^2]
    hub : moment of inertia of the rotor, which turns with the root [kg m^2]
    motor : mass of what sits at the joint [kg]
    """

    length: float
    mass_per_length: float
    EI: float
    hub: float = 0.0
    motor: float = 0.0


ONE_LINK = (MotorLink(1.0, 0.5, 20.0, hub=0.1),)
TWO_LINKS = (MotorLink(1.0, 0.8, 300.0, hub=0.1), MotorLink(0.8, 0.5, 120.0, hub=0.02, motor=0.5))


def beam_robot(
    links: Sequence[MotorLink] = ONE_LINK,
    modes: int = 2,
    *,
    payload: float = 0.1,
    damping: float = 0.0,
    shapes: str = "clamped-free",
) -> Model:
    """The robot in a horizontal plane.

    Parameters
    ----------
    links : from the base on
    modes : of each beam, in the plane
    payload : point mass at the tip of the last [kg]
    damping : modal damping ratio
    shapes : of the beams, as of `Beam`

    >>> beam_robot(TWO_LINKS).coordinates
    ('joint1', 'beam1_y1', 'beam1_y2', 'joint2', 'beam2_y1', 'beam2_y2')
    """
    model = Model("beam_robot", gravity=(0, 0, 0))
    parent = "world"
    for k, link in enumerate(links, start=1):
        if link.motor:
            model.body(f"motor{k}", mass=link.motor)
            model.joint(f"seat{k}", "fixed", parent=parent, child=f"motor{k}")
        beam = Beam(
            length=link.length,
            mass_per_length=link.mass_per_length,
            EI=link.EI,
            modes=(modes, 0),
            shapes=shapes,
            damping=damping,
        )
        model.body(f"hub{k}", inertia=(link.hub / 2, link.hub / 2, link.hub))
        model.deformable(f"beam{k}", beam)
        model.joint(f"joint{k}", "revolute", parent=parent, child=f"hub{k}", axis=(0, 0, 1))
        model.joint(f"root{k}", "fixed", parent=f"hub{k}", child=f"beam{k}")
        parent = f"tip{k}"
        model.attachment(parent, body=f"beam{k}", at="tip")
    model.body("payload", mass=payload)
    model.joint("grip", "fixed", parent=parent, child="payload")
    return model
