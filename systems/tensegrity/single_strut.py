"""The single strut: a strut on a universal joint, held at its free end by three cables.

Each cable is wound on a pulley in a block, which swivels about a vertical axis so that the pulley
follows the cable. With the strut upright the cables stand at 45 degrees: the blocks are at the
distance l - sqrt(2) R from the joint.

Coordinates: the strut's turns ``phi`` about x and ``psi`` about y, of each branch i the swivel
``beta<i>`` of its block and the turn ``theta<i>`` of its pulley, which winds up as it grows. Three
conditions keep the cables in the planes of their blocks: five freedoms, three actuated by the
torques ``u<i>``.
"""

from __future__ import annotations

import math

from eomc.derive.cables import Winch
from eomc.derive.model import Model
from eomc.derive.placement.placement import Point

__all__ = [
    "AREA",
    "BRANCHES",
    "LENGTH",
    "RADIUS",
    "declare_elasticity",
    "single_strut",
    "strut_and_blocks",
]

BRANCHES = (1, 2, 3)
LENGTH, RADIUS = 1.0, 0.07
"""Of the strut and of the pulleys [m]."""
AREA = math.pi * 1e-3**2
"""Of a cable [m^2]."""


def single_strut(*, form: str = "work", rigid: bool = False, radius: float = RADIUS) -> Model:
    """The single strut; its cables have the parameters ``E`` [Pa] and ``mu`` [Pa s].

    `rigid` cables do not stretch: ropes, and two freedoms in place of five. `radius` is that of the
    pulleys [m].

    The rest length off a pulley is R (gamma - theta): where all strains are eps, theta is
    gamma - l/(R (1 + eps)) with the cable's length l and slope gamma.

    >>> single_strut().coordinates
    ('phi', 'psi', 'beta1', 'theta1', 'beta2', 'theta2', 'beta3', 'theta3')
    """
    model = strut_and_blocks("single_strut", radius)
    if not rigid:
        declare_elasticity(model)
    for i in BRANCHES:
        tip = Point("strut", (0, 0, LENGTH))
        model.constraint(f"plane{i}", "point_on_plane", a=tip, b=f"block{i}", axis_b=(0, 1, 0))
        drum = Winch(
            f"block{i}", radius=radius, sense=-1, turn=f"theta{i}", axis=(0, -1, 0), zero=(1, 0, 0)
        )
        if rigid:
            model.constraint(f"cable{i}", "rope", route=[drum, tip], length=0)
        else:
            model.cable(
                f"cable{i}",
                [drum, tip],
                length=0,
                modulus="E",
                area=AREA,
                viscosity="mu",
                elasticity=form,
                damping="pushes",
                dissipation="elongation",
            )
    return model


def declare_elasticity(model: Model) -> None:
    """Declare what cables are made of."""
    model.parameter("E", 2e9, units="Pa")
    model.parameter("mu", 0.0, units="Pa s")


def strut_and_blocks(name: str, radius: float = RADIUS) -> Model:
    """The strut on its joint, and pulleys in blocks, turned by their torques; without cables."""
    density, diameter, height = 2.7e3, 0.04, 0.01
    length = LENGTH
    side = math.sqrt(2) * radius
    model = Model(name)
    model.body("shaft")
    mass = density * math.pi * diameter**2 / 4 * length
    across = mass * (3 * diameter**2 / 4 + length**2) / 12
    model.body(
        "strut", mass=mass, com=(0, 0, length / 2), inertia=(across, across, mass * diameter**2 / 8)
    )
    model.joint("phi", "revolute", parent="world", child="shaft", axis=(1, 0, 0))
    model.joint("psi", "revolute", parent="shaft", child="strut", axis=(0, 1, 0))
    of_block = density * side**3
    of_pulley = density * math.pi * radius**2 * height
    spin, tilt = of_pulley * radius**2 / 2, of_pulley * (3 * radius**2 + height**2) / 12
    for i in BRANCHES:
        at = 2 * math.pi * (i - 1) / 3
        model.body(f"block{i}", mass=of_block, inertia=(of_block * side**2 / 6,) * 3)
        model.body(f"pulley{i}", mass=of_pulley, inertia=(tilt, spin, tilt))
        place = (length - side) * math.cos(at), (length - side) * math.sin(at), 0
        # The block's x axis points to the strut, its plane is x-z.
        model.joint(
            f"beta{i}",
            "revolute",
            parent="world",
            child=f"block{i}",
            axis=(0, 0, 1),
            placement={"xyz": place, "rpy": (0, 0, at + math.pi)},
        )
        model.joint(
            f"theta{i}", "revolute", parent=f"block{i}", child=f"pulley{i}", axis=(0, -1, 0)
        )
        model.input(f"u{i}", units="N m")
        model.generalized_force(f"torque{i}", speed=f"theta{i}", expression=f"u{i}")
    return model
