"""Numbers and expressions of a model as expressions of the graph."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Mapping, Sequence
from typing import cast

import sympy

from eomc.derive.fields.parameter import Parameter
from eomc.derive.geometry import MatrixRotation, Vector
from eomc.derive.graph import Expression, Graph, constant, symbol
from eomc.derive.graph.sympy_reader import from_sympy


class Scalars:
    """Reader of a model's scalars onto a graph.

    Parameters named in `symbolic` become symbols of the graph, all others their numbers. Names of
    coordinates, speeds, inputs and time are resolved by the mapping given with each expression.
    """

    def __init__(
        self, graph: Graph, parameters: Mapping[str, Parameter], symbolic: Collection[str] = ()
    ) -> None:
        self.graph = graph
        self._parameters: dict[str, Expression] = {}
        for name, parameter in parameters.items():
            if name in symbolic:
                self._parameters[name] = symbol(graph, name)
            else:
                self._parameters[name] = self(parameter.value)

    def __call__(
        self, value: object, variables: Mapping[str, Expression] | None = None
    ) -> Expression:
        """`value` (int, float or SymPy expression) as an expression of the graph."""
        if isinstance(value, (int, float)):
            return constant(self.graph, value)
        if not isinstance(value, sympy.Expr):
            raise TypeError(f"{value!r} is no scalar of a model")
        named = ChainMap(cast(dict[str, Expression], variables or {}), self._parameters)
        names = {leaf.name for leaf in value.free_symbols}
        known = names if names <= named.keys() else named  # an error names all that would be valid
        nodes = {sympy.Symbol(name): named[name].node for name in known}
        return Expression(self.graph, from_sympy(self.graph, value, nodes))

    def vector(self, values: Sequence[object]) -> Vector:
        """Three scalars as a vector."""
        x, y, z = map(self, values)
        return Vector(x, y, z)

    def rotation(self, rows: Sequence[Sequence[object]]) -> MatrixRotation:
        """A 3x3 matrix given by rows."""
        a, b, c = map(self.vector, rows)
        return MatrixRotation((a, b, c))
