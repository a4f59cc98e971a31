"""Lines that pictures show of elements as they move, such as a cable on its pulleys."""

from __future__ import annotations

from eomc.derive.functions.registry import function, matrix
from eomc.derive.graph import Argument
from eomc.derive.system import System


@function(
    "element_lines",
    ("q",),
    "Points of the lines that pictures show of elements, one after the other.",
    sees_forces=True,
    needs=("element lines",),
)
def element_lines(system: System) -> list[Argument]:
    """As the elements say, in the order that the metadata tell."""
    found = [
        [*point]
        for element in system.model.elements()
        if element.drawn_lines()
        for line in element.lines(system.scene)
        for point in line
    ]
    return [matrix("points", found, 3, "points in the world", "m")]
