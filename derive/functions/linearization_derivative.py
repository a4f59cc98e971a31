"""Directional derivatives of the linearized equations: sensitivities of M, C, K.

One forward sweep over the outputs of `linearization` along a direction in state and parameters that
is itself an argument, so that one function serves every parameter and every shift of the operating
point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.linearization import linearization
from eomc.derive.functions.registry import KINDS, Kind
from eomc.derive.graph import Argument, Expression, Function, nodes, symbol, symbols
from eomc.derive.graph.columns import swept

NAME = "linearization_derivative"

_DIRECTIONS = (
    ("along_q", "tangent displacement of the coordinates", "rad or m"),
    ("along_u", "change of the generalized speeds", "rad/s or m/s"),
    ("along_a", "change of the accelerations", "rad/s^2 or m/s^2"),
)


class DirectionalKind(Kind):
    """A function of state and direction; the direction in parameters only if some are tunable."""

    def function(self, system: Formulation, more: Sequence[str] = ()) -> Function:
        """The function of one formulation."""
        inputs = list(self.arguments(system, more))
        for name, description, units in _DIRECTIONS:
            entries = nodes(symbols(system.graph, name, system.nu))
            inputs.append(
                Argument(name, (system.nu,), entries, description, units, system.speed_names)
            )
        if system.symbolic:
            entries = nodes(symbols(system.graph, "along_p", len(system.symbolic)))
            size = (len(system.symbolic),)
            inputs.append(
                Argument("along_p", size, entries, "change of the parameters", "", system.symbolic)
            )
        return Function(self.name, tuple(inputs), tuple(self.make(system)), self.description)


def _direction(system: Formulation) -> dict[int, int]:
    """Tangent node of every symbol that moves along the direction."""
    graph, n = system.graph, system.nu
    along_q = symbols(graph, "along_q", n)
    direction: dict[int, Expression] = {}
    for column, amount in zip(system.directions(), along_q, strict=True):
        for node, rate in column.items():
            term = Expression(graph, rate) * amount
            direction[node] = direction[node] + term if node in direction else term
    for array, name in ((system.u, "along_u"), (system.a, "along_a")):
        for entry, amount in zip(array, symbols(graph, name, n), strict=True):
            direction[entry.node] = amount
    names = system.symbolic
    for name, amount in zip(names, symbols(graph, "along_p", len(names)), strict=True):
        direction[symbol(graph, name).node] = amount
    return {node: amount.node for node, amount in direction.items()}


def linearization_derivative(system: Formulation) -> Sequence[Argument]:
    """(dM, dC, dK, dW, dW'), each (nu, nu)."""
    outputs = linearization(system)
    flat = [Expression(system.graph, node) for output in outputs for node in output.entries]
    (changes,) = swept(system.graph, flat, [_direction(system)])
    found, start = [], 0
    for output in outputs:
        entries = nodes(changes[start : start + len(output.entries)])
        start += len(output.entries)
        description = f"directional derivative: {output.description}"
        found.append(
            replace(output, name=f"d{output.name}", entries=entries, description=description)
        )
    return found


KINDS[NAME] = DirectionalKind(
    NAME,
    ("q", "u", "a"),
    "Derivative of the linearized equations along a direction in state and parameters.",
    linearization_derivative,
    True,
)
