"""Quaternions (w, x, y, z) on the expression graph.

A motion reads a quaternion at unit length, whatever its length: the four entries stand for the
rotation of q/|q|. One of length zero, or of none that is finite, stands for no rotation.

References: Shuster, *A survey of attitude representations*, J. Astronaut. Sci. 41 (1993); Sola,
Deray and Atchuthan, *A micro Lie theory for state estimation in robotics* (2018), appendices B and
D for the exponential and logarithm of SO(3) and SE(3).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import factorial

from eomc.derive.geometry import MatrixRotation, Vector
from eomc.derive.graph import Expression

Quaternion = Sequence[Expression]

NO_ROTATION = "no_rotation"
"""Code of functions that meet a quaternion which cannot be brought to unit length."""
# Beside a unit quaternion, a length below 1e-15 is rounding of zero; its square is a normal
# number in single precision too.
SHORTEST_SQUARE = 1e-30
# Quotients such as sin(x)/x are exact down to zero; their series only stands in for 0/0.
SMALL_SQUARED_ANGLE = 1e-4
# Differences such as x - sin(x) cancel; below half a radian their series is the exact one.
CANCELLING_SQUARED_ANGLE = 0.25
_BERNOULLI = (
    *(Fraction(1, 12), Fraction(1, 720), Fraction(1, 30240), Fraction(1, 1209600)),
    *(Fraction(1, 47900160), Fraction(691, 1307674368000), Fraction(1, 74724249600)),
)


def rotation(q: Quaternion) -> MatrixRotation:
    """R_parent_child of the unit quaternion q."""
    w, x, y, z = q
    x2, y2, z2 = 2 * x, 2 * y, 2 * z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    return MatrixRotation(
        (
            Vector(1 - (yy + zz), xy - wz, xz + wy),
            Vector(xy + wz, 1 - (xx + zz), yz - wx),
            Vector(xz - wy, yz + wx, 1 - (xx + yy)),
        )
    )


def product(a: Quaternion, b: Quaternion) -> list[Expression]:
    """Hamilton product: the rotation b in the frame that a has turned."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]


def conjugate(q: Quaternion) -> list[Expression]:
    """The inverse rotation."""
    return [q[0], -q[1], -q[2], -q[3]]


def rates(q: Quaternion, omega: Vector) -> list[Expression]:
    """q' = q (0, omega) / 2 for the angular velocity omega in body axes."""
    zero = q[0] * 0
    half = Fraction(1, 2)
    return product(q, [zero, omega.x * half, omega.y * half, omega.z * half])


def normalized(q: Quaternion) -> list[Expression]:
    """q / |q|; functions of it report `NO_ROTATION` where |q| is zero or not finite."""
    if _is_normalized(q):
        return list(q)
    square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    scale = square.if_less(SHORTEST_SQUARE, square * 0, 1 / square.sqrt()).required(NO_ROTATION)
    return [entry * scale for entry in q]


def _is_normalized(q: Quaternion) -> bool:
    """True for what `normalized` gives: four products with one scale."""
    graph = q[0].graph
    if any(graph.op[entry.node] != "mul" for entry in q):
        return False
    shared = set.intersection(*(set(graph.args[entry.node]) for entry in q))
    return any(graph.required.get(node) == NO_ROTATION for node in shared)


def _series(t: Expression, *coefficients: Fraction | int) -> Expression:
    """Polynomial in t by Horner's rule, constant term first."""
    total = t * 0 + coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = total * t + coefficient
    return total


def _half(t: Expression) -> tuple[Expression, Expression]:
    """cos(|phi|/2) and sin(|phi|/2) / |phi| as functions of t = |phi|^2, smooth at zero."""
    angle = t.if_less(SMALL_SQUARED_ANGLE, t * 0 + 1, t).sqrt()  # stays off zero where not used
    cosine = _series(t, *(Fraction((-1) ** n, 4**n * factorial(2 * n)) for n in range(5)))
    sine = _series(t, *(Fraction((-1) ** n, 2 * 4**n * factorial(2 * n + 1)) for n in range(5)))
    half = angle * Fraction(1, 2)
    return (
        t.if_less(SMALL_SQUARED_ANGLE, cosine, half.cos()),
        t.if_less(SMALL_SQUARED_ANGLE, sine, half.sin() / angle),
    )


def exponential(phi: Vector) -> list[Expression]:
    """Quaternion of the rotation vector phi: (cos(|phi|/2), sin(|phi|/2) phi/|phi|)."""
    cosine, factor = _half(phi.dot(phi))
    return [cosine, phi.x * factor, phi.y * factor, phi.z * factor]


def logarithm(q: Quaternion) -> Vector:
    """Rotation vector of the unit quaternion q, of angle at most pi."""
    sign = q[0].if_less(0, q[0] * 0 - 1, q[0] * 0 + 1)
    w = q[0] * sign
    v = Vector(q[1], q[2], q[3]) * sign
    s = v.dot(v)
    sine = s.if_less(SMALL_SQUARED_ANGLE, s * 0 + 1, s).sqrt()
    # 2 asin(x)/x = 2 + x^2/3 + 3 x^4/20 + 5 x^6/56 + ... with x = sin(angle/2)
    small = _series(s, 2, Fraction(1, 3), Fraction(3, 20), Fraction(5, 56), Fraction(35, 576))
    factor = s.if_less(SMALL_SQUARED_ANGLE, small, 2 * sine.binary("atan2", w) / sine)
    return v * factor


def translation_of_twist(phi: Vector, v: Vector) -> Vector:
    """Displacement of the origin under the constant body twist (v, phi) over unit time.

    V v with V = 1 + b [phi]x + c [phi]x^2, b = (1 - cos t)/t^2 = 2 (sin(t/2)/t)^2, c = (t - sin
    t)/t^3, t = |phi|: the translation part of the exponential of SE(3).
    """
    t = phi.dot(phi)
    safe = t.if_less(CANCELLING_SQUARED_ANGLE, t * 0 + 1, t)
    angle = safe.sqrt()
    series = _series(t, *(Fraction((-1) ** n, factorial(2 * n + 3)) for n in range(8)))
    c = t.if_less(CANCELLING_SQUARED_ANGLE, series, (angle - angle.sin()) / (safe * angle))
    _, factor = _half(t)
    once = phi.cross(v)
    return v + once * (2 * factor * factor) + phi.cross(once) * c


def twist_of_translation(phi: Vector, p: Vector) -> Vector:
    """The inverse of `translation_of_twist`: v with V(phi) v = p.

    V^-1 = 1 - [phi]x / 2 + d [phi]x^2,  d = (1 - (t/2) cot(t/2)) / t^2, in the series with
    coefficients |B_2n| / (2n)! (Bernoulli numbers) near zero.
    """
    t = phi.dot(phi)
    safe = t.if_less(CANCELLING_SQUARED_ANGLE, t * 0 + 1, t)
    half = safe.sqrt() * Fraction(1, 2)
    series = _series(t, *_BERNOULLI)
    closed = (1 - half * half.cos() / half.sin()) / safe
    d = t.if_less(CANCELLING_SQUARED_ANGLE, series, closed)
    once = phi.cross(p)
    return p - once * Fraction(1, 2) + phi.cross(once) * d
