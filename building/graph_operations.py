"""The operations of difference equations on expressions, instead of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eomc.derive.dynamics.factor import factor
from eomc.derive.graph import Argument, Expression, Function, Graph, Guard, constant
from eomc.derive.graph.traverse import substitute
from eomc.derive.lagrange.orthogonal import OrthogonalFactor
from eomc.runtime.difference import NotEmittableError

_SMALLEST = 4503.6
"""Roundings by which a column must stand out of those before it: 5e-13 of its length in double
precision, as `Numeric` has a condition number of 1e12."""


class GraphOperations:
    """Arrays are of expressions of one graph, or of numbers.

    Parameters
    ----------
    graph : Graph
    functions : mapping of names to functions of the same graph
        What `call` knows.
    rounding : float
        Of the numbers that the expressions will be computed in; what is singular depends on it.

    Attributes
    ----------
    guards : list of Guard
        Where functions that were called fail.
    """

    def __init__(
        self, graph: Graph, functions: Mapping[str, Function], rounding: float = 2.0**-53
    ) -> None:
        self.graph, self.functions = graph, functions
        self.smallest = _SMALLEST * rounding
        self.guards: list[Guard] = []

    def less(self, a: Any, b: Any, then: Any, otherwise: Any) -> Any:
        """As of `Operations`."""
        return self._each(_less, a, b, then, otherwise)

    def bounded(self, x: Any, low: Any, high: Any) -> Any:
        """As of `Operations`."""
        return self._each(_bounded, x, low, high)

    def nearest(self, x: Any) -> Any:
        """As of `Operations`: floor(x) or one more; of two at the same distance the even one."""
        return self._each(_nearest, x)

    def elementary(self, function: str, x: Any) -> Any:
        """As of `Operations`."""
        return self._each(lambda entry: entry.unary(function), x)

    def angle(self, y: Any, x: Any) -> Any:
        """As of `Operations`."""
        return self._each(lambda one, other: one.binary("atan2", other), y, x)

    def require(self, x: Any, code: str, told: Callable[[], Exception]) -> None:
        """As of `Operations`, by a guard."""
        (node,) = self.nodes(x)
        self.guards.append(Guard(node, code))

    def solve(self, a: Any, b: Any, code: str, told: Callable[[Any], Exception]) -> Any:
        """As of `Operations`, by orthogonalization, which takes no pivots; singular is a matrix
        with a column that lies among those before it but for some 4500 roundings."""
        zero, rows = constant(self.graph, 0), self._rows(a)
        if any(all(entry.is_zero for entry in line) for line in (*rows, *zip(*rows, strict=True))):
            raise NotEmittableError(f"{code}: a matrix is singular in every configuration")
        orthogonal = OrthogonalFactor(rows, zero)
        self.guards += orthogonal.guards(code, self.smallest**2)
        return self._columnwise(orthogonal.solve, b)

    def solve_positive(self, a: Any, b: Any) -> Any:
        """As of `Operations`, by L^T D L; fails with ``not_positive`` at a pivot that is not."""
        rows = self._rows(a)
        lower = {
            (i, j): entry
            for i, row in enumerate(rows)
            for j, entry in enumerate(row[: i + 1])
            if i == j or not entry.is_zero
        }
        factored = factor(lower, len(rows))
        self.guards += [
            Guard(pivot.node, "not_positive") for pivot in factored.pivots if not pivot.is_constant
        ]
        return self._columnwise(factored.solve, b)

    def call(self, function: str, **values: Any) -> Any:
        """As of `Operations`; NotEmittableError for an argument that a controller does not have."""
        called = self.functions[function]
        replaced: dict[int, int] = {}
        for argument in called.inputs:
            if argument.name not in values:
                raise NotEmittableError(
                    f"function {function!r} takes {argument.name!r} ({argument.description}), "
                    "which a controller is not given"
                )
            replaced |= zip(argument.entries, self.nodes(values[argument.name]), strict=True)
        for guard in called.guards:
            (node,) = substitute(self.graph, [guard.node], replaced)
            self.guards.append(Guard(node, guard.code))
        found = [self._result(output, replaced) for output in called.outputs]
        return found[0] if len(found) == 1 else tuple(found)

    def nodes(self, values: Any) -> list[int]:
        """Of an array of expressions or numbers."""
        return [self._expression(value).node for value in np.ravel(values).tolist()]

    def _result(self, output: Argument, replaced: Mapping[int, int]) -> Any:
        nodes = substitute(self.graph, output.entries, replaced)
        return array([Expression(self.graph, node) for node in nodes]).reshape(output.shape)

    def _expression(self, value: Any) -> Expression:
        return value if isinstance(value, Expression) else constant(self.graph, value)

    def _rows(self, a: Any) -> list[list[Expression]]:
        return [[self._expression(entry) for entry in row] for row in np.asarray(a).tolist()]

    def _columnwise(
        self, solve: Callable[[Sequence[Expression]], Sequence[Expression]], b: Any
    ) -> Any:
        """x of each column of b, or of b itself."""
        given = np.asarray(b, dtype=object)
        columns = given.reshape(len(given), -1).T.tolist()
        found = [array(solve([self._expression(x) for x in column])) for column in columns]
        return np.stack(found, axis=1).reshape(given.shape)

    def _each(self, operation: Any, *arrays: Any) -> Any:
        """An operation on one entry of each; infinite bounds stay numbers."""
        rows = np.broadcast_arrays(*(np.asarray(a, dtype=object) for a in arrays))
        entries = [
            operation(self._expression(first), *rest)
            for first, *rest in zip(*(row.ravel().tolist() for row in rows), strict=True)
        ]
        return array(entries).reshape(rows[0].shape)


def array(expressions: Sequence[Expression]) -> Any:
    """In one dimension."""
    found = np.empty(len(expressions), dtype=object)
    found[:] = expressions
    return found


def _less(a: Expression, b: Any, then: Any, otherwise: Any) -> Expression:
    return a.if_less(b, then, otherwise)


def _bounded(x: Expression, low: Any, high: Any) -> Expression:
    for bound, op in ((low, "max"), (high, "min")):
        if isinstance(bound, Expression) or np.isfinite(bound):
            x = x.binary(op, bound)
    return x


def _nearest(x: Expression) -> Expression:
    below = x.unary("floor")
    over = x - below
    even = 2 * ((below + 1) / 2).unary("floor")
    return over.if_less(0.5, below, (-over).if_less(-0.5, below + 1, even))
