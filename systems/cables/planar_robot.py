"""A platform in a vertical plane, pulled by four cables from the corners of a frame.

Each cable comes through an eye at its corner from a winch behind it, so that its free length is
``l<i> - r drum<i>``. They cross: the corners below pull the upper side of the platform. Three
freedoms under four cables: a tension can be chosen, which stiffens the platform.
"""

from __future__ import annotations

import math

from eomc.derive.model import Model, Point

__all__ = ["CORNERS", "PLATFORM", "planar_robot"]

CORNERS = ((-2.0, -1.5), (2.0, -1.5), (2.0, 1.5), (-2.0, 1.5))
PLATFORM = ((-0.3, 0.2), (0.3, 0.2), (0.3, -0.2), (-0.3, -0.2))
_RADIUS = 0.05


def planar_robot(
    *,
    modulus: float | None = None,
    mass: float = 10.0,
    inertia: float = 0.6,
    drum_inertia: float = 0.002,
) -> Model:
    """The robot; torques ``u1`` to ``u4`` [N m] turn the winches.

    Coordinates ``platform_x``, ``platform_y``, ``platform_theta`` and ``drum1`` to ``drum4``, all
    zero with the platform in the middle.

    Parameters
    ----------
    modulus : of the cables [Pa], parameter ``E``, with the section 1e-5 m^2; None for ropes that do
        not stretch, four constraints whose gradient holds the structure matrix: A = -(dL/dq)^T
    mass, inertia : of the platform [kg, kg m^2]
    drum_inertia : of each winch [kg m^2]

    >>> planar_robot().coordinates[3:]
    ('drum1', 'drum2', 'drum3', 'drum4')
    """
    model = Model("planar_cable_robot", gravity=(0, -9.81, 0))
    if modulus is not None:
        model.parameter("E", modulus, units="Pa")
    model.body("platform", mass=mass, inertia=(inertia, inertia, inertia))
    model.joint("platform", "planar", parent="world", child="platform", axis=(0, 0, 1))
    for i, (corner, point) in enumerate(zip(CORNERS, PLATFORM, strict=True), 1):
        turns = (drum_inertia, drum_inertia, drum_inertia)
        model.body(f"winch{i}", mass=1, inertia=turns)
        model.joint(
            f"drum{i}",
            "revolute",
            parent="world",
            child=f"winch{i}",
            axis=(0, 0, 1),
            placement=(*corner, 0),
        )
        route = [Point("world", (*corner, 0)), Point("platform", (*point, 0))]
        length = f"{math.dist(corner, point)!r} - {_RADIUS}*drum{i}"
        if modulus is None:
            model.constraint(f"cable{i}", "rope", route=route, length=length)
        else:
            model.cable(f"cable{i}", route, length=length, modulus="E", area=1e-5)
        model.input(f"u{i}", units="N m")
        model.generalized_force(f"torque{i}", speed=f"drum{i}", expression=f"u{i}")
    return model
