"""Directional derivatives of the linearized equations: sensitivities of M, C, K.

One forward sweep over the outputs of `linearization` along a direction in state and parameters that
is itself an argument, so that one function serves every parameter and every shift of the operating
point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.derive.functions import directions
from eomc.derive.functions.directions import directed
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.linearization import linearization
from eomc.derive.graph import Argument, Expression, nodes
from eomc.derive.graph.columns import swept

_ALONG = ("q", "u", "a", "p")


@directed(
    ("q", "u", "a"),
    "Derivative of the linearized equations along a direction in state and parameters.",
    lambda system: directions.along(system, _ALONG),
    needs=("forces free of multipliers",),
)
def linearization_derivative(system: Formulation) -> Sequence[Argument]:
    """(dM, dC, dK, dW, dW'), each (nu, nu)."""
    outputs = linearization(system)
    flat = [Expression(system.graph, node) for output in outputs for node in output.entries]
    (changes,) = swept(system.graph, flat, [directions.direction(system, _ALONG)])
    found, start = [], 0
    for output in outputs:
        entries = nodes(changes[start : start + len(output.entries)])
        start += len(output.entries)
        description = f"directional derivative: {output.description}"
        found.append(
            replace(output, name=f"d{output.name}", entries=entries, description=description)
        )
    return found
