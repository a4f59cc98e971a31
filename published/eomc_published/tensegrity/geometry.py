"""Cases of the geometry of cables on pulleys: 33 to 36.

The slopes that the closed forms state against differences of the lengths that the compiled model
tells; u = L - L0 is the elongation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.cables import Winch
from eomc.derive.model import Model
from eomc.derive.placement.placement import Point
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.case import Case, CaseCheck, at_most

Z = (0, 0, 1)
RADII = (0.3, 0.2)


@cache
def plane(*senses: int) -> CompiledModel:
    """A carrier, and a point or a second carrier, that slide in a plane, with drums."""
    model = Model("plane", gravity=(0, 0, 0))
    model.body("first", mass=1, inertia=(1, 1, 1))
    model.body("second", mass=1, inertia=(1, 1, 1))
    route: list[Any] = []
    for body, radius, k in (("first", RADII[0], 1), ("second", RADII[1], 2)):
        model.joint(f"p{k}", "planar", parent="world", child=body, axis=Z)
        model.body(f"drum{k}", mass=1, inertia=(1, 1, 1))
        model.joint(f"t{k}", "revolute", parent=body, child=f"drum{k}", axis=Z)
        zero = (1, 0, 0) if k == 1 else (-1, 0, 0)
        route.append(
            Winch(Point(body), radius=radius, sense=senses[k - 1], turn=f"t{k}", axis=Z, zero=zero)
            if k <= len(senses)
            else Point(body)
        )
    model.cable("rope", route, length=1, modulus=1)
    return build(model)


@cache
def space() -> CompiledModel:
    """A point that slides in space, and a drum in a block on the ground."""
    model = Model("space", gravity=(0, 0, 0))
    model.body("point", mass=1)
    model.joint("x", "translational", parent="world", child="point")
    drum = Winch(
        Point("world", (0.1, 0.2, -0.1)),
        radius=0.07,
        sense=-1,
        swivel=(1, 2, 2),
        offset=0.1,
        height=0.05,
    )
    model.cable("rope", [drum, "point"], length=1, modulus=1)
    return build(model)


def lengths(model: CompiledModel) -> Callable[[Array], Array]:
    """(L, L0) by q."""
    rows, rest = model.output_names("element_outputs"), np.zeros(model.nu)
    places = [rows.index("rope.length"), rows.index("rope.rest_length")]
    return lambda q: np.asarray(model.function("element_outputs")(q, rest))[places]


def slopes(function: Callable[[Array], Array], q: Array, h: float = 1e-3) -> Array:
    """Derivatives by q, central differences of fourth order; one row each."""
    return np.array(
        [
            (
                8 * (function(q + h * e) - function(q - h * e))
                - (function(q + 2 * h * e) - function(q - 2 * h * e))
            )
            / (12 * h)
            for e in np.eye(len(q))
        ]
    )


def curvature(function: Callable[[Array], Array], q: Array, h: float) -> Array:
    """Second derivatives of L - L0 by q."""
    return slopes(lambda p: slopes(function, p, h) @ np.array([1, -1]), q, h)


def tangent(d: Array, k: float) -> tuple[float, Array, Array]:
    """(l, e1, e2) by an angle: e1 at atan2(dy, dx) - atan2(k, l)."""
    length = float(np.sqrt(d @ d - k * k))
    gamma = np.arctan2(d[1], d[0]) - np.arctan2(k, length)
    return (
        length,
        np.array([np.cos(gamma), np.sin(gamma)]),
        np.array([-np.sin(gamma), np.cos(gamma)]),
    )


def states(seed: int, count: int) -> Iterator[Array]:
    """Places of the two carriers apart, their turns, turns of the drums."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield np.array([*rng.uniform(-0.2, 0.2, 4), 1.5, 0.4, *rng.uniform(-0.3, 0.3, 2)])


def _point() -> Iterator[CaseCheck]:
    for sense in (1, -1):
        model, s, r = plane(sense), -sense, RADII[0]
        names = list(model.coordinates)
        at = [names.index(n) for n in ("p1_x", "p1_y", "p1_theta", "t1", "p2_x", "p2_y")]
        worst = dict.fromkeys(("du", "dl", "dgamma", "second"), 0.0)
        for q in states(1, 5):
            q = q[: model.nq]
            f = lengths(model)
            found = slopes(f, q)[at]
            d = q[at[4:]] - q[at[:2]]
            length, e1, e2 = tangent(d, s * r)
            turned = s * r  # of the carrier and of the drum alike
            du = np.array([*-e1, turned, turned, *e1])
            dl = e1 + s * r / length * e2
            worst["du"] = max(worst["du"], float(np.abs(found[:, 0] - found[:, 1] - du).max()))
            worst["dl"] = max(worst["dl"], float(np.abs(found[4:, 0] - dl).max()))
            gamma = found[4:, 1] / (s * r) - e2 / length
            worst["dgamma"] = max(worst["dgamma"], float(np.abs(gamma).max()))
            second = curvature(f, q, 4e-3)[np.ix_(at[4:], at[4:])]
            bend = np.outer(e2, e2) / length
            worst["second"] = max(worst["second"], float(np.abs(second - bend).max()))
        for name, deviation in worst.items():
            yield at_most(f"sense {sense}: {name}", deviation, 1e-8)


def _swivel() -> Iterator[CaseCheck]:
    n, base = np.array([1, 2, 2]) / 3, np.array([0.1, 0.2, -0.1])
    f, rng = lengths(space()), np.random.default_rng(2)
    first = second = 0.0
    for _ in range(5):
        x = base + rng.uniform(0.4, 1.0, 3)
        w = x - base
        out = w - n * (n @ w)
        rho = float(np.sqrt(out @ out))
        e_r, e_t = out / rho, np.cross(n, out / rho)
        length, e1, e2 = tangent(np.array([rho - 0.1, n @ w - 0.05]), 0.07)
        along, across = e1[0] * e_r + e1[1] * n, e2[0] * e_r + e2[1] * n
        found = slopes(f, x)
        first = max(first, float(np.abs(found[:, 0] - found[:, 1] - along).max()))
        bend = curvature(f, x, 1e-3)
        closed = np.outer(across, across) / length + e1[0] / rho * np.outer(e_t, e_t)
        second = max(second, float(np.abs(bend - closed).max()))
    yield at_most("du/dx - e_c", first, 1e-8)
    yield at_most("second derivatives", second, 1e-7)


def _two() -> Iterator[CaseCheck]:
    for senses in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        model = plane(*senses)
        names = list(model.coordinates)
        order = ("p1_x", "p1_y", "p2_x", "p2_y", "t1", "t2")
        at = [names.index(name) for name in order]
        (s1, s2), (r1, r2), worst, off = (-senses[0], -senses[1]), RADII, 0.0, 0.0
        for q in states(3, 4):
            off = max(off, _off_the_line(model, q, q[at[:2]], q[at[2:4]], (s1, s2)))
            found = slopes(lengths(model), q)[at]
            d = q[at[2:4]] - q[at[:2]]
            _, e1, _ = tangent(d, s1 * r1 - s2 * r2)
            du = np.array([*-e1, *e1, s1 * r1, -s2 * r2])
            worst = max(worst, float(np.abs(found[:, 0] - found[:, 1] - du).max()))
        yield at_most(f"senses {senses}: du", worst, 1e-8)
        yield at_most(f"senses {senses}: tangent points", off, 1e-12)


def _off_the_line(
    model: CompiledModel, q: Array, c1: Array, c2: Array, sides: tuple[int, int]
) -> float:
    """Largest distance of the drawn ends of the straight part from t = c + s r e2, and of one from
    the other less l e1, with the length l that the cable tells."""
    t1, t2 = np.asarray(model.function("element_lines")(q))[:2, :2]
    (s1, s2), (r1, r2) = sides, RADII
    length, e1, e2 = tangent(c2 - c1, s1 * r1 - s2 * r2)
    told = float(lengths(model)(q)[0])
    gaps = (t1 - c1 - s1 * r1 * e2, t2 - c2 - s2 * r2 * e2, t2 - t1 - told * e1, told - length)
    return max(float(np.abs(gap).max()) for gap in gaps)


def _invariance() -> Iterator[CaseCheck]:
    model = Model("free", gravity=(0, 0, 0))
    model.body("base", mass=2, inertia=(1, 2, 3))
    model.joint("base", "floating", parent="world", child="base")
    for name, axis, xyz in (("a", (0, 1, 0), (0.3, 0, 0.1)), ("b", (1, 0, 0), (0, 0.8, 0.5))):
        model.body(name, mass=1, inertia=(1, 1, 1))
        model.joint(name, "revolute", parent="base", child=name, axis=axis, placement=xyz)
    model.body("drum", mass=1, inertia=(1, 1, 1))
    model.joint("drum", "revolute", parent="a", child="drum", axis=Z)
    drum = Winch(
        Point("a", (0.1, 0.1, 0)), radius=0.07, sense=-1, swivel=Z, turn="drum", offset=0.02
    )
    model.cable("rope", [drum, Point("b", (0.2, 0.1, 0.3))], length=0.3, modulus=50)
    built, rng = build(model), np.random.default_rng(4)
    worst, least = 0.0, np.inf
    for _ in range(5):
        q = np.asarray(built.neutral())
        q[:7] = [*rng.normal(size=3), *(v := rng.normal(size=4)) / np.linalg.norm(v)]
        q[7:] = rng.normal(0, 0.3, 3)
        zero = np.zeros(built.nu)
        force = np.asarray(built.function("inverse_dynamics")(q, zero, zero))
        worst = max(worst, float(np.abs(force[:6]).max()))
        least = min(least, float(np.abs(force[6:]).max()))
    yield at_most("force and moment on the pair of bodies", worst, 1e-12 * max(1.0, least))
    yield at_most("1 / forces between them", 1 / least, 1.0)


CASES = (
    Case(33, "A point and a pulley", "section 8.2", "fourth-order differences", _point),
    Case(
        34, "A block that swivels, with offsets", "section 8.3", "fourth-order differences", _swivel
    ),
    Case(
        35,
        "A cable between two pulleys",
        "section 8.5",
        "drawn tangent points; fourth-order differences",
        _two,
        slow=True,
    ),
    Case(
        36,
        "No net force on carrier and anchor together",
        "section 8.3",
        "inverse dynamics",
        _invariance,
    ),
)
