"""A first-order state of the user, z' = rate, that may stand in laws, forces and other rates."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.elements.element import ForceElement
from eomc.derive.elements.state import ElementState
from eomc.derive.fields.field import FieldKind, Number, number, of_kind
from eomc.derive.fields.scope import FORCE
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import AllLoads, Scene


@kind("state")
class FirstOrderState(ForceElement):
    """A first-order state z with z' = rate, named as the element: an activation, a temperature.

    It acts by the laws, forces and other rates that hold its name.
    """

    rate: Number = number("units of z/s", scope=FORCE)
    initial: Number = number("units of z", "value in the neutral state", default=0)
    units: str = of_kind(FieldKind("units of z, as text"), default="")

    def states(self) -> tuple[ElementState, ...]:
        """z"""
        return (ElementState("", self.units, self.initial),)

    def rates(self, scene: Scene) -> Sequence[Expression]:
        """z' = rate."""
        return [scene.scalar(self.rate)]

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """None of its own."""
