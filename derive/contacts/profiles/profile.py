"""Profiles y(x): meridians of wheels and cross-sections of rails, by an expression or a table.

A table (x_k, y_k) is a cubic spline, not-a-knot at its ends. As one polynomial that changes its
third derivative by 6 c_k at the knots,

    y = sum_j a_j (x - x_0)^j + sum_k c_k max(x - x_k, 0)^3

it needs no search for an interval. Reference: de Boor, *A Practical Guide to Splines*, ch. IV.

A point of a profile is found by its first-order condition F(x) = 0, F' > 0 at a minimum: from the
best of equidistant places, `_STEPS` steps of Newton's method, or halvings where these would leave
what encloses the root, and two more, which alone are differentiated, so that derivatives are those
of the implicit function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import sympy

from eomc.derive.fields.field import SCALAR, FieldKind, Given, rows_of
from eomc.derive.geometry.choosing import either, largest
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, scalar
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import Scene

MOST = 64
"""Rows of a table."""

Table = tuple[tuple[float, float], ...]
#: An expression in x, or rows of x and y.
OfProfile = Given[Any, Scalar | Table]
Condition = Callable[[Expression], tuple[Expression, Expression]]
"""F(x) and F'(x)."""

_PLACES = 16
_STEPS = 10
_CLIPPED = 2
_SETTLED = 1e-6
_FLATTEST = 1e-9
"""F' below which a step goes to the end of the range."""


@dataclass(frozen=True)
class ProfileField(FieldKind):
    """An expression in x, or a table of at least two rows."""

    def schema(self) -> dict[str, Any]:
        """A scalar, or rows of two numbers."""
        row = rows_of({"type": "number"}, 2)
        return {"anyOf": [SCALAR, {"type": "array", "items": row, "minItems": 2, "maxItems": MOST}]}

    def read(self, value: Any, word: str) -> Scalar | Table:
        """A scalar, or rows of floats by growing x."""
        if isinstance(value, str | sympy.Basic | int | float):
            return scalar(value, word)
        try:
            rows = tuple((float(x), float(y)) for x, y in value)
        except (TypeError, ValueError):
            raise ModelError(f"{word}: give an expression in x, or rows [x, y]") from None
        if not 2 <= len(rows) <= MOST:
            raise ModelError(f"{word} has {len(rows)} rows; give 2 to {MOST}")
        for (x, _), (after, _) in pairwise(rows):
            if not after > x:
                raise ModelError(f"{word}: x is {after:g} after {x:g}; give rows by growing x")
        return rows


@dataclass(frozen=True, eq=False)
class Curve:
    """A profile on the graph: y, y', y'' at x, and the range of x."""

    at: Callable[[Expression], tuple[Expression, ...]]
    lower: Expression
    upper: Expression
    code: str

    @classmethod
    def of(cls, scene: Scene, part: Any) -> Curve:
        """Of a part with `profile`, `lower` and `upper`; a table ends where its rows do."""
        start, end = _range(part.profile, part.lower, part.upper)
        form = _spline if isinstance(part.profile, tuple) else _expression
        code = "no_nearest_point_on_" + re.sub(r"\W", "_", part.at.body)
        at = partial(form, scene, part.profile)
        return cls(at, scene.scalar(start), scene.scalar(end), code)

    def places(self) -> list[Expression]:
        """Equidistant ones within the range, from which the best is taken."""
        share = (self.upper - self.lower) / _PLACES
        return [self.lower + share * (k + 0.5) for k in range(_PLACES)]

    def within(self, x: Expression) -> Expression:
        """The nearest place in the range."""
        return x.binary("max", self.lower).binary("min", self.upper)

    def room(self, x: Expression) -> Expression:
        """Above zero inside the range."""
        return (x - self.lower).binary("min", self.upper - x)

    def least(
        self, value: Callable[[Expression], Expression], slope: Condition, *, has_ends: bool = True
    ) -> Expression:
        """The place of the least value, whose first-order condition is `slope`; a return code if
        that is at an end which counts as none."""
        places = self.places()
        (x,) = largest([-value(x) for x in places], [[x] for x in places])[1]
        most = (self.upper - self.lower) / _PLACES
        low, high = self.within(x - most), self.within(x + most)
        for k in range(_STEPS):
            f, steep = slope(x)
            low, high = either(-f, x, low), either(f, x, high)
            moved = x + _step((f, steep))
            inside = (moved - low).binary("min", high - moved)
            middle = (low + high) / 2
            # The first steps may end on an end of the range, which bisection only nears.
            beyond = moved.binary("max", low).binary("min", high) if k < _CLIPPED else middle
            x = either(inside + most * _SETTLED, moved, beyond)
        change = self.within(x + _step(slope(x))) - x
        holds = (most * _SETTLED) * (most * _SETTLED) - change * change
        if not has_ends:
            holds = holds.binary("min", self.room(x))
        x = x.frozen_unless(holds.required(self.code))
        for _ in range(2):
            x = self.within(x + _step(slope(x)))
        return x


def nearest(curve: Curve, x: Expression, y: Expression) -> tuple[Expression, ...]:
    """Of a place in the plane: the distance from the curve, positive above it, the unit vector
    along that, and the nearest point. Past the ends of the range it is that from the end.

    The condition is that of a normal through the place, (x_p - x) + (y(x_p) - y) y'(x_p) = 0.
    """

    def square(p: Expression) -> Expression:
        height = curve.at(p)[0] - y
        return (p - x) * (p - x) + height * height

    def condition(p: Expression) -> tuple[Expression, Expression]:
        h, slope, bend = curve.at(p)
        return (p - x) + (h - y) * slope, 1 + slope * slope + (h - y) * bend

    p = curve.least(square, condition)
    h, slope, _ = curve.at(p)
    steep = (1 + slope * slope).sqrt()
    n = -slope / steep, 1 / steep
    off = x - p, y - h
    apart = off[0] * off[0] + off[1] * off[1]
    inside = curve.room(p)
    # Past an end nothing is asked of a place on the curve, whose distance has no direction there.
    size = either(inside, apart * 0 + 1, either(apart, apart, apart * 0 + 1)).sqrt()
    along = n[0] * off[0] + n[1] * off[1]
    above = either(along, size * 0 + 1, size * 0 - 1)
    ends = [above * d / size for d in off]
    return (
        either(inside, along, above * size),
        either(inside, n[0], ends[0]),
        either(inside, n[1], ends[1]),
        p,
        h,
    )


def check_profile(part: Any, values: Mapping[str, float]) -> None:
    """Raise `ModelError` for a range that is missing, empty or outside of a table."""
    profile, lower, upper = part.profile, part.lower, part.upper
    if not isinstance(profile, tuple) and (lower is None or upper is None):
        raise ModelError("lower and upper: an expression has no ends; give both")
    start, end = (value_of(x, values) for x in _range(profile, lower, upper))
    if not end > start:
        raise ModelError(f"lower is {start:g} and upper {end:g}; give a range that grows")
    if isinstance(profile, tuple) and (start < profile[0][0] or end > profile[-1][0]):
        raise ModelError(
            f"profile: lower to upper is {start:g} to {end:g}, its rows reach from "
            f"{profile[0][0]:g} to {profile[-1][0]:g}"
        )


def heights(part: Any, values: Mapping[str, float]) -> list[float]:
    """y at places over the whole range, in numbers."""
    start, end = (value_of(x, values) for x in _range(part.profile, part.lower, part.upper))
    places = [start + (end - start) * k / (2 * _PLACES) for k in range(2 * _PLACES + 1)]
    if isinstance(part.profile, tuple):
        return [float(y) for y in _fitted(part.profile)[2](places)]
    y = sympy.sympify(part.profile)
    return [value_of(scalar(y.subs(_X, x)), values) for x in places]


def _range(
    profile: Scalar | Table, lower: Scalar | None, upper: Scalar | None
) -> tuple[Scalar, Scalar]:
    ends = (profile[0][0], profile[-1][0]) if isinstance(profile, tuple) else (0.0, 0.0)
    return ends[0] if lower is None else lower, ends[1] if upper is None else upper


def _step(condition: tuple[Expression, Expression]) -> Expression:
    """Of Newton's method; where F does not grow, far along -F."""
    f, slope = condition
    return -f / either(slope - _FLATTEST, slope, slope * 0 + _FLATTEST)


def _expression(scene: Scene, profile: Any, x: Expression) -> tuple[Expression, ...]:
    y, own = sympy.sympify(profile), {"x": x}
    return tuple(scene.scalar(y.diff(_X, k) if k else y, own) for k in range(3))


def _spline(scene: Scene, profile: Any, x: Expression) -> tuple[Expression, Expression, Expression]:
    base, jumps, _ = _fitted(profile)
    s, zero = x - profile[0][0], x * 0
    y = ((s * base[3] + base[2]) * s + base[1]) * s + base[0]
    slope = (s * (3 * base[3]) + 2 * base[2]) * s + base[1]
    bend = s * (6 * base[3]) + 2 * base[2]
    for knot, jump in jumps:
        past = (x - knot).binary("max", zero)
        y = y + past * past * past * jump
        slope = slope + past * past * (3 * jump)
        bend = bend + past * (6 * jump)
    return y, slope, bend


@lru_cache(maxsize=64)
def _fitted(profile: Table) -> tuple[list[float], list[tuple[float, float]], Any]:
    """a_j, the knots with c_k, and the spline of SciPy."""
    from scipy.interpolate import CubicSpline  # slow to load, and models without tables need it not

    places, found = zip(*profile, strict=True)
    spline = CubicSpline(places, found)
    cubic = spline.c[0]
    knots = [
        (places[k], float(after - before))
        for k, (before, after) in enumerate(pairwise(cubic), 1)
        # The ends are no knots, where rounding alone tells both cubics apart.
        if 1 < k < len(cubic) - 1
    ]
    return [float(a) for a in spline.c[::-1, 0]], knots, spline


_X = sympy.Symbol("x")
