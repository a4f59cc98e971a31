"""Mode shapes of uniform beams and rods by Ritz's method, and orthogonal polynomials by QR.

Of a beam (m = 2) or a rod (m = 1) that is held at s = 0 and s = 1 by so many conditions each, with
phi = rigid motion + sum of c_k I_k, where the m-th derivative of I_k is the Legendre polynomial
P_k(2 s - 1), stiffness is diagonal, and

    M c = mu K c,   M = integral of phi^2 ds + tip mass phi(1)^2 + hub phi'(0)^2,

gives the lowest modes as those of the largest mu, to rounding. No characteristic equation and no
exponential occurs. Reference: Meirovitch, *Fundamentals of Vibrations*, ch. 9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import sympy
from numpy.polynomial import Legendre
from scipy.linalg import eigh, null_space

from eomc.binding.arrays import Array

__all__ = ["shape_functions"]

Shape = Callable[[Array, int], Array]
"""The derivative of an order at places s."""

_TERMS, _PER_MODE = 22, 3
_S = sympy.Symbol("s")

# Conditions at (s = 0, s = 1): 0 free, 1 place held, 2 slope held too.
_BEAMS: Mapping[str, tuple[int, int]] = {
    "clamped-free": (2, 0),
    "tip-mass": (2, 0),
    "free-free": (0, 0),
    "pinned-pinned": (1, 1),
    "clamped-pinned": (2, 1),
    "clamped-clamped": (2, 2),
    "pinned-free": (1, 0),
    "hub": (1, 0),
}
_RODS: Mapping[str, tuple[int, int]] = {
    "fixed-free": (1, 0),
    "free-free": (0, 0),
    "fixed-fixed": (1, 1),
}
_POLYNOMIALS = " polynomials"


def shape_functions(form: Any, direction: str, count: int) -> list[Shape]:
    """The shapes of a direction ("y", "z", "axial", "torsion") that the form declares."""
    bends = direction in ("y", "z")
    table = {} if isinstance(form.shapes, str) else dict(form.shapes)
    family = table.get(direction)
    if family is None:
        family = form.shapes if isinstance(form.shapes, str) else "clamped-free"
        family = family if bends else _of_a_rod(family)
    if not isinstance(family, str):
        return [_given(shape) for shape in family[:count]]
    tip = float(form.tip_mass_ratio) if family == "tip-mass" else 0.0
    hub = float(getattr(form, "hub_inertia_ratio", 0.0)) if family == "hub" else 0.0
    plain = family.removesuffix(_POLYNOMIALS)
    ends = (_BEAMS if bends else _RODS)[plain]
    if plain != family:
        return _series(_polynomials(*ends, 2 if bends else 1, count))
    from_tip = plain in ("pinned-free", "hub")
    return _series(_modes(*ends, 2 if bends else 1, count, tip, hub, from_tip))


def _of_a_rod(family: str) -> str:
    """Stretch and twist as the ends of the beam hold them."""
    plain = family.removesuffix(_POLYNOMIALS)
    held = sum(end > 0 for end in _BEAMS[plain])
    return ("free-free", "fixed-free", "fixed-fixed")[held] + family[len(plain) :]


def _given(shape: Any) -> Shape:
    """A user's expression in s, differentiated by SymPy."""
    if hasattr(shape, "derivative"):
        return lambda s, order: np.asarray(shape.derivative(s, order), dtype=float)
    expression = sympy.sympify(shape)
    return lambda s, order: np.broadcast_to(
        np.asarray(_derivative(expression, order)(s), dtype=float), np.shape(s)
    )


@cache
def _derivative(expression: sympy.Expr, order: int) -> Any:
    return sympy.lambdify(_S, expression.diff(_S, order), "numpy")


def _series(found: Sequence[Legendre]) -> list[Shape]:
    def of(one: Legendre) -> Shape:
        return lambda s, order: np.asarray(one.deriv(order)(s), dtype=float)

    return [of(one) for one in found]


@cache
def _modes(
    root: int, tip: int, m: int, count: int, tip_mass: float, hub: float, from_tip: bool
) -> tuple[Legendre, ...]:
    """The lowest elastic modes of mean square 1, the lowest derivative at the root positive, or
    the value at the tip."""
    terms = _TERMS + _PER_MODE * count
    rigid = [Legendre([1.0], domain=[0, 1]), Legendre([0.5, 0.5], domain=[0, 1])][:m]
    bends = [Legendre.basis(k, domain=[0, 1]).integ(m, lbnd=0.0) for k in range(terms)]
    basis = [*rigid, *bends]

    def at(s: float, order: int) -> Array:
        return np.array([one.deriv(order)(s) for one in basis], dtype=float)

    held = [at(0.0, order) for order in range(root)] + [at(1.0, order) for order in range(tip)]
    nodes, weights = np.polynomial.legendre.leggauss(terms + 4)
    table = np.array([one((nodes + 1) / 2) for one in basis])
    square = (table * weights / 2) @ table.T
    mass = square + tip_mass * np.outer(at(1.0, 0), at(1.0, 0)) + hub * np.outer(*[at(0.0, 1)] * 2)
    columns = _elastic(np.array(held).reshape(-1, len(basis)), m, mass)
    stiffness = columns[m:].T @ np.diag(1 / (2 * np.arange(terms) + 1.0)) @ columns[m:]
    moving = columns.T @ mass @ columns
    _, vectors = eigh((moving + moving.T) / 2, stiffness)
    found = []
    for vector in (columns @ vectors[:, ::-1][:, :count]).T:
        vector = vector / np.sqrt(vector @ square @ vector)
        ends = [at(1.0, 0) @ vector] if from_tip else [at(0.0, k) @ vector for k in range(3)]
        first = next(value for value in ends if abs(value) > 1e-6)
        total = sum((c * one for c, one in zip(vector, basis, strict=True)), 0 * basis[-1])
        found.append(total * np.sign(first))
    return tuple(found)


def _elastic(held: Array, m: int, mass: Array) -> Array:
    """Columns that meet the conditions `held` and carry no momentum of motions as a whole."""
    whole, bent = held[:, :m], held[:, m:]
    back = np.linalg.pinv(whole) if held.size else np.zeros((m, 0))
    left = bent - whole @ (back @ bent)
    inner = null_space(left) if np.abs(left).max(initial=0.0) > 1e-9 else np.eye(bent.shape[1])
    columns = np.vstack([-back @ bent @ inner, inner])
    loose = null_space(whole) if held.size else np.eye(m)
    rigid = np.vstack([loose, np.zeros((len(inner), loose.shape[1]))])
    share = np.linalg.solve(rigid.T @ mass @ rigid, rigid.T @ mass @ columns)
    return np.asarray(columns - rigid @ share)


@cache
def _polynomials(root: int, tip: int, m: int, count: int) -> tuple[Legendre, ...]:
    """s^root (1 - s)^tip times polynomials of rising degree, orthogonal, of mean square 1; motions
    as a whole come first and are left out. Positive beside the tip."""
    rigid = max(0, m - root - tip)
    total = rigid + count
    degree = root + tip + total
    nodes, weights = np.polynomial.legendre.leggauss(degree + 1)
    s = (nodes + 1) / 2
    factor = s**root * (1 - s) ** tip
    powers = np.array([factor * Legendre.basis(n)(nodes) for n in range(total)]).T
    q, r = np.linalg.qr(np.sqrt(weights / 2)[:, None] * powers)
    q = q * np.sign(np.diag(r)) / np.sqrt(weights / 2)[:, None]
    fitted = [Legendre.fit(s, column, degree, domain=[0, 1]) for column in q.T[rigid:]]
    return tuple(fitted)
