"""Derivatives of a motion that solves a linear system, without differentiating the solution.

With residual R(x, a, lambda) = 0 at the solution, any derivative of it solves the same system:

    M da - A^T dlambda = -dR_1,      A da = -dR_2

where R_1 = M a + c - tau - A^T lambda, R_2 = A a - b, and dR is taken at fixed a and lambda.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from eomc.derive.graph import Expression, ForwardSweep, Graph, nodes
from eomc.derive.graph.substitute import substitute

Solve = Callable[
    [Sequence[Expression], Sequence[Expression]], tuple[list[Expression], list[Expression]]
]


def solution_derivatives(
    graph: Graph,
    residual: tuple[Sequence[Expression], Sequence[Expression]],
    solution: Mapping[int, int],
    solve: Solve,
    directions: Sequence[dict[int, int]],
) -> list[list[Expression]]:
    """Columns da along each direction.

    Parameters
    ----------
    residual : (R_1, R_2)
        Written with symbols for a and lambda.
    solution : map from those symbols to their solved nodes
    solve : (f, b) -> (a, lambda)
    directions : maps symbol -> tangent
    """
    first, second = residual
    sweep = ForwardSweep(graph, nodes([*first, *second]))
    columns = []
    for along in directions:
        changes = [-Expression(graph, node) for node in substitute(graph, sweep(along), solution)]
        columns.append(solve(changes[: len(first)], changes[len(first) :])[0])
    return columns
