"""One derivation on a graph of its own: the arrays of the functions, the reader of expressions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import sympy as sp

from eomc.derive.graph import (
    Expression,
    ForwardSweep,
    GraphError,
    constant,
    nodes,
    reachable,
    symbol,
    symbols,
)
from eomc.derive.graph.rotations import rotations
from eomc.derive.graph.sharing import SharingGraph
from eomc.derive.graph.sharing_reader import SharingReader
from eomc.derive.graph.traverse import substitute
from eomc.derive.lagrange.variables import TIME, Variables
from eomc.derive.language.errors import ModelError


class Derivation:
    """Coordinates q, speeds u, accelerations a, forces tau, inputs r and time as expressions.

    Constants named in `symbolic` stay symbols of the graph, the others are their numbers.
    """

    def __init__(self, name: str, variables: Variables, symbolic: Collection[str]) -> None:
        self.name = name
        self.variables = variables
        self.symbolic = tuple(c.name for c in variables.constants if c.name in symbolic)
        self.graph = SharingGraph()
        self.graph.author = ""
        self.zero = constant(self.graph, 0)
        self.one = constant(self.graph, 1)
        nq, nu = len(variables.coordinates), len(variables.speeds)
        self.q = self.configuration = symbols(self.graph, "q", nq)
        self.u = symbols(self.graph, "u", nu)
        self.a = symbols(self.graph, "a", nu)
        self.tau = symbols(self.graph, "tau", nu)
        self.r = symbols(self.graph, "r", len(variables.inputs))
        self.time = symbol(self.graph, TIME)
        ns = len(variables.prescribed)
        self.s = symbols(self.graph, "s", ns)
        self.s_rate = symbols(self.graph, "s_rate", ns)
        self.s_acceleration = symbols(self.graph, "s_acceleration", ns)
        self.nq, self.nu = nq, nu
        self.coordinate_names, self.speed_names = variables.coordinate_names, variables.speed_names
        self.input_names = variables.input_names
        self.prescribed_names = variables.prescribed_names
        self.driven_names: tuple[str, ...] = ()
        self.elastic_names: tuple[str, ...] = ()
        self.element_state_names: tuple[str, ...] = ()
        self.z: list[Expression] = []
        self.element_state_rates: list[Expression] = []
        self.neutral = [0.0] * nq
        self.leaves: dict[sp.Basic, int] = self._leaves()
        self._reader = SharingReader(self.graph, self.leaves)

    def _leaves(self) -> dict[sp.Basic, int]:
        v = self.variables
        leaves: dict[sp.Basic, int] = {v.time: self.time.node}
        arrays = (
            *((self.q, v.coordinates), (self.u, v.speeds), (self.r, v.inputs)),
            *((self.s, v.prescribed), (self.s_rate, v.prescribed_rates)),
            (self.s_acceleration, v.prescribed_accelerations),
        )
        for array, meaning in arrays:
            leaves.update(zip(meaning, nodes(array), strict=True))
        for parameter in v.constants:
            if parameter.name in self.symbolic:
                leaves[parameter.symbol] = self.graph.symbol(parameter.name)
            elif parameter.value is not None:
                leaves[parameter.symbol] = self.graph.constant(parameter.value)
            else:
                raise ModelError(
                    f"parameter {parameter.name!r} of {self.name!r} has no value; give it one in "
                    "parameters={...}"
                )
        return leaves

    def read(self, expr: Any, what: str) -> Expression:
        """`expr` on the graph; an error says that it stands in `what`."""
        try:
            return Expression(self.graph, self._reader(expr))
        except GraphError as error:
            raise ModelError(f"{self.name!r}, {what}: {error}") from None

    def names_of(self, expressions: Iterable[Expression], array: Sequence[Expression]) -> list[int]:
        """Indices of the entries of `array` that `expressions` depend on."""
        reached = set(reachable(self.graph, [expression.node for expression in expressions]))
        return [i for i, entry in enumerate(array) if entry.node in reached]

    def sweep(self, outputs: Sequence[Expression], direction: dict[int, int]) -> list[Expression]:
        """Directional derivatives of `outputs`."""
        found = ForwardSweep(self.graph, nodes(outputs), rotations)(direction)
        return [Expression(self.graph, node) for node in found]

    def jacobian(
        self, outputs: Sequence[Expression], by: Sequence[Expression]
    ) -> list[list[Expression]]:
        """Columns of derivatives: entry [j][i] = d outputs[i] / d by[j]."""
        return [self.sweep(outputs, {entry.node: self.one.node}) for entry in by]

    @property
    def values(self) -> dict[str, float]:
        """Numbers of the symbolic constants that have one."""
        return {
            c.name: c.value
            for c in self.variables.constants
            if c.name in self.symbolic and c.value is not None
        }

    def at_zero(
        self, outputs: Sequence[Expression], array: Sequence[Expression]
    ) -> list[Expression]:
        """`outputs` with the entries of `array` set to zero."""
        rest = {entry.node: self.zero.node for entry in array}
        found = substitute(self.graph, list(nodes(outputs)), rest)
        return [Expression(self.graph, node) for node in found]
