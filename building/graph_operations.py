"""The operations of difference equations on expressions, instead of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eomc.derive.graph import Argument, Expression, Function, Graph, Guard, constant
from eomc.derive.graph.substitute import substitute
from eomc.runtime.difference import NotEmittableError


class OnGraph:
    """Arrays are of expressions of one graph, or of numbers.

    Parameters
    ----------
    graph : Graph
    functions : mapping of names to functions of the same graph
        What `call` knows.

    Attributes
    ----------
    guards : list of Guard
        Where functions that were called fail.
    """

    def __init__(self, graph: Graph, functions: Mapping[str, Function]) -> None:
        self.graph, self.functions = graph, functions
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
