"""Force, moment and potential energy of a body in the field of a point mass.

Everything is in the axes of the body. With D from the attracting mass to the point C about which
the field is expanded, d = D/|D|, and rho from C to a mass element, to second order in |rho|/|D|

    V = -mu integral of [1/D - d.rho/D^2 + (3 (d.rho)^2 - rho.rho)/(2 D^3)] dm
      = -mu [m/D - d.h/D^2 + (3 d.S d - tr S)/(2 D^3)]

with mass m, first moment h and second moment S about C. The element is pulled by -dV/drho,

    F(rho) = -(mu/D^2) [d + (rho - 3 (d.rho) d)/D],

and what is left of -dV/dD acts at C, of third order (without it neither energy nor angular momentum
would be kept):

    t = (mu/D^4) [3 S d + (3 tr S/2 - 15 (d.S d)/2) d].

No two of these terms are nearly equal, so each is exact to rounding of itself. Reference: Hughes,
*Spacecraft Attitude Dynamics*, sec. 8.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from eomc.derive.geometry import Inertia, Symmetric, Vector
from eomc.derive.graph import Expression


@dataclass(frozen=True)
class Direction:
    """Direction of a point from the attracting mass: unit vector d away from it, and 1/|D|."""

    d: Vector
    inverse: Expression

    @staticmethod
    def of(position: Vector) -> Direction:
        """From the vector D, attracting mass to point."""
        inverse = 1 / position.norm()
        return Direction(position * inverse, inverse)


def trace(s: Symmetric) -> Expression:
    """tr S"""
    return s.xx + s.yy + s.zz


def potential(at: Direction, body: Inertia) -> Expression:
    """V over mu, of a body with moments about the point of expansion; linear in these moments."""
    d, inverse = at.d, at.inverse
    second = (3 * d.dot(body.second @ d) - trace(body.second)) * Fraction(1, 2)
    return -(inverse * (body.mass - inverse * (d.dot(body.first) - inverse * second)))


def pull(at: Direction, body: Inertia, offset: Vector | None) -> tuple[Vector, Vector]:
    """Force and moment about the body's origin, over mu: integrals of F(rho) and r x F(rho).

    `body` has its moments about the body's origin, which stands at `offset` from the point of
    expansion (None: in it).
    """
    d, inverse = at.d, at.inverse
    strength = -(inverse * inverse)
    h, s = body.first, body.second
    moved = h if offset is None else h + offset * body.mass
    force = (d * body.mass + _gradient(at, moved)) * strength
    # r x F: the field at the origin of the body, and the gradient over the body
    field = d if offset is None else d + _gradient(at, offset)
    moment = h.cross(field) * strength + (s @ d).cross(d) * (3 * inverse * inverse * inverse)
    return force, moment


def _gradient(at: Direction, rho: Vector) -> Vector:
    """(rho - 3 (d.rho) d)/D"""
    return (rho - at.d * (3 * at.d.dot(rho))) * at.inverse


def third_order(at: Direction, body: Inertia) -> Vector:
    """t over mu; `body` about the point of expansion."""
    d, s = at.d, body.second
    along = trace(s) * Fraction(3, 2) - d.dot(s @ d) * Fraction(15, 2)
    square = at.inverse * at.inverse
    return ((s @ d) * 3 + d * along) * (square * square)


def point_pull(mass: Expression, position: Vector) -> tuple[Vector, Expression]:
    """(force, V) over mu of a point mass at D: -m D/|D|^3 and -m/|D|, with nothing dropped."""
    at = Direction.of(position)
    return at.d * -(mass * at.inverse * at.inverse), -(mass * at.inverse)


def rod_pull(mass: Expression, position: Vector, half: Vector) -> tuple[Vector, Vector, Expression]:
    """(force, moment about the middle, V) over mu of a uniform slender rod, with nothing dropped.

    The rod reaches from D - c to D + c. With the distances d1, d2 of its ends and s = d1 + d2,

        V = -(mu m/a) artanh(2 a/s),  a = |c|,
        f = -2 mu m/(s^2 - 4 a^2) (p1/d1 + p2/d2),
        n = 8 mu m (D.c) (c x D)/((s^2 - 4 a^2) s d1 d2).

    Reference: Kellogg, *Foundations of Potential Theory*, ch. III, sec. 2.
    """
    ends = (position + half, position - half)
    first, second = (end.norm() for end in ends)
    total = first + second
    length = half.norm()
    slope = 2 * mass / (total * total - 4 * half.dot(half))
    force = (ends[0] * (1 / first) + ends[1] * (1 / second)) * -slope
    # d1^2 - d2^2 = 4 D.c, which would be lost in the difference of 1/d1 and 1/d2
    lever = 4 * slope * position.dot(half) / (total * first * second)
    moment = half.cross(position) * lever
    return force, moment, -(mass / length) * (2 * length / total).unary("atanh")
