"""The manipulator of six struts as a tree with loop joints: its bodies, joints and cables.

Three struts stand on spherical joints at the corners of a triangle; three links lead from their
tops to one point, the end-effector. Each strut carries a block at its top and one at its foot,
which turn about it; the cables of their pulleys, and a link, end at the top of the strut before it.
Upright, the struts are diagonals of the square faces of a prism, and the links the edges of a
regular tetrahedron on it.

The end-effector and the links, of which no mass is known, are given a small one: six links and
struts on one body without mass leave the equations undefined as they are eliminated here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model import Model

__all__ = ["HUBS", "manipulator_tree"]


STRUTS = (1, 2, 3)
LENGTH = 1.0
SIDE = LENGTH / math.sqrt(2)
RADIUS, THICKNESS, OUTER, INNER = 0.05, 0.01, 0.035, 0.032
DENSITY, AREA = 2.7e3, math.pi * 1e-3**2


@dataclass(frozen=True)
class Hub:
    """Joints of the end-effector, of a link on it, of a strut on its foot."""

    effector: str
    link: str
    strut: str


HUBS = {
    "point": Hub("translational", "universal", "universal"),
    "body": Hub("floating", "revolute", "universal"),
    "spherical": Hub("floating", "spherical", "spherical"),
}


def manipulator_tree(hub: str = "point", *, light: float = 0.01) -> Model:
    """The manipulator with end-effector and links by the joints of `HUBS`, of `light` masses [kg].

    >>> import eomc
    >>> found = eomc.equations(manipulator_tree()).redundancy()
    >>> found.speeds, found.rank, found.freedoms
    (39, 27, 12)
    """
    joints = HUBS[hub]
    model = Model(f"manipulator_{hub}")
    model.parameter("E", 2e9, units="Pa")
    model.parameter("mu", 1e7, units="Pa s")
    feet = [_corner(i, 0.0) for i in STRUTS]
    tops = [_corner(i + 1, SIDE) for i in STRUTS]
    centre = np.array([0, 0, SIDE * (1 + math.sqrt(2 / 3))])
    small = light * 0.01
    model.body("effector", mass=light, inertia=(small,) * 3)
    model.joint(
        "effector", joints.effector, parent="world", child="effector", placement=centre.tolist()
    )
    for i in STRUTS:
        # Along x, with the tangent about which a hinge would turn as y.
        link = _axes(tops[i - 2] - centre, np.array([0.0, 0.0, 1.0]))
        model.body(f"link{i}", mass=light, com=(SIDE / 2, 0, 0), inertia=(small,) * 3)
        axes = _axis_words(joints.link, (0, 1, 0), (0, 0, 1))
        model.joint(
            f"link{i}",
            joints.link,
            parent="effector",
            child=f"link{i}",
            placement={"rotation": link.tolist()},
            **axes,
        )
    for i in STRUTS:
        _strut(model, i, feet[i - 1], tops[i - 1], joints.strut)
    for i in STRUTS:
        before = f"strut{i - 1 or 3}"
        for end in ("top", "bottom"):
            model.joint(
                f"loop{i}_{end}",
                "spherical",
                parent=before,
                child=f"end{i}_{end}",
                placement=(0, 0, LENGTH),
                cut=True,
            )
        model.joint(
            f"level{i}",
            "spherical",
            parent=before,
            child=f"link{i}",
            cut=True,
            placement=(0, 0, LENGTH),
            child_placement=(SIDE, 0, 0),
        )
    for i in STRUTS:
        for end, start in (("top", tops[i - 1]), ("bottom", feet[i - 1])):
            _guess(model, f"{i}_{end}", start, tops[i - 2], _strut_axes(feet[i - 1], tops[i - 1]))
    return model


def _corner(i: int, height: float) -> Array:
    """Of the triangle of feet, in the order in which struts stand there."""
    at, radius = 2 * math.pi * (i - 1) / 3, SIDE / math.sqrt(3)
    return np.array([radius * math.cos(at), radius * math.sin(at), height])


def _axes(along: Array, up: Array) -> Array:
    """Columns: x along a direction, y across it and `up`."""
    x = along / np.linalg.norm(along)
    y = np.cross(up, x)
    y /= np.linalg.norm(y)
    return np.array([x, y, np.cross(x, y)]).T


def _strut_axes(foot: Array, top: Array) -> Array:
    """Columns: z along a strut, x level."""
    z = (top - foot) / np.linalg.norm(top - foot)
    x = np.cross([0.0, 0.0, 1.0], z)
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z]).T


def _axis_words(kind: str, *axes: Sequence[float]) -> dict[str, Any]:
    """Axes for the kinds that take them."""
    words = {"universal": ("axis", "axis_2"), "revolute": ("axis",)}.get(kind, ())
    return dict(zip(words, axes, strict=False))


def _strut(model: Model, i: int, foot: Array, top: Array, kind: str) -> None:
    """A strut with its two blocks, pulleys and cables."""
    section = math.pi * (OUTER**2 - INNER**2) / 4
    mass = DENSITY * section * LENGTH
    radii = (OUTER**2 + INNER**2) / 4
    across = mass * (3 * radii + LENGTH**2) / 12
    model.body(
        f"strut{i}", mass=mass, com=(0, 0, LENGTH / 2), inertia=(across, across, mass * radii / 2)
    )
    model.joint(
        f"strut{i}",
        kind,
        parent="world",
        child=f"strut{i}",
        placement={"xyz": foot.tolist(), "rotation": _strut_axes(foot, top).tolist()},
        **_axis_words(kind, (1, 0, 0), (0, 1, 0)),
    )
    width, depth, height = 3 * THICKNESS, 2 * math.sqrt(2) * RADIUS, math.sqrt(2) * RADIUS
    of_block, of_pulley = (
        DENSITY * width * depth * height,
        DENSITY * math.pi * RADIUS**2 * 2 * THICKNESS,
    )
    tilt, spin = of_pulley * (3 * RADIUS**2 + 4 * THICKNESS**2) / 12, of_pulley * RADIUS**2 / 2
    moments = [
        of_block * (a**2 + b**2) / 12 for a, b in ((width, height), (depth, height), (depth, width))
    ]
    for end, at in (("top", LENGTH), ("bottom", 0.0)):
        name = f"{i}_{end}"
        # A block's x axis points to the cable's end, its z axis is the strut's.
        model.body(f"block{name}", mass=of_block, inertia=tuple(moments))
        model.joint(
            f"beta{name}",
            "revolute",
            parent=f"strut{i}",
            child=f"block{name}",
            axis=(0, 0, 1),
            placement=(0, 0, at),
        )
        model.body(f"pulley{name}", mass=of_pulley, inertia=(tilt, spin, tilt))
        model.joint(
            f"theta{name}",
            "revolute",
            parent=f"block{name}",
            child=f"pulley{name}",
            axis=(0, -1, 0),
        )
        model.body(f"end{name}")
        model.joint(
            f"unwound{name}",
            "involute_strain",
            parent=f"pulley{name}",
            child=f"end{name}",
            radius=RADIUS,
            placement={"rpy": (math.pi / 2, 0, 0)},
        )
        model.involute_cable(
            f"cable{name}",
            joint=f"unwound{name}",
            modulus="E",
            area=AREA,
            viscosity="mu",
            elasticity="work",
            damping="pushes",
            dissipation="elongation",
        )


def _guess(model: Model, name: str, centre: Array, end: Array, axes: Array) -> None:
    """Guess the angles that close the branch in the prism: swivel, pulley, unwound angle."""
    x, y, z = axes.T @ (end - centre)
    rho = math.hypot(x, y)
    taut = math.sqrt(rho**2 + z**2 - RADIUS**2)
    gamma = math.atan2(z, rho) - math.atan2(RADIUS, taut)
    model.initial_guess(f"beta{name}", math.atan2(y, x))
    model.initial_guess(f"theta{name}", gamma - taut / RADIUS)
    model.initial_guess(f"unwound{name}_angle", taut / RADIUS)
