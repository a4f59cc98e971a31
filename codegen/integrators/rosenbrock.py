"""Linearly implicit Runge-Kutta (Rosenbrock) methods as data.

A method advances y' = f(t, y), with J = df/dy and f_t = df/dt at the start of the step, by

    (1 - h gamma J) k_i = f(t + alpha_i h, y + h sum_{j<i} a_ij k_j)
                          + h J sum_{j<i} g_ij k_j + h gamma_i f_t

    y+ = y + h sum_i b_i k_i,   alpha_i = sum_j a_ij,   gamma_i = gamma + sum_j g_ij

One factorization serves all stages, so the work of a step is fixed. With Gamma = g + gamma 1 and
u = h Gamma k, no stage multiplies by J:

    (1/(h gamma) - J) u_i = f(t + alpha_i h, y + sum_j A_ij u_j) + sum_j C_ij/h u_j + h gamma_i f_t

    y+ = y + sum_i m_i u_i,   A = a Gamma^-1,   C = 1/gamma - Gamma^-1,   m = b Gamma^-1

A new method is one registered `Rosenbrock` in a file of its own; the loop that runs it stands once,
in ``templates/rosenbrock.c``.

Reference: Hairer and Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., sec. IV.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

F = Fraction
Row = tuple[Fraction, ...]
Rows = tuple[Row, ...]

_NONE = F(0)
_ROUNDING = F(1, 10**13)
"""Of published coefficients, which are decimals."""


@dataclass(frozen=True)
class Rosenbrock:
    """Coefficients of one method.

    name : a C identifier; "ros2" becomes the function ``<model>_ros2``
    order : of the result, at most 4; the order conditions are checked
    gamma : the diagonal of Gamma
    a, g : strictly lower triangular rows, the first ones empty
    b : weights of the result
    embedded : weights of the embedded solution, of order one less, for error control; empty
        without one
    order_with_any_w : order that is left if J is any other matrix, at most 3; its conditions are
        checked
    title : for comments and the manifest

    Raises ValueError, which names the method and the condition that fails.
    """

    name: str
    order: int
    gamma: Fraction
    a: Rows
    g: Rows
    b: Row
    embedded: Row = ()
    order_with_any_w: int = 1
    title: str = ""

    def __post_init__(self) -> None:
        """Refuse coefficients that are no method of the order."""
        for problem in _faults(self):
            raise ValueError(f"integrator {self.name!r}: {problem}")

    @property
    def stages(self) -> int:
        """Number of stages, s."""
        return len(self.b)

    @property
    def alpha(self) -> Row:
        """Times of the stages as fractions of the step."""
        return tuple(sum(row, F(0)) for row in self.a)

    @property
    def gammas(self) -> Row:
        """Factors of f_t as fractions of the step: the row sums of Gamma."""
        return tuple(self.gamma + sum(row, F(0)) for row in self.g)

    @property
    def is_adaptive(self) -> bool:
        """True if steps can be chosen by an error estimate."""
        return bool(self.embedded)

    @cached_property
    def inverse(self) -> Rows:
        """Gamma^-1, lower triangular rows with the diagonal."""
        return _inverted(self.gamma, self.g)

    @property
    def stage_weights(self) -> Rows:
        """A, strictly lower triangular."""
        return tuple(_times(row, self.inverse)[: len(row)] for row in self.a)

    @property
    def couplings(self) -> Rows:
        """C, strictly lower triangular."""
        return tuple(tuple(-x for x in row[:-1]) for row in self.inverse)

    @property
    def weights(self) -> Row:
        """m"""
        return _times(self.b, self.inverse)

    @property
    def error(self) -> Row:
        """Weights of the error estimate: m less that of the embedded solution."""
        return _times(
            tuple(x - y for x, y in zip(self.b, self.embedded, strict=True)), self.inverse
        )

    @property
    def at_infinity(self) -> float:
        """R(infinity) of the stability function: 1 - b (a + Gamma)^-1 1."""
        beta = tuple(
            tuple(x + y for x, y in zip(*rows, strict=True))
            for rows in zip(self.a, self.g, strict=True)
        )
        return float(1 - sum(_times(self.b, _inverted(self.gamma, beta)), F(0)))


def decimals(text: str) -> Row:
    """The numbers of a row as they are published.

    >>> decimals("0.5 -1.25")
    (Fraction(1, 2), Fraction(-5, 4))
    """
    return tuple(F(number) for number in text.split())


def transformed(
    gamma: Fraction, stage_weights: Rows, couplings: Rows, weights: Row
) -> tuple[Rows, Rows, Row]:
    """(a, g, b) of a method that is published as (A, C, m)."""
    inverse = _inverted(1 / gamma, tuple(tuple(-c for c in row) for row in couplings))
    a = tuple(_times(row, inverse)[: len(row)] for row in stage_weights)
    return a, tuple(row[:-1] for row in inverse), _times(weights, inverse)


def _inverted(diagonal: Fraction, below: Rows) -> Rows:
    """The inverse of a lower triangular matrix with equal entries on the diagonal."""
    rows: list[Row] = []
    for i, row in enumerate(below):
        known = [
            -sum((row[k] * rows[k][j] for k in range(j, i)), F(0)) / diagonal for j in range(i)
        ]
        rows.append((*known, 1 / diagonal))
    return tuple(rows)


def _times(row: Sequence[Fraction], lower: Rows) -> Row:
    """A row, zero beyond its end, times a lower triangular matrix."""
    size = len(row)
    return tuple(
        sum((row[i] * lower[i][j] for i in range(j, size)), F(0)) for j in range(len(lower))
    )


# -- order conditions ------------------------------------------------------------------------------


def _faults(method: Rosenbrock) -> Iterator[str]:
    """Sentences: why the coefficients are no method of the declared orders."""
    lengths = list(range(method.stages))
    if not method.name.isidentifier():
        yield f"{method.name!r} is no identifier of C"
    for name, rows in (("a", method.a), ("g", method.g)):
        if [len(row) for row in rows] != lengths:
            yield f"{name} needs {method.stages} rows of 0, 1, ... coefficients, one for each of b"
            return
    if not 1 <= method.order <= 4 or not 1 <= method.order_with_any_w <= min(method.order, 3):
        yield "order is 1 to 4, and order_with_any_w 1 to 3 and not beyond it"
        return
    if method.gamma <= 0:
        yield f"gamma is {method.gamma}; it must be positive"
        return
    checked = [(method.b, "b", method.order, method.order_with_any_w)]
    if method.embedded:
        checked.append((method.embedded, "embedded", max(method.order - 1, 1), 1))
    for weights, which, order, w_order in checked:
        if len(weights) != method.stages:
            yield f"{which} needs {method.stages} weights"
            return
        for n, w_only, what, values, target in _conditions(method):
            found = sum((w * value for w, value in zip(weights, values, strict=True)), F(0))
            if n <= (w_order if w_only else order) and abs(found - target) > _ROUNDING:
                reason = f"order {n}" + (" with any matrix" if w_only else "")
                yield f"{reason} needs sum {which} {what} = {target}, which is {float(found)!r}"


def _conditions(method: Rosenbrock) -> Iterator[tuple[int, bool, str, Row, Fraction]]:
    """(order, whether for any W alone, terms in words, values that b weights, their sum)."""

    def inner(rows: Rows, values: Row, diagonal: Fraction = _NONE) -> Row:
        return tuple(
            diagonal * values[i] + sum((x * values[j] for j, x in enumerate(row)), F(0))
            for i, row in enumerate(rows)
        )

    def both(values: Row) -> Row:
        pairs = zip(inner(method.a, values), inner(method.g, values, method.gamma), strict=True)
        return tuple(x + y for x, y in pairs)

    one = tuple(F(1) for _ in method.b)
    alpha, gammas, beta = method.alpha, method.gammas, both(one)
    square = tuple(x * x for x in alpha)
    by_beta = inner(method.a, beta)
    yield 1, False, "1", one, F(1)
    yield 2, False, "beta", beta, F(1, 2)
    yield 3, False, "alpha^2", square, F(1, 3)
    yield 3, False, "beta beta", both(beta), F(1, 6)
    yield 4, False, "alpha^3", tuple(x**3 for x in alpha), F(1, 4)
    product = tuple(x * y for x, y in zip(alpha, by_beta, strict=True))
    yield 4, False, "alpha a beta", product, F(1, 8)
    yield 4, False, "beta alpha^2", both(square), F(1, 12)
    yield 4, False, "beta beta beta", both(both(beta)), F(1, 24)
    yield 2, True, "alpha", alpha, F(1, 2)
    yield 2, True, "gamma", gammas, F(0)
    yield 3, True, "a alpha", inner(method.a, alpha), F(1, 6)
    yield 3, True, "a gamma", inner(method.a, gammas), F(0)
    yield 3, True, "gamma alpha", inner(method.g, alpha, method.gamma), F(0)
    yield 3, True, "gamma gamma", inner(method.g, gammas, method.gamma), F(0)
