"""Functions of elements that change sign where their forces have a kink, such as at touch-down."""

from __future__ import annotations

from eomc.derive.functions.registry import column, function
from eomc.derive.graph import Argument
from eomc.derive.system import System


@function(
    "element_switches",
    ("q", "u"),
    "Functions of elements that change sign where their forces have a kink.",
    sees_forces=True,
    needs=("element switches",),
)
def element_switches(system: System) -> list[Argument]:
    """As the elements say."""
    elements = [e for table in system.model.acting().values() for e in table.values()]
    values = [
        value
        for element in elements
        if element.switches()
        for value in element.switching(system.scene)
    ]
    rows = tuple(system.model.element_switches())
    return [column("switches", values, "zero where forces have a kink", "", rows)]
