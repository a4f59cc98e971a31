"""Deformable bodies made of point masses, and their mechanics point by point.

A `Swarm` holds point masses whose places are polynomials of its internal coordinates. The reference
knows nothing of bodies: every point of a system has a place in the world as a function of q, and

    tau = sum over the points of m J^T (r'' - g),   J_k = dr'/du_k,

with r'' and J by differences in 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
import sympy

from eomc.derive.bodies import Attachment, Form
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import scalar

DIGITS, STEP = 60, mpmath.mpf("1e-15")
Point = tuple[float, Any]
"""Mass, and place (3,) in the world as a function of q."""


@kind("test_swarm")
class Swarm(Form):
    """Four point masses; `modes` coordinates move them, `stiffness` and `damping` hold them."""

    seed: int = 0
    modes: int = 2
    stiffness: Any = 5
    damping: Any = 0.1
    rest: float = 0.0

    def __post_init__(self) -> None:
        for name in ("stiffness", "damping"):
            object.__setattr__(self, name, scalar(getattr(self, name), name))

    @property
    def coordinates(self) -> tuple[str, ...]:
        """d0, d1, ..."""
        return tuple(f"d{j}" for j in range(self.modes))

    @property
    def neutral(self) -> tuple[float, ...]:
        """All at `rest`."""
        return (self.rest,) * self.modes

    @property
    def masses(self) -> list[float]:
        """Of the four points."""
        return [float(m) for m in np.random.default_rng([self.seed, 1]).uniform(0.5, 1.5, size=4)]

    def places(self, xi: Sequence[Any]) -> list[list[Any]]:
        """Of the four points: linear and quadratic in xi. Any numbers, symbols too."""
        rng = np.random.default_rng(self.seed)
        found = []
        for _ in range(4):
            place: list[Any] = [float(x) for x in rng.normal(size=3)]
            for x in xi:
                linear, quadratic = rng.normal(size=3), 0.3 * rng.normal(size=3)
                for i in range(3):
                    place[i] = place[i] + float(linear[i]) * x + float(quadratic[i]) * x * xi[0]
            found.append(place)
        return found

    def kinetic_energy(
        self,
        v: Sequence[sympy.Expr],
        w: Sequence[sympy.Expr],
        xi: Sequence[sympy.Symbol],
        xi_rate: Sequence[sympy.Expr],
    ) -> sympy.Expr:
        """Sum of m |v + w x r + r'|^2 / 2."""
        total = sympy.Integer(0)
        for mass, place in zip(self.masses, self.places(xi), strict=True):
            r = sympy.Matrix(place)
            velocity = sympy.Matrix(v) + sympy.Matrix(w).cross(r)
            for x, rate in zip(xi, xi_rate, strict=True):
                velocity += r.diff(x) * rate
            total += mass * velocity.dot(velocity) / 2
        return total

    def strain_energy(self, xi: Sequence[sympy.Symbol]) -> sympy.Expr:
        """Stiffness rising with the fourth power of the first coordinate."""
        squares = sum((x - self.rest) ** 2 for x in xi)
        return self.stiffness * squares / 2 + (xi[0] ** 4 if xi else 0)

    def dissipation(
        self, xi: Sequence[sympy.Symbol], xi_rate: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        """Rayleigh's, with a coefficient that depends on the shape."""
        return self.damping * (1 + xi[0] ** 2) * sum(x**2 for x in xi_rate) / 2

    def strain_slopes(self, xi: Sequence[float]) -> list[float]:
        """dV/dxi by hand."""
        slopes = [float(self.stiffness) * (x - self.rest) for x in xi]
        slopes[0] += 4 * xi[0] ** 3
        return slopes

    def losses(self, xi: Sequence[float], rates: Sequence[float]) -> list[float]:
        """dD/dxi' by hand."""
        return [float(self.damping) * (1 + xi[0] ** 2) * x for x in rates]

    def station(self, at: Any, xi: Sequence[Any]) -> tuple[list[Any], list[tuple[str, Any]]]:
        """Displacement and turns at `at`; any numbers, symbols too."""
        s, first, last = 1 if at == "tip" else at, xi[0], xi[-1]
        displacement = [s + first**2 * s / 5, first * s**2 / 2 + first * last * s / 3, last * s / 4]
        return displacement, [("z", first * s + last**2 / 5), ("y", s * 0.3), ("x", last * s / 3)]

    def attachment(self, at: Any, xi: Sequence[sympy.Symbol]) -> Attachment:
        """The tip, or any place s."""
        if isinstance(at, str) and at != "tip":
            raise ModelError(f"station {at!r}; there is 'tip', or give a number")
        (x, y, z), turns = self.station(at, xi)
        return Attachment((x, y, z), tuple(turns))

    @property
    def scalars(self) -> tuple[Any, ...]:
        """What may hold parameters."""
        return (self.stiffness, self.damping)


# -- places of points ------------------------------------------------------------------------------


def pose(rotation: Any = None, origin: Sequence[Any] = (0, 0, 0)) -> Any:
    """(4, 4) of a rotation matrix and an origin."""
    result = mpmath.eye(4)
    for i in range(3):
        result[i, 3] = origin[i]
        for j in range(3):
            result[i, j] = (1 if i == j else 0) if rotation is None else rotation[i, j]
    return result


def turn(axis: str, angle: Any) -> Any:
    """(4, 4) of a turn about a coordinate axis."""
    i, j = (("xyz".index(axis) + k) % 3 for k in (1, 2))
    result = mpmath.eye(4)
    result[i, i] = result[j, j] = mpmath.cos(angle)
    result[j, i], result[i, j] = mpmath.sin(angle), -mpmath.sin(angle)
    return result


def quaternion(w: Any, x: Any, y: Any, z: Any) -> Any:
    """(4, 4) of a unit quaternion."""
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return pose(mpmath.matrix(rows))


def station(swarm: Swarm, at: Any, xi: Sequence[Any]) -> Any:
    """(4, 4) of a station of a swarm."""
    displacement, turns = swarm.station(at, xi)
    result = pose(origin=displacement)
    for axis, angle in turns:
        result = result * turn(axis, angle)
    return result


def point_in(frame: Any, place: Sequence[Any]) -> Any:
    """(3,) of a point of a frame."""
    moved = frame * mpmath.matrix([*place, 1])
    return mpmath.matrix(moved[:3])


# -- mechanics of points ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Points:
    """All points of a system: `masses`, and `places` of q, which a floating base's coordinates
    (x, y, z, quaternion) lead if there is one."""

    masses: Sequence[float]
    places: Callable[[Sequence[Any]], list[Any]]
    floating: bool = False
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def moved(self, q: Sequence[Any], u: Sequence[Any], a: Sequence[Any], t: Any) -> list[Any]:
        """q at the time t of the motion with u' = a."""
        if not self.floating:
            return [x + v * t + w * t**2 / 2 for x, v, w in zip(q, u, a, strict=True)]
        rest = zip(q[7:], u[6:], a[6:], strict=True)
        return [
            *_position(q, u, a, t),
            *_quaternion(q, u, a, t),
            *(x + v * t + w * t**2 / 2 for x, v, w in rest),
        ]

    def _along(self, q: Any, u: Any, a: Any) -> tuple[list[Any], list[Any], list[Any]]:
        """Places, velocities, accelerations of all points."""
        times = (-STEP, mpmath.mpf(0), STEP)
        before, here, after = (self.places(self.moved(q, u, a, t)) for t in times)
        pairs = list(zip(before, here, after, strict=True))
        velocities = [(z - x) / (2 * STEP) for x, _, z in pairs]
        return here, velocities, [(z - 2 * y + x) / STEP**2 for x, y, z in pairs]

    def motion(self, q: Any, u: Any, a: Any) -> tuple[Any, Any, Any, Any]:
        """(places, velocities, accelerations (n, 3), velocities at unit speeds (n, k, 3))."""
        with mpmath.workdps(DIGITS):
            q, u, a = ([mpmath.mpf(float(x)) for x in given] for given in (q, u, a))
            place, velocity, acceleration = self._along(q, u, a)
            zero = [mpmath.mpf(0)] * len(u)
            units = []
            for k in range(len(u)):
                unit = [mpmath.mpf(int(j == k)) for j in range(len(u))]
                units.append(self._along(q, unit, zero)[1])
            jacobian = np.array([[_array(x) for x in column] for column in units])
            return (
                np.array([_array(x) for x in place]),
                np.array([_array(x) for x in velocity]),
                np.array([_array(x) for x in acceleration]),
                np.swapaxes(jacobian, 0, 1),
            )


def _array(vector: Any) -> list[float]:
    return [float(x) for x in vector]


def _position(q: Any, u: Any, a: Any, t: Any) -> list[Any]:
    """x' = R v, x'' = R (v' + w x v), to second order in t."""
    rotation = quaternion(*q[3:7])[:3, :3]
    v, w = u[:3], u[3:6]
    turned = [w[i - 2] * v[i - 1] - w[i - 1] * v[i - 2] for i in range(3)]
    first = rotation * mpmath.matrix(v)
    second = rotation * mpmath.matrix([x + y for x, y in zip(a[:3], turned, strict=True)])
    return [q[i] + first[i] * t + second[i] * t**2 / 2 for i in range(3)]


def _quaternion(q: Any, u: Any, a: Any, t: Any) -> list[Any]:
    """q' = q w / 2 and q'' = (q' w + q w') / 2, to second order in t."""
    start = q[3:7]
    first = [x / 2 for x in _product(start, [0, *u[3:6]])]
    second = [
        (x + y) / 2
        for x, y in zip(_product(first, [0, *u[3:6]]), _product(start, [0, *a[3:6]]), strict=True)
    ]
    return [x + y * t + z * t**2 / 2 for x, y, z in zip(start, first, second, strict=True)]


def _product(p: Sequence[Any], q: Sequence[Any]) -> list[Any]:
    a, b, c, d = p
    w, x, y, z = q
    return [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
