"""What elements tell beside their forces, such as the tension of a cable."""

from __future__ import annotations

from eomc.derive.functions.registry import column, function
from eomc.derive.graph import Argument
from eomc.derive.system import System


@function(
    "element_outputs",
    ("q", "u"),
    "Outputs of elements, such as the tension of a cable.",
    sees_forces=True,
    needs=("element outputs",),
)
def element_outputs(system: System) -> list[Argument]:
    """As the elements say."""
    elements = [e for table in system.model.acting().values() for e in table.values()]
    values = [value for element in elements if element.tells()
              for value in element.outputs(system.scene)]  # fmt: skip
    units = {output.units for output in system.model.element_outputs().values()}
    rows = tuple(system.model.element_outputs())
    return [column("outputs", values, "outputs of elements", ", ".join(sorted(units)), rows)]
