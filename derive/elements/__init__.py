"""Elements of a model as records: their fields, and what everybody asks of them."""

from eomc.derive.elements.element import Element, ForceElement, Mechanism, element, element_kinds
from eomc.derive.elements.state import ElementOutput, ElementState

__all__ = [
    "Element",
    "ElementOutput",
    "ElementState",
    "ForceElement",
    "Mechanism",
    "element",
    "element_kinds",
]
