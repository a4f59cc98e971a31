"""A spring, damper or actuator along the line between two points.

With the distance vector d = P_b - P_a, the unit vector e = d/|d|, the stretch x = |d| - free
length and its rate v = e . (v_b - v_a), the tension T = k x + d v (or law(x, v)) pulls a along e
and b against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.drawing.mark import COIL, DAMPER, Mark
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput
from eomc.derive.fields.field import AtPoint, Number, OptionalNumber, number, point
from eomc.derive.fields.scope import LAW
from eomc.derive.forces.stretch import check_law, tensions
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import AllLoads, BodyPoint, Scene


@kind("spring")
class PointSpring(ForceElement):
    """A spring, damper or actuator along the line between two points.

    The tension (positive pulls the points together) is stiffness*x + damping*v, or `law`, an
    expression in the stretch x = distance - free_length and its rate v, parameters, inputs,
    coordinates and time.
    """

    drawn = COIL

    a: AtPoint = point("one end")
    b: AtPoint = point("other end")
    stiffness: Number = number("N/m", default=0)
    damping: Number = number("N s/m", default=0)
    free_length: Number = number("m", "length without force", default=0)
    law: OptionalNumber = number("N", "tension instead, in x and v", scope=LAW, default=None)

    def mark(self) -> Mark:
        """One that only damps is a damper."""
        damps = is_zero(self.stiffness) and self.law is None
        return DAMPER if damps else COIL

    def check(self) -> None:
        """A law stands for all of it."""
        check_law(self.law, self.stiffness, self.damping)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Its ends move against each other."""
        if self.a.body == self.b.body:
            raise ModelError(
                f"both points are on body {self.a.body!r} and never move against each other; name "
                "two bodies"
            )

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """T e on a, -T e on b."""
        a, b = (scene.point(end.body, end.xyz) for end in (self.a, self.b))
        _, e, x, v = self._stretch(scene, a, b)
        elastic, other = tensions(scene, loads, x, v, self.law, self.stiffness, self.damping)
        for share, tension in ((loads.conservative, elastic), (loads.other, other)):
            if not tension.is_zero:
                share.add_force(a, e * tension)
                share.add_force(b, -(e * tension))

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """By its damping, unless that is given as negative."""
        return self.law is None and value_of(self.damping, values) >= 0

    def outputs(self) -> tuple[ElementOutput, ...]:
        """Tension and length."""
        return ElementOutput("tension", "N"), ElementOutput("length", "m")

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """As the loads have them."""
        a, b = (scene.point(end.body, end.xyz) for end in (self.a, self.b))
        length, _, x, v = self._stretch(scene, a, b)
        if self.law is not None:
            return [scene.scalar(self.law, {"x": x, "v": v}), length]
        return [scene.scalar(self.stiffness) * x + scene.scalar(self.damping) * v, length]

    def _stretch(
        self, scene: Scene, a: BodyPoint, b: BodyPoint
    ) -> tuple[Expression, Vector, Expression, Expression]:
        """Length, direction from a to b, stretch and its rate."""
        d = b.position - a.position
        length = d.norm().named(f"{self.name}.length")
        e = d * (1 / length)
        v = e.dot(b.velocity - a.velocity)
        return length, e, length - scene.scalar(self.free_length), v
