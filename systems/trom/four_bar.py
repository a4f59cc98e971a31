"""A spatial four-bar (thesis, fig. 4.1), and the least system whose constraint curves."""

from __future__ import annotations

from eomc.derive.model import Model, Placement, Point

__all__ = ["circle_particle", "four_bar"]


def four_bar(*, damping: float = 0.0, unequal: bool = False) -> Model:
    """Two cranks on revolute joints about x, a coupler on a universal and a spherical joint.

    Cranks hang along -z from pivots 1 m apart along y, the coupler lies along y between their tips;
    10 kg and 5 kg m^2 each, 1 m long, g = 9.81 m/s^2. The spherical joint ``ball`` at the right
    crank's tip is cut: three constraints on the coordinates ``phi2`` (left crank), ``phi3_1`` (in
    the plane), ``phi3_2`` (about z, out of the plane) and ``phi4`` (right crank); one degree of
    freedom.

    `damping` is viscous, in the left crank's joint [N m s/rad]. If `unequal`, the right crank is
    2 m long and its pivot 1 m higher, so that the constraint's curvature no longer cancels.
    """
    model = Model("unequal_four_bar" if unequal else "four_bar", gravity=(0, 0, -9.81))
    inertia = (5.0, 5.0, 5.0)
    length, height = (2.0, 1.0) if unequal else (1.0, 0.0)
    model.body("left", mass=10.0, com=(0, 0, -0.5), inertia=inertia)
    model.body("coupler", mass=10.0, com=(0, 0.5, 0), inertia=inertia)
    model.body("right", mass=10.0, com=(0, 0, -length / 2), inertia=inertia)
    x, z = (1, 0, 0), (0, 0, 1)
    model.joint("phi2", "revolute", parent="world", child="left", axis=x, damping=damping)
    model.joint(
        "phi3",
        "universal",
        parent="left",
        child="coupler",
        axis=x,
        axis_2=z,
        placement=Placement(xyz=(0, 0, -1)),
    )
    model.joint(
        "phi4",
        "revolute",
        parent="world",
        child="right",
        axis=x,
        placement=Placement(xyz=(0, 1, height)),
    )
    model.joint(
        "ball",
        "spherical",
        parent="coupler",
        child="right",
        cut=True,
        placement=Placement(xyz=(0, 1, 0)),
        child_placement=Placement(xyz=(0, 0, -length)),
    )
    return model


def circle_particle(length: float = 2.0) -> Model:
    """A particle of 3 kg on a circle about the origin, in its coordinates ``y`` and ``z``.

    All its stiffness is the curvature of the constraint: omega^2 = g / length at the bottom.
    """
    model = Model("circle_particle", gravity=(0, 0, -9.81))
    model.body("slide", mass=0)
    model.body("particle", mass=3.0)
    model.joint("y", "prismatic", parent="world", child="slide", axis=(0, 1, 0))
    model.joint("z", "prismatic", parent="slide", child="particle", axis=(0, 0, 1))
    model.constraint("rod", "distance", a=Point("particle"), b=Point("world"), length=length)
    return model
