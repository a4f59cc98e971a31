"""A tube."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.elements.fields import Number, number
from eomc.derive.language.errors import ModelError
from eomc.derive.language.value import value_of
from eomc.derive.visuals.visual_shape import VisualShape, visual_shape


@visual_shape("tube")
class Tube(VisualShape):
    """A cylinder along z with a bore, with its middle in the origin."""

    tube: Number = number("m", "radius")
    inner: Number = number("m")
    length: Number = number("m")

    def check(self, values: Mapping[str, float]) -> None:
        """There is a wall."""
        super().check(values)
        if not value_of(self.inner, values) < value_of(self.tube, values):
            raise ModelError("inner is not less than the radius; give a tube with a wall")
