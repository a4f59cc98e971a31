"""Kinetic energy of the turning cross-sections of a beam, to second order in the deformation.

A section has inertia diag(jx, jy, jz) per length in its own axes, which stand turned by the slope
b about z, then a about y, then by the twist t about x. Its angular velocity in its own axes is

    R^T w + t' e_x + Rx(t)^T (a' e_y + Ry(a)^T b' e_z),    R = Rz(b) Ry(a) Rx(t).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import sympy

ANGLES = sympy.symbols("_t _a _b")
"""Twist about x, turns about y and z."""

INERTIA = sympy.symbols("_jx _jy _jz")

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True)
class SectionDensity:
    """Polynomials in `ANGLES`, linear in `INERTIA`.

    inertia: xx, yy, zz, xy, xz, yz of the matrix of w; angular[k]: angular momentum of a unit rate
    of angle k; rates[k][l]: mass of the rates.
    """

    inertia: tuple[sympy.Expr, ...]
    angular: tuple[tuple[sympy.Expr, ...], ...]
    rates: tuple[tuple[sympy.Expr, ...], ...]


@lru_cache(maxsize=1)
def section_density() -> SectionDensity:
    """The coefficients of the energy, to second order in angles and rates together."""
    t, a, b = ANGLES
    # SymPy's rot_axis matrices turn the other way
    turn_x, turn_y, turn_z = sympy.rot_axis1(-t), sympy.rot_axis2(-a), sympy.rot_axis3(-b)
    carried = (turn_z * turn_y * turn_x).T
    own = sympy.Matrix.hstack(
        sympy.Matrix([1, 0, 0]),
        turn_x.T * sympy.Matrix([0, 1, 0]),
        turn_x.T * turn_y.T * sympy.Matrix([0, 0, 1]),
    )
    inertia = sympy.diag(*INERTIA)
    turning = (carried.T * inertia * carried).applyfunc(lambda e: _to_order(e, 2))
    angular = (carried.T * inertia * own).applyfunc(lambda e: _to_order(e, 1))
    rates = (own.T * inertia * own).applyfunc(lambda e: _to_order(e, 0))
    return SectionDensity(
        tuple(turning[i, j] for i, j in _PAIRS),
        tuple(tuple(angular[i, k] for i in range(3)) for k in range(3)),
        tuple(tuple(rates[k, m] for m in range(3)) for k in range(3)),
    )


def _to_order(expression: sympy.Expr, order: int) -> sympy.Expr:
    """Taylor polynomial in the angles."""
    size = sympy.Symbol("_size")
    scaled = expression.subs({angle: size * angle for angle in ANGLES}, simultaneous=True)
    total = sympy.Integer(0)
    for n in range(order + 1):
        total += sympy.diff(scaled, size, n).subs(size, 0) / sympy.factorial(n)
    return sympy.expand(total)
