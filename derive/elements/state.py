"""States of elements: z with z' = f(q, u, z, t, r, p), beside the coordinates and speeds."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar

__all__ = ["ElementOutput", "ElementState", "Strained"]


@dataclass(frozen=True)
class ElementState:
    """One first-order state of an element: its name within the element, empty if it bears the
    element's own, its units, and its value in the neutral state, in parameters alone."""

    name: str
    units: str = ""
    initial: Scalar = 0

    def of(self, element: str) -> str:
        """Its name in the model and in expressions.

        >>> ElementState("effort").of("motor")
        'motor_effort'
        """
        return f"{element}_{self.name}" if self.name else element


@dataclass(frozen=True)
class ElementOutput:
    """What an element tells beside its forces, such as a tension: its name within the element, its
    units, and if the element is slack where this is not above zero."""

    name: str
    units: str = ""
    slack_without: bool = False


@dataclass(frozen=True, eq=False)
class Strained:
    """An element that stretches: its strain, the length and the rest length that make it, and by
    how much a unit of strain raises what works on each, the virtual work being
    -on_length dL + on_rest dL0."""

    strain: Expression
    length: Expression
    rest: Expression
    on_length: Expression
    on_rest: Expression
