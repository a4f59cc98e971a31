"""Outputs of elements beside their forces, such as the tension of a cable, and their derivatives by
the state and the inputs."""

from __future__ import annotations

from functools import partial

from eomc.derive.functions.registry import column, function, matrix_of
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, Expression
from eomc.derive.graph.columns import swept
from eomc.derive.system import System

output_function = partial(function, sees_forces=True, needs=("element outputs",))


@shared
def _told(system: System) -> list[Expression]:
    elements = [e for table in system.model.acting().values() for e in table.values()]
    return [
        value
        for element in elements
        if element.outputs()
        for value in element.output_values(system.scene)
    ]


@output_function(
    "element_outputs", ("q", "u"), "Outputs of elements, such as the tension of a cable."
)
def element_outputs(system: System) -> list[Argument]:
    """As the elements say."""
    units = {output.units for output in system.model.element_outputs().values()}
    rows = tuple(system.model.element_outputs())
    return [column("outputs", _told(system), "outputs of elements", ", ".join(sorted(units)), rows)]


@output_function(
    "element_output_derivatives",
    ("q", "u"),
    "Derivatives of what elements tell; columns by q are tangent directions.",
)
def element_output_derivatives(system: System) -> list[Argument]:
    """(y_q, y_u and, with states of elements, y_z and, with inputs, y_r)."""
    one, rows = (system.zero + 1).node, tuple(system.model.element_outputs())
    directions = {"q": system.directions()} | {
        name: [{x.node: one} for x in array]
        for name, array in (("u", system.u), ("z", system.z), ("r", system.r))
    }
    return [
        matrix_of(f"y_{name}", swept(system.graph, _told(system), along), rows, f"d y / d {name}")
        for name, along in directions.items()
        if along or name in ("q", "u")
    ]
