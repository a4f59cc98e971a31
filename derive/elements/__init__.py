"""Elements of a model as records: their fields, and what everybody asks of them.

A kind that acts is a file in `eomc.derive.forces`, any other one here; all are found by
themselves, see `eomc.derive.elements.kinds`.
"""

from eomc.derive.elements.element import Element, ForceElement, Mechanism, element_kinds
from eomc.derive.elements.state import ElementOutput, ElementState, ElementUnknown
from eomc.derive.language.registry import kind

__all__ = [
    "Element",
    "ElementOutput",
    "ElementState",
    "ElementUnknown",
    "ForceElement",
    "Mechanism",
    "element_kinds",
    "kind",
]
