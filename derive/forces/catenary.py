"""A cable that hangs between two points under its own weight, at rest at every instant.

Its shape and its pulls on the ends are those of the elastic catenary, `eomc.derive.cables.hanging`.
It has weight but no inertia: for its own swinging lump it, `eomc.derive.model.lumped_cable`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.cables.hanging import Hanging, hanging
from eomc.derive.cables.station import positive
from eomc.derive.drawing.mark import LINE
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementOutput
from eomc.derive.fields.field import AtPoint, Number, number, point
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import AllLoads, BodyPoint, Scene

# Of the length: what keeps ends that stand over each other apart.
_APART = 1e-9


@kind("catenary", plural="catenaries")
class Catenary(ForceElement):
    """A cable that hangs between two points, with the weight `weight` per rest length along the
    gravity of the model, less its buoyancy if it hangs in a liquid.

    It bears no inertia and is never slack; where it would lie on a ground it sinks through.
    """

    drawn = LINE

    a: AtPoint = point("one end")
    b: AtPoint = point("other end")
    length: Number = number("m", "rest length")
    weight: Number = number("N/m", "weight per rest length")
    modulus: Number = number("Pa")
    area: Number = number("m^2", default=1)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """H toward each other, V and -W downward."""
        a, b, down, across, apart = self._ends(scene)
        found = self._found(scene, apart, down.dot(b.position - a.position))
        along = across * (found.horizontal / apart)
        to = loads.conservative
        to.add_force(a, along + down * found.vertical)
        to.add_force(b, -along - down * found.vertical_end)
        energy = found.energy(apart, down.dot(b.position - a.position))
        weight = found.weight * found.rest
        to.potential = to.potential + energy - weight * down.dot(b.position)

    def outputs(self) -> tuple[ElementOutput, ...]:
        """Tension at both ends and its horizontal part, the stretched length."""
        told = {"tension_a": "N", "tension_b": "N", "horizontal": "N", "stretched_length": "m"}
        return tuple(ElementOutput(name, units) for name, units in told.items())

    def output_values(self, scene: Scene) -> Sequence[Expression]:
        """As the loads have them."""
        a, b, down, _, apart = self._ends(scene)
        found = self._found(scene, apart, down.dot(b.position - a.position))
        return [found.tension, found.tension_end, found.horizontal, found.length]

    def _ends(self, scene: Scene) -> tuple[BodyPoint, BodyPoint, Vector, Vector, Expression]:
        """Both ends, the direction down, the horizontal vector from a to b and its length."""
        gravity = scene.tree.gravity
        size = gravity.norm()
        if size.is_zero:
            raise ModelError("hangs along the gravity of the model, which is zero")
        down = gravity * (1 / size)
        a, b = (scene.point(end.body, end.xyz) for end in (self.a, self.b))
        d = b.position - a.position
        across = d - down * down.dot(d)
        small = scene.scalar(self.length) * _APART
        return a, b, down, across, (across.dot(across) + small * small).sqrt()

    def _found(self, scene: Scene, apart: Expression, drop: Expression) -> Hanging:
        stiffness = scene.scalar(self.modulus) * scene.scalar(self.area)
        return hanging(apart, drop, scene.scalar(self.length), stiffness, scene.scalar(self.weight))

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Sizes above zero."""
        for word in ("length", "weight", "modulus", "area"):
            positive(getattr(self, word), word, values)
