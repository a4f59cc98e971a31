"""Four-bar linkages and a slider-crank that the tests share."""

from __future__ import annotations

from eomc.derive.model import Model, Placement, Point

CRANK, COUPLER, ROCKER, BASE = 0.5, 1.1, 0.8, 1.0
"""Lengths of an unequal four-bar [m]."""


def planar(cut: str = "", *, heavy: bool = True) -> Model:
    """Four revolute joints about x in the plane y, z; `cut` names the joint that closes the loop.

    Without `heavy` each body has mass on the plane of motion only.
    """
    model = Model("four_bar", gravity=(0, 0, -9.81))
    side = 0.07 if heavy else 0.0
    inertia = (0.02, 0.018, 0.005, 0.001, 0.002, -0.001) if heavy else (0.02, 0.02, 0.001)
    for name, mass, length in (
        ("crank", 1.2, CRANK),
        ("coupler", 2.1, COUPLER),
        ("rocker", 1.7, ROCKER),
    ):
        model.body(name, mass=mass, com=(side, length / 2, 0.03), inertia=inertia)
    axis = (1, 0, 0)

    def turn(name: str, parent: str, child: str, at: float, end: float = 0.0) -> None:
        model.joint(
            name,
            "revolute",
            parent=parent,
            child=child,
            axis=axis,
            cut=name == cut,
            placement=Placement(xyz=(0, at, 0)),
            child_placement=Placement(xyz=(0, end, 0)),
        )

    turn("a", "world", "crank", 0.0)
    turn("b", "crank", "coupler", CRANK)
    turn("c", "coupler", "rocker", COUPLER, ROCKER)
    turn("d", "world", "rocker", BASE)
    return model


def spatial(gravity: tuple[float, float, float] = (0, 0, -9.81)) -> Model:
    """The spatial four-bar of Trom (1990), sec. 4.3: a universal and a spherical joint."""
    model = Model("spatial_four_bar", gravity=gravity)
    hanging = {"mass": 10, "com": (0, 0, -0.5), "inertia": (5, 5, 5)}
    model.body("crank", **hanging)
    model.body("coupler", mass=10, com=(0, 0.5, 0), inertia=(5, 5, 5))
    model.body("rocker", **hanging)
    model.joint("left", "revolute", parent="world", child="crank", axis=(1, 0, 0))
    model.joint(
        "elbow",
        "universal",
        parent="crank",
        child="coupler",
        axis=(1, 0, 0),
        axis_2=(0, 0, 1),
        placement=Placement(xyz=(0, 0, -1)),
    )
    model.joint(
        "right",
        "revolute",
        parent="world",
        child="rocker",
        axis=(1, 0, 0),
        placement=Placement(xyz=(0, 1, 0)),
    )
    model.joint(
        "ball",
        "spherical",
        parent="rocker",
        child="coupler",
        cut=True,
        placement=Placement(xyz=(0, 0, -1)),
        child_placement=Placement(xyz=(0, 1, 0)),
    )
    return model


def ball_in_the_tree(damping: float = 0.2) -> Model:
    """Crank, rod and rocker in space; the rod turns on a quaternion, and an input pushes it."""
    model = Model("rssr", gravity=(0, 0, -9.81))
    model.body("crank", mass=2, com=(0, 0.1, 0), inertia=(0.02, 0.025, 0.015, 0.001, 0, 0.002))
    model.body("rod", mass=3, com=(0.5, 0.02, 0.01), inertia=(0.03, 0.3, 0.29, 0.01, 0, -0.01))
    model.body("rocker", mass=2.5, com=(0.05, 0.3, 0), inertia=(0.2, 0.06, 0.25))
    model.joint("turn", "revolute", parent="world", child="crank", axis=(1, 0, 0), damping=damping)
    model.joint("ball", "spherical", parent="crank", child="rod", placement=(0, 0.3, 0))
    model.joint(
        "rock",
        "revolute",
        parent="world",
        child="rocker",
        axis=(0, 0.2, 1),
        placement=Placement(xyz=(1.0, -0.4, 0.1)),
    )
    model.joint(
        "end",
        "spherical",
        parent="rod",
        child="rocker",
        cut=True,
        placement=(1.0, 0, 0),
        child_placement=(0, 0.7, 0),
    )
    push = model.input("push", units="N")
    model.force(
        "f", at=Point("rod", (0.3, 0, 0.1)), direction=(0, 1, 1), frame="body", magnitude=push
    )
    return model
