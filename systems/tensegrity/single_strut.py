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

__all__ = ["BRANCHES", "single_strut"]

BRANCHES = (1, 2, 3)


def single_strut(*, form: str = "work") -> Model:
    """The single strut; its cables have the parameters ``E`` [Pa] and ``mu`` [Pa s].

    The rest length off a pulley is R (gamma - theta): where all strains are eps, theta is
    gamma - l/(R (1 + eps)) with the cable's length l and slope gamma.

    >>> single_strut().coordinates
    ('phi', 'psi', 'beta1', 'theta1', 'beta2', 'theta2', 'beta3', 'theta3')
    """
    density, length, diameter = 2.7e3, 1.0, 0.04
    radius, height, cable = 0.07, 0.01, 1e-3
    side = math.sqrt(2) * radius
    model = Model("single_strut")
    model.parameter("E", 2e9, units="Pa")
    model.parameter("mu", 0.0, units="Pa s")
    model.body("shaft")
    mass = density * math.pi * diameter**2 / 4 * length
    across = mass * (3 * diameter**2 / 4 + length**2) / 12
    model.body(
        "strut", mass=mass, com=(0, 0, length / 2),
        inertia=(across, across, mass * diameter**2 / 8),
    )  # fmt: skip
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
            f"beta{i}", "revolute", parent="world", child=f"block{i}", axis=(0, 0, 1),
            placement={"xyz": place, "rpy": (0, 0, at + math.pi)},
        )  # fmt: skip
        model.joint(
            f"theta{i}", "revolute", parent=f"block{i}", child=f"pulley{i}", axis=(0, -1, 0)
        )
        tip = Point("strut", (0, 0, length))
        model.constraint(f"plane{i}", "point_on_plane", a=tip, b=f"block{i}", axis_b=(0, 1, 0))
        drum = Winch(
            f"block{i}", radius=radius, sense=-1, turn=f"theta{i}", axis=(0, -1, 0), zero=(1, 0, 0)
        )
        model.cable(
            f"cable{i}", [drum, tip], length=0, modulus="E", area=math.pi * cable**2,
            viscosity="mu", form=form, damping="pushes", dissipation="elongation",
        )  # fmt: skip
        model.input(f"u{i}", units="N m")
        model.generalized_force(f"torque{i}", speed=f"theta{i}", expression=f"u{i}")
    return model
