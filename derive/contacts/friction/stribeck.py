"""Friction that falls from static to kinetic with the slip (Stribeck):

mu(v) = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^j)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.friction.friction import Friction, Sliding
from eomc.derive.contacts.friction.slip import FORMS, slipping
from eomc.derive.fields.field import Number, choice, number
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import Scene


@kind("stribeck")
class Stribeck(Friction):
    """mu(v) N against the slip, and a viscous share of N; `power` is the j of the fading."""

    dissipates = True

    kinetic: Number = number("", "kinetic coefficient mu_k")
    static: Number = number("", "static coefficient mu_s")
    speed: Number = number("m/s", "v_s, at which the static share fades")
    power: str = choice("1", "2", default="2")
    viscous: Number = number("s/m", "of N", default=0)
    slip_speed: Number = number("m/s", "eps", default=1e-3)
    regularization: str = choice(*FORMS, default="root")

    def force(self, scene: Scene, at: Sliding, own: Sequence[Expression]) -> Vector:
        """-(mu(v) slip + c v) N."""
        kinetic, eps = scene.scalar(self.kinetic), scene.scalar(self.slip_speed)
        square, v_s = at.velocity.dot(at.velocity), scene.scalar(self.speed)
        faded = square / (v_s * v_s)
        if self.power == "1":
            # |v| made smooth as the step of friction is, and zero at rest.
            faded = ((square + eps * eps).sqrt() - eps) / v_s
        mu = kinetic + (scene.scalar(self.static) - kinetic) * (-faded).unary("exp")
        dry = slipping(at.velocity, eps, self.regularization) * mu
        return (dry + at.velocity * scene.scalar(self.viscous)) * -at.pressing

    def check(self, values: Mapping[str, float]) -> None:
        """Friction that brakes, no less at rest than in slip."""
        for word, told in (("kinetic", "mu_k"), ("viscous", "viscous")):
            not_negative(getattr(self, word), told, values)
        for word in ("speed", "slip_speed"):
            positive(getattr(self, word), word, values)
        if value_of(self.static, values) < value_of(self.kinetic, values):
            raise ModelError("static friction is below the kinetic one")
