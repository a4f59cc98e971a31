"""Case 1: order conditions and stability of every linearly implicit method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from eomc.codegen.integrators import Rosenbrock, rosenbrock_methods
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

_AT_INFINITY = {"linear_euler": 0.0, "ros34pw2": 0.0, "rodas4p": 0.0}


def _dense(rows: tuple[tuple[Fraction, ...], ...], diagonal: float) -> np.ndarray:
    matrix = diagonal * np.eye(len(rows))
    for i, row in enumerate(rows):
        matrix[i, : len(row)] += np.array(row, dtype=float)
    return matrix


def _residuals(method: Rosenbrock) -> float:
    """The largest residual of all conditions of the declared orders, in double precision."""
    a, gamma = _dense(method.a, 0.0), _dense(method.g, float(method.gamma))
    b, one, beta = np.array(method.b, dtype=float), np.ones(method.stages), a + gamma
    alpha, gammas = a @ one, gamma @ one
    conditions = [
        (1, [b.sum() - 1]),
        (2, [b @ beta @ one - 1 / 2]),
        (3, [b @ alpha**2 - 1 / 3, b @ beta @ beta @ one - 1 / 6]),
        (
            4,
            [
                b @ alpha**3 - 1 / 4,
                b @ (alpha * (a @ beta @ one)) - 1 / 8,
                b @ beta @ alpha**2 - 1 / 12,
                b @ beta @ beta @ beta @ one - 1 / 24,
            ],
        ),
    ]
    any_w = [
        (2, [b @ alpha - 1 / 2, b @ gammas]),
        (3, [b @ a @ alpha - 1 / 6, b @ a @ gammas, b @ gamma @ alpha, b @ gamma @ gammas]),
    ]
    found = [r for n, rest in conditions if n <= method.order for r in rest]
    found += [r for n, rest in any_w if n <= method.order_with_any_w for r in rest]
    return float(np.abs(found).max())


def _conditions() -> Iterator[CaseCheck]:
    for method in rosenbrock_methods():
        bound = 1e-13 if method.name.startswith("rodas") else 1e-14
        yield at_most(f"{method.name}: residual of its conditions", _residuals(method), bound)
        beta = _dense(method.a, 0.0) + _dense(method.g, float(method.gamma))
        b, one = np.array(method.b, dtype=float), np.ones(method.stages)
        if method.name in _AT_INFINITY:
            at_infinity = 1 - b @ np.linalg.solve(beta, one)
            yield agrees(
                f"{method.name}: R(infinity)", _AT_INFINITY[method.name], at_infinity, 1e-4
            )
        y = 1j * np.geomspace(1e-3, 1e4, 400)
        stages = np.linalg.solve(np.eye(method.stages) - y[:, None, None] * beta, one[:, None])
        growth = np.abs(1 + y * (stages[..., 0] @ b)).max() - 1
        yield at_most(f"{method.name}: max |R(iy)| - 1", growth, 1e-12)


def _one_digit() -> Iterator[CaseCheck]:
    method = next(m for m in rosenbrock_methods() if m.name == "ros34pw2")
    g = list(method.g)
    g[2] = (g[2][0] + Fraction(1, 10**6), *g[2][1:])
    try:
        replace(method, g=tuple(g))
        got = "accepted"
    except ValueError as error:
        got = str(error)
    yield holds("one digit of g31 changed", "refused", got, "needs sum b" in got)


def _case() -> Iterator[CaseCheck]:
    yield from _conditions()
    yield from _one_digit()


CASES = (
    Case(
        1,
        "Order conditions and stability of linearly implicit methods",
        "Hairer and Wanner II, sec. IV.7",
        "conditions evaluated in double precision beside those checked when a method is loaded",
        _case,
    ),
)
