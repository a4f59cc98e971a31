"""Dry friction of rigid contacts, which sticks:

    stick    v = 0,  |f| <= mu_s N
    slip     f = -mu(v) N v/|v|,    mu(v) = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^j)

With mu = mu_k at all speeds unless v_s is given. Nothing is made smooth: runs find where slip ends
and where stick does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.friction.friction import Friction, Sliding
from eomc.derive.fields.field import Number, OptionalNumber, choice, number
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import Scene


@kind("dry")
class Dry(Friction):
    """Friction of Coulomb; with `static` it breaks away, with `speed` it falls from there."""

    sticks = True
    dissipates = True

    kinetic: Number = number("", "kinetic coefficient mu_k")
    static: OptionalNumber = number("", "mu_s, mu_k if left out", default=None)
    speed: OptionalNumber = number("m/s", "v_s, at which the static share fades", default=None)
    power: str = choice("1", "2", default="2")

    def coefficients(self, scene: Scene, at: Sliding) -> tuple[Expression, Expression]:
        """(mu_s, mu(v))."""
        kinetic = scene.scalar(self.kinetic)
        static = kinetic if self.static is None else scene.scalar(self.static)
        if self.speed is None:
            return static, kinetic
        v_s = scene.scalar(self.speed)
        faded = at.velocity.dot(at.velocity) / (v_s * v_s)
        if self.power == "1":
            faded = faded.sqrt()
        return static, kinetic + (static - kinetic) * (-faded).unary("exp")

    def force(self, scene: Scene, at: Sliding, own: Sequence[Expression]) -> Vector:
        """None that is smooth."""
        return scene.tree.zero_vector()

    def check(self, values: Mapping[str, float]) -> None:
        """Friction that brakes, no less at rest than in slip."""
        not_negative(self.kinetic, "kinetic", values)
        if self.speed is not None:
            positive(self.speed, "speed", values)
            if self.static is None:
                raise ModelError("speed is that at which the static share fades; give static, too")
        if self.static is not None and value_of(self.static, values) < value_of(
            self.kinetic, values
        ):
            raise ModelError("static friction is below the kinetic one")
