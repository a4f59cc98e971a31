"""Variables of elements beside coordinates and speeds, states z with z' = f(q, u, z, t, r, p) and
unknowns w with g(q, u, z, w, t, r, p) = 0, and their outputs."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar

__all__ = ["ElementOutput", "ElementState", "ElementUnknown", "Strained"]


@dataclass(frozen=True)
class ElementState:
    """One first-order state of an element: its name within the element, empty if it bears the
    element's own, its units, its value in the neutral state and the size that it never exceeds
    once it is below, if there is one, both in parameters alone."""

    name: str
    units: str = ""
    initial: Scalar = 0
    within: Scalar | None = None

    def of(self, element: str) -> str:
        """Its name in the model and in expressions.

        >>> ElementState("effort").of("motor")
        'motor_effort'
        """
        return f"{element}_{self.name}" if self.name else element


@dataclass(frozen=True)
class ElementUnknown:
    """One variable w of an element without inertia and rate, which an equation g(q, u, w) = 0 of
    the element finds: its name within the element, empty if it bears the element's own, its units,
    where Newton's method begins, the size against which its last step is judged, and between what
    its steps are kept."""

    name: str
    units: str = ""
    guess: Scalar = 0
    scale: Scalar = 1
    lower: Scalar | None = None
    upper: Scalar | None = None

    def of(self, element: str) -> str:
        """Its name in the model and in expressions."""
        return f"{element}_{self.name}" if self.name else element


@dataclass(frozen=True)
class ElementOutput:
    """One output of an element beside its forces, such as a tension: its name within the element,
    its units, and if the element is slack where this is not above zero."""

    name: str
    units: str = ""
    unilateral_outputs: bool = False


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
