"""Parts of a multi-arm space free-flyer, in the notation of its literature.

A base (body 0) carries n manipulators or appendages; manipulator m is a serial chain of bodies
i = 1 .. N_m. Its geometry is given by vectors fixed in the bodies, from the centres of mass C_i:

    r0(m)   from C_0 to joint 1 of manipulator m,
    l_i(m)  from C_i to joint i (inboard),       r_i(m)  from C_i to joint i+1 or the end-effector.

Frame i stands parallel to the principal axes of body i, joint i turns about its z axis, and

    ^{i-1}T_i = Rot_x(twist) Rot_z(offset + theta_i)

(Denavit-Hartenberg angles as modified by Craig). Moosavian 1996, sections 2.2 and 4.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Triple = tuple[float, float, float]
Controlled = Literal["position", "axis", "pose"]
"""Part of an end-effector's pose that the task fixes: point, two pointing angles, or all of it."""


@dataclass(frozen=True)
class Link:
    """Body i of a manipulator: r_i, l_i [m], m_i [kg], principal inertias [kg m^2], angles [deg].

    `inertia` is about the centre of mass; `effort` [N m] the largest torque of joint i.
    """

    r: Triple
    l: Triple  # noqa: E741  (the literature's letter)
    mass: float
    inertia: Triple
    twist: float = 0.0
    offset: float = 0.0
    effort: float = float("inf")


@dataclass(frozen=True)
class Manipulator:
    """An arm or appendage: r0 [m] in base axes, its links, and what a task controls of its end."""

    name: str
    r0: Triple
    links: tuple[Link, ...]
    controlled: Controlled = "position"


@dataclass(frozen=True)
class DataQuantity:
    """A named number of the data."""

    value: float
    units: str
    description: str


@dataclass(frozen=True)
class FreeFlyer:
    """A base with manipulators; a planar one moves in its xy plane.

    `thrust` [N] and `torque` [N m] are the limits of the base's actuators, in base axes.
    """

    name: str
    mass: float
    inertia: Triple
    manipulators: tuple[Manipulator, ...]
    planar: bool = False
    thrust: Triple = (float("inf"),) * 3
    torque: Triple = (float("inf"),) * 3
    description: str = ""

    @property
    def joint_names(self) -> tuple[str, ...]:
        """``<manipulator>_theta<i>`` of all joints, manipulator by manipulator."""
        return tuple(
            f"{arm.name}_theta{i}"
            for arm in self.manipulators
            for i in range(1, len(arm.links) + 1)
        )

    @property
    def joints(self) -> int:
        """K, the number of joints."""
        return len(self.joint_names)

    @property
    def degrees_of_freedom(self) -> int:
        """N = K + 6, in the plane K + 3."""
        return self.joints + (3 if self.planar else 6)

    @property
    def total_mass(self) -> float:
        """M [kg]"""
        return self.mass + sum(link.mass for arm in self.manipulators for link in arm.links)

    def quantities(self) -> dict[str, DataQuantity]:
        """All numbers by name: ``m_0``, ``r0_1_x``, ``l_1_2_x`` (manipulator 1, body 2), ...

        Components that are zero are structure, not parameters: they have no name.
        """
        found = {"m_0": DataQuantity(self.mass, "kg", "mass of the base")}
        found |= _components("I_0", self.inertia, "kg m^2", "inertia of the base", "xx yy zz")
        for m, arm in enumerate(self.manipulators, 1):
            found |= _components(f"r0_{m}", arm.r0, "m", f"joint 1 of {arm.name} from C_0")
            for i, link in enumerate(arm.links, 1):
                of = f"{arm.name} body {i}"
                found[f"m_{m}_{i}"] = DataQuantity(link.mass, "kg", f"mass of {of}")
                found |= _components(
                    f"I_{m}_{i}", link.inertia, "kg m^2", f"inertia of {of}", "xx yy zz"
                )
                found |= _components(f"l_{m}_{i}", link.l, "m", f"inboard joint of {of} from C")
                found |= _components(f"r_{m}_{i}", link.r, "m", f"outboard end of {of} from C")
        return found


def _components(
    name: str, values: Triple, units: str, description: str, axes: str = "x y z"
) -> dict[str, DataQuantity]:
    return {
        f"{name}_{axis}": DataQuantity(value, units, f"{description}, {axis}")
        for axis, value in zip(axes.split(), values, strict=True)
        if value
    }
