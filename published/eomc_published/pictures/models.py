"""Mechanisms that are easily drawn wrong: bodies whose origins are in no joint, closed loops."""

from __future__ import annotations

from math import cos, pi, sin

from eomc.derive.model import Model
from eomc.derive.placement.placement import Placement

Z = (0, 0, 1)
THIRD = 2 * pi / 3


def quick_return() -> tuple[Model, dict[str, float]]:
    """A crank whose pin slides in a slot of the rocker; no pivot but the rocker's at the origin."""
    model = Model("quick_return")
    model.body("crank", mass=1, com=(0.05, 0, 0), inertia=(1e-3, 1e-3, 1e-3))
    model.joint("drive", "revolute", parent="world", child="crank", axis=Z, placement=(0.4, 0.3, 0))
    model.body("slider", mass=0.2, inertia=(1e-4, 1e-4, 1e-4))
    model.joint("pin", "revolute", parent="crank", child="slider", axis=Z, placement=(0.1, 0, 0))
    model.body("rocker", mass=1, com=(0.25, 0, 0), inertia=(1e-3, 2e-2, 2e-2))
    model.joint("rock", "revolute", parent="world", child="rocker", axis=Z, placement=(0.4, 0, 0))
    model.joint("slot", "prismatic", parent="rocker", child="slider", axis=(1, 0, 0), cut=True)
    return model, {"drive": 0.4, "pin": 1.0, "rock": 1.3}


def four_bar() -> tuple[Model, dict[str, float]]:
    """The coupler's frame is in its middle, so that its origin is in neither of its joints."""
    model = Model("four_bar")
    for name, length in (("crank", 0.2), ("rocker", 0.4)):
        model.body(name, mass=1, com=(length / 2, 0, 0), inertia=(1e-4, 1e-2, 1e-2))
    model.body("coupler", mass=1, inertia=(1e-4, 1e-2, 1e-2))
    model.joint("a", "revolute", parent="world", child="crank", axis=Z, placement=(1, 0, 0))
    model.joint(
        "b",
        "revolute",
        parent="crank",
        child="coupler",
        axis=Z,
        placement=(0.2, 0, 0),
        child_placement=(-0.25, 0, 0),
    )
    model.joint("d", "revolute", parent="world", child="rocker", axis=Z, placement=(1.5, 0, 0))
    model.joint(
        "c",
        "revolute",
        parent="coupler",
        child="rocker",
        axis=Z,
        cut=True,
        placement=(0.25, 0, 0),
        child_placement=(0.4, 0, 0),
    )
    return model, {"a": 1.0, "b": -0.5, "d": 1.7}


def delta() -> tuple[Model, dict[str, float]]:
    """Three legs of arms and rods between universal joints carry a platform."""
    arm, rod = 0.3, 0.6
    model = Model("delta")
    model.body("platform", mass=0.4, inertia=(3e-4, 3e-4, 6e-4))
    for k in (1, 2, 3):
        angle = THIRD * (k - 1)
        outward = (round(cos(angle), 15), round(sin(angle), 15), 0)
        model.body(f"arm{k}", mass=0.5, com=(arm / 2, 0, 0), inertia=(2e-4, 4e-3, 4e-3))
        model.body(f"rod{k}", mass=0.1, com=(rod / 2, 0, 0), inertia=(1e-5, 3e-3, 3e-3))
        x, y, _ = outward
        shoulder = Placement((0.2 * x, 0.2 * y, 0), rpy=(0, 0, angle))
        wrist = Placement((0.06 * x, 0.06 * y, 0), rpy=(0, 0, angle))
        model.joint(
            f"motor{k}",
            "revolute",
            parent="world",
            child=f"arm{k}",
            axis=(0, 1, 0),
            placement=shoulder,
        )
        model.joint(
            f"elbow{k}",
            "universal",
            parent=f"arm{k}",
            child=f"rod{k}",
            axis=(0, 1, 0),
            axis_2=Z,
            placement=(arm, 0, 0),
        )
        model.joint(
            f"wrist{k}",
            "universal",
            parent=f"rod{k}",
            child="platform",
            axis=Z,
            axis_2=(0, 1, 0),
            placement=(rod, 0, 0),
            child_placement=wrist,
            cut=k > 1,
        )
    start = {"wrist1_2": -1.7}
    start |= {f"motor{k}": 0.3 for k in (1, 2, 3)} | {f"elbow{k}_1": 1.4 for k in (1, 2, 3)}
    return model, start


#: Of Franka's arm: a, d and alpha of each joint (Craig's convention).
_PANDA = (
    (0, 0.333, 0),
    (0, 0, -pi / 2),
    (0, 0.316, pi / 2),
    (0.0825, 0, pi / 2),
    (-0.0825, 0.384, -pi / 2),
    (0, 0, pi / 2),
    (0.088, 0, pi / 2),
)


def panda() -> tuple[Model, dict[str, float]]:
    """Seven joints, many with their axes through one point."""
    model = Model("panda")
    parent = "world"
    for k, (a, d, alpha) in enumerate(_PANDA, start=1):
        name = f"link{k}"
        model.body(name, mass=2, com=(0, 0, -0.05), inertia=(0.01, 0.01, 0.005))
        place = Placement((a, -sin(alpha) * d, cos(alpha) * d), rpy=(alpha, 0, 0))
        model.joint(f"j{k}", "revolute", parent=parent, child=name, axis=Z, placement=place)
        parent = name
    model.frame("flange", body=parent, placement=(0, 0, 0.107))
    return model, {"j2": -0.5, "j4": -2.0, "j6": 1.6, "j7": 0.7}
