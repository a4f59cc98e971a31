"""Small mechanisms that between them hold what a fault may touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from eomc.derive.bodies import Attachment, Form
from eomc.derive.model import Mimic, Model, Placement, Point


def arm() -> Model:
    """Turn, slide, turn and a follower: losses, a rotor, springs, forces, oblique placements."""
    model = Model("arm", gravity=(0.3, -0.2, -9.81))
    model.parameter("m1", 1.2345678901234567, units="kg", tunable=True)
    model.parameter("m2", 0.7654321098765432, units="kg", tunable=True)
    push = model.input("push", units="N")
    model.body(
        "boom", mass="m1", com=(0.1, -0.2, 0.3), inertia=(0.31, 0.42, 0.23, 0.011, -0.021, 0.013)
    )
    model.body("slider", mass=0.9, com=(0.05, 0.1, -0.2), inertia=(0.11, 0.22, 0.17))
    model.body(
        "hand", mass="m2", com=(0.2, 0.15, -0.1), inertia=(0.05, 0.07, 0.06, 0.004, 0.003, -0.002)
    )
    model.body("finger", mass=0.3, com=(0.1, 0.02, 0.03), inertia=(0.002, 0.003, 0.004))
    model.joint(
        "turn",
        "revolute",
        parent="world",
        child="boom",
        axis=(0, 1, 0),
        damping=0.4,
        rotor_inertia=0.002,
        gear_ratio=9,
    )
    model.joint(
        "slide",
        "prismatic",
        parent="boom",
        child="slider",
        axis=(1, 0, 0),
        placement=Placement(xyz=(0.3, 0.1, 0.2), rpy=(0.3, -0.5, 0.2)),
        friction=0.2,
        friction_speed=0.5,
    )
    model.joint(
        "wrist",
        "revolute",
        parent="slider",
        child="hand",
        axis=(0.6, 0, 0.8),
        placement=Placement(xyz=(0.2, -0.1, 0.1), rpy=(-0.4, 0.6, 0.9)),
        child_placement=Placement(xyz=(0.05, 0.02, -0.03), rpy=(0.2, 0.4, -0.7)),
    )
    model.joint(
        "grip",
        "revolute",
        parent="hand",
        child="finger",
        axis=(0, 0, 1),
        placement=Placement(xyz=(0.2, 0, 0.05), rpy=(0.1, 0.8, 0)),
        mimic=Mimic("wrist", -0.7, 0.3),
    )
    model.spring(
        "rope",
        a=Point("hand", (0.1, 0.2, 0)),
        b=Point("world", (1, 1, 1)),
        stiffness=40.0,
        damping=0.8,
        free_length=0.6,
    )
    model.joint_spring("return", joint="slide", stiffness=30.0, damping=0.5, free_angle=0.1)
    model.force(
        "tip", at=Point("hand", (0.3, 0, 0.1)), direction=(1, 2, -1), frame="body", magnitude=push
    )
    model.torque("field", body="boom", direction=(0.2, 1, 0.4), magnitude=1.7)
    model.frame("tool", body="hand", placement=Placement(xyz=(0.3, 0.1, 0), rpy=(0.5, 0.1, -0.3)))
    return model


def spinner() -> Model:
    """A free body with a wheel on an oblique axis: quaternions, quasi-velocities."""
    model = Model("spinner", gravity=(0, 0, -3.7))
    model.body("hull", mass=2.0, com=(0.1, 0, 0.05), inertia=(0.2, 0.3, 0.25, 0.01, 0.02, 0.0))
    model.body("wheel", mass=0.5, com=(0, 0.1, 0), inertia=(0.01, 0.012, 0.02))
    model.joint("free", "floating", parent="world", child="hull")
    model.joint(
        "axle",
        "revolute",
        parent="hull",
        child="wheel",
        axis=(0, 0, 1),
        placement=Placement(xyz=(0.2, 0.1, 0), rpy=(0.4, 0.3, 0)),
        damping=0.01,
    )
    model.frame("mast", body="wheel", placement=(0, 0.1, 0.2))
    return model


def orbiter() -> Model:
    """Two bodies close to an attracting mass, where its field is far from uniform."""
    model = Model("orbiter", gravity=(0, 0, 0))
    model.body("hull", mass=2.0, com=(0.1, 0, 0.05), inertia=(0.2, 0.3, 0.25, 0.01, 0.02, 0.0))
    model.body("boom", mass=0.5, com=(0.3, 0.1, 0), inertia=(0.01, 0.09, 0.1))
    model.joint(
        "orbit", "orbit_spherical", parent="world", child="hull", lower=(-1, -1, 2), upper=(1, 1, 3)
    )
    model.joint(
        "hinge",
        "revolute",
        parent="hull",
        child="boom",
        axis=(0, 1, 0),
        placement=Placement(xyz=(0.2, 0.1, 0), rpy=(0.4, 0.3, 0)),
    )
    model.central_gravity("planet", mu=7.0)
    model.central_gravity("moon", mu=3.0, center=(0, 0, -5), about="boom")
    return model


@dataclass(frozen=True)
class Plank(Form):
    """Three point masses on a line of length 1 that bends with e0 and stretches with e1."""

    modes: int = 2

    @property
    def coordinates(self) -> tuple[str, ...]:
        return ("e0", "e1")[: self.modes]

    def place(self, s: float, xi: Any) -> sympy.Matrix:
        """Of the material point s."""
        stretch = xi[1] if self.modes == 2 else 0
        x = s * (1 + stretch) - s**3 * xi[0] ** 2 / 2
        return sympy.Matrix([x, s**2 * xi[0], s**2 * (xi[0] ** 2 + stretch) / 4])

    def kinetic_energy(self, v: Any, w: Any, xi: Any, xi_rate: Any) -> Any:
        total = 0
        for mass, s in ((0.5, 0.25), (0.75, 0.5), (0.25, 1.0)):
            place = self.place(s, xi)
            velocity = sympy.Matrix(v) + sympy.Matrix(w).cross(place)
            for x, rate in zip(xi, xi_rate, strict=True):
                velocity += place.diff(x) * rate
            total += mass * velocity.dot(velocity) / 2
        return total

    def strain_energy(self, xi: Any) -> Any:
        return 20 * sum(x**2 for x in xi) + 5 * xi[0] ** 4

    def dissipation(self, xi: Any, xi_rate: Any) -> Any:
        return sum((1 + xi[0] ** 2) * x**2 for x in xi_rate) / 8

    def attachment(self, at: Any, xi: Any) -> Attachment:
        x, y, z = self.place(1 if at == "tip" else at, xi)
        s = 1 if at == "tip" else at
        return Attachment((x, y, z), (("z", 2 * s * xi[0]), ("y", -s * xi[0] ** 2 / 2)))


def crane() -> Model:
    """Planks on a hinge and on the tip of each other, a load that rides, one welded."""
    model = Model("crane", gravity=(1.3, -0.4, -9.81))
    model.deformable("jib", Plank())
    model.joint("slew", "revolute", parent="world", child="jib", axis=(0.6, 0, 0.8), damping=0.2)
    model.attachment("jib_tip", body="jib", at="tip")
    model.deformable("boom", Plank(1))
    model.joint(
        "luff",
        "revolute",
        parent="jib_tip",
        child="boom",
        axis=(0, 0.8, 0.6),
        placement=Placement(xyz=(0.1, 0.05, 0.2), rpy=(0.3, -0.5, 0.2)),
    )
    model.body("trolley", mass=0.4, com=(0.1, 0, -0.2), inertia=(0.02, 0.03, 0.04))
    model.joint(
        "ride",
        "track",
        parent="jib",
        child="trolley",
        lower=0.2,
        upper=0.9,
        placement=Placement(xyz=(0, 0.1, 0), rpy=(0.2, 0, 0.4)),
        child_placement=(0, 0, 0.1),
    )
    model.body("hook", mass=0.3, com=(0, 0.1, -0.2), inertia=(0.02, 0.01, 0.02))
    model.joint("weld", "attachment", parent="boom", child="hook", at=0.75)
    model.frame("tool", body="hook", placement=(0.1, 0, -0.3))
    return model
