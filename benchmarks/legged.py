"""Machines that stand on feet, as one table for eomc and for MuJoCo.

Springs and dampers hold the joints at the angles of the table; feet are spheres on a plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc_published.steps.quadruped import LEGS

Vector = tuple[float, float, float]
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Limb:
    """A body with its hinges, one after the other at its origin.

    hinges : axes and angles at rest
    feet : centres of spheres
    """

    name: str
    parent: str
    at: Vector
    hinges: tuple[tuple[Vector, float], ...]
    mass: float
    com: Vector
    inertia: Vector
    feet: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class Machine:
    """A floating root and its limbs, parents first, limbs of one chain together."""

    name: str
    height: float
    mass: float
    inertia: Vector
    limbs: tuple[Limb, ...]
    stiffness: float
    damping: float
    radius: float
    friction: float = 0.8

    @property
    def rest(self) -> list[float]:
        """Angles of all hinges."""
        return [angle for limb in self.limbs for _, angle in limb.hinges]

    def start(self) -> np.ndarray:
        """Coordinates at rest, in MuJoCo's order too."""
        return np.array([0, 0, self.height, 1, 0, 0, 0, *self.rest])


def quadruped() -> Machine:
    """That of `eomc_published.steps.quadruped`: 18 speeds, four feet."""
    limbs = []
    for leg, (x, y) in LEGS.items():
        side = 1 if y > 0 else -1
        hip, thigh = f"hip_{leg}", f"thigh_{leg}"
        com = (0, 0.02 * side, 0)
        limbs += [
            Limb(hip, "root", (x, y, 0), ((X, 0.0),), 0.6, com, (6e-4, 8e-4, 6e-4)),
            Limb(
                *(thigh, hip, (0, 0.08 * side, 0), ((Y, 0.8),)),
                *(1.0, (0, 0, -0.08), (6e-3, 6e-3, 1e-3)),
            ),
            Limb(
                *(f"calf_{leg}", thigh, (0, 0, -0.2), ((Y, -1.6),)),
                *(0.2, (0, 0, -0.1), (8e-4, 8e-4, 4e-5), ((0, 0, -0.2),)),
            ),
        ]
    height = 0.4 * np.cos(0.8) + 0.12
    return Machine("quadruped", height, 6, (0.03, 0.09, 0.1), tuple(limbs), 100, 3, 0.02)


def humanoid() -> Machine:
    """23 speeds, masses and hinges of gymnasium's, eight spheres under two feet."""
    waist = ((Z, 0.0), (Y, 0.0))
    limbs = [
        Limb("waist", "root", (0, 0, -0.26), waist, 2.26, (0, 0, 0), (0.006, 0.003, 0.006)),
        Limb("pelvis", "waist", (0, 0, -0.1), ((X, 0.0),), 6.6, (0, 0, -0.06), (0.06, 0.03, 0.06)),
    ]
    feet = tuple((x, y, -0.42) for x in (-0.08, 0.12) for y in (-0.04, 0.04))
    for word, side in (("right", -1), ("left", 1)):
        hip = ((X, 0.0), (Z, 0.0), (Y, 0.0))
        limbs += [
            Limb(
                *(f"thigh_{word}", "pelvis", (0, 0.1 * side, -0.1), hip),
                *(4.75, (0, 0, -0.17), (0.09, 0.09, 0.009)),
            ),
            Limb(
                *(f"shin_{word}", f"thigh_{word}", (0, 0, -0.38), ((Y, 0.0),)),
                *(4.5, (0, 0, -0.25), (0.09, 0.09, 0.005), feet),
            ),
        ]
    for word, side in (("right", -1), ("left", 1)):
        shoulder = ((X, 0.0), (Y, 0.0))
        limbs += [
            Limb(
                *(f"upper_{word}", "root", (0, 0.2 * side, 0.06), shoulder),
                *(1.66, (0, 0, -0.12), (0.011, 0.011, 0.001)),
            ),
            Limb(
                *(f"lower_{word}", f"upper_{word}", (0, 0, -0.27), ((Y, -0.5),)),
                *(1.23, (0, 0, -0.12), (0.008, 0.008, 0.001)),
            ),
        ]
    return Machine("humanoid", 1.3, 8.9, (0.18, 0.13, 0.1), tuple(limbs), 600, 20, 0.03)


def model(machine: Machine, *, gives_way: bool = False) -> Model:
    """For eomc; feet are rigid, or give way by springs with dampers."""
    normal: dict[str, Any] = {"kind": "rigid", "restitution": 0.0}
    friction: dict[str, Any] = {"kind": "dry", "kinetic": machine.friction}
    if gives_way:
        normal = {"kind": "kelvin_voigt", "stiffness": 2e4, "damping": 200}
        friction = {"kind": "coulomb", "coefficient": machine.friction, "slip_speed": 0.01}
    made = Model(machine.name, gravity=(0, 0, -9.81))
    made.body("root", mass=machine.mass, inertia=machine.inertia)
    made.joint("free", "floating", parent="world", child="root")
    for limb in machine.limbs:
        parent, place = limb.parent, limb.at
        for k, (axis, rest) in enumerate(limb.hinges):
            last = k == len(limb.hinges) - 1
            child = limb.name if last else f"{limb.name}_{k}"
            own = {"mass": limb.mass, "com": limb.com, "inertia": limb.inertia} if last else {}
            made.body(child, **own)
            ends: dict[str, Any] = {"parent": parent, "child": child, "placement": place}
            made.joint(f"{child}_hinge", "revolute", axis=axis, damping=machine.damping, **ends)
            made.joint_spring(
                f"{child}_spring", f"{child}_hinge", stiffness=machine.stiffness, free_angle=rest
            )
            parent, place = child, (0.0, 0.0, 0.0)
        for k, at in enumerate(limb.feet):
            made.contact(
                f"foot_{limb.name}_{k}",
                shape={
                    "kind": "sphere",
                    "at": {"body": limb.name, "xyz": at},
                    "radius": machine.radius,
                },
                surface={"kind": "plane", "at": "world"},
                normal=normal,
                friction=friction,
            )
    return made


@cache
def built(machine: Machine) -> Any:
    """Compiled for this machine, with lanes."""
    return build(model(machine), march_native=True)


def mjcf(machine: Machine, step: float, integrator: str, solver: str, cone: str) -> str:
    """For MuJoCo."""

    def words(values: Vector) -> str:
        return " ".join(map(repr, map(float, values)))

    def inertial(com: Vector, mass: float, inertia: Vector) -> str:
        return f'<inertial pos="{words(com)}" mass="{mass}" diaginertia="{words(inertia)}"/>'

    def inside(parent: str) -> str:
        text = ""
        for limb in (limb for limb in machine.limbs if limb.parent == parent):
            text += f'<body pos="{words(limb.at)}">{inertial(limb.com, limb.mass, limb.inertia)}'
            for axis, rest in limb.hinges:
                text += (
                    f'<joint type="hinge" axis="{words(axis)}" damping="{machine.damping}" '
                    f'stiffness="{machine.stiffness}" springref="{float(np.degrees(rest))!r}"/>'
                )
            for at in limb.feet:
                text += (
                    f'<geom type="sphere" size="{machine.radius}" pos="{words(at)}" '
                    f'friction="{machine.friction}"/>'
                )
            text += f"{inside(limb.name)}</body>"
        return text

    return (
        f'<mujoco><option timestep="{step}" integrator="{integrator}" cone="{cone}" '
        f'solver="{solver}"/><worldbody><geom type="plane" size="5 5 1" '
        f'friction="{machine.friction}"/><body pos="0 0 {machine.height}"><freejoint/>'
        f"{inertial((0, 0, 0), machine.mass, machine.inertia)}{inside('root')}</body>"
        "</worldbody></mujoco>"
    )
