"""A quantity that a model tells: an expression, among the outputs of elements."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.elements.element import ForceElement
from eomc.derive.elements.state import ElementOutput
from eomc.derive.fields.field import Number, number
from eomc.derive.fields.scope import FORCE
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import AllLoads, Scene


@kind("output")
class MeasuredOutput(ForceElement):
    """An expression that the model tells, as `<name>.value`; it acts on nothing."""

    expression: Number = number("", "in the user's units", scope=FORCE)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """None."""

    def outputs(self) -> tuple[ElementOutput, ...]:
        """The value."""
        return (ElementOutput("value", ""),)

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """The expression."""
        return [scene.scalar(self.expression)]
