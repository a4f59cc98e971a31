"""Bristles between the surfaces (LuGre), per unit of normal force, in both directions:

    z' = v - s0 |v|/g(v) z,    g = mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^2)
    f = -N (s0 z + s1 z' + s2 v)

Below the static force they hold as springs do: nothing creeps. Reference: Canudas de Wit, Olsson,
Astrom and Lischinsky, IEEE Trans. Autom. Control 40 (1995) 419.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.friction.friction import Friction, Sliding
from eomc.derive.fields.field import Number, OptionalNumber, number
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import Scene

_STILL = 1e-12
"""Speed [m/s] below which |v| is round, so that its derivative at rest is no 0/0."""


@kind("bristles")
class Bristles(Friction):
    """LuGre friction, with the deflections of the bristles along the directions of the surface as
    states `<name>_deflection_1`, `_2`, and by sites."""

    states = (("deflection_1", "m"), ("deflection_2", "m"))

    stiffness: Number = number("1/m", "stiffness s0 per normal force")
    kinetic: Number = number("", "mu_k")
    static: OptionalNumber = number("", "mu_s, mu_k if left out", default=None)
    stribeck_speed: Number = number("m/s", "v_s", default=1e-3)
    damping: Number = number("s/m", "s1 per normal force", default=0)
    viscous: Number = number("s/m", "s2 per normal force", default=0)

    def rates(self, scene: Scene, at: Sliding, own: Sequence[Expression]) -> Sequence[Expression]:
        """z' = v - s0 |v|/g(v) z."""
        square = at.velocity.dot(at.velocity)
        limit = kinetic = scene.scalar(self.kinetic)
        if self.static is not None:
            v_s = scene.scalar(self.stribeck_speed)
            fading = (-(square / (v_s * v_s))).unary("exp")
            limit = kinetic + (scene.scalar(self.static) - kinetic) * fading
        wear = scene.scalar(self.stiffness) * (square + _STILL * _STILL).sqrt() / limit
        return [at.share(k) - wear * z for k, z in enumerate(own)]

    def force(self, scene: Scene, at: Sliding, own: Sequence[Expression]) -> Vector:
        """-N (s0 z + s1 z' + s2 v)."""
        assert at.tangents is not None
        total = scene.tree.zero_vector()
        for k, rate in enumerate(self.rates(scene, at, own)):
            share = scene.scalar(self.stiffness) * own[k] + scene.scalar(self.damping) * rate
            share = share + scene.scalar(self.viscous) * at.share(k)
            total = total - at.tangents[k] * (share * at.pressing)
        return total

    def check(self, values: Mapping[str, float]) -> None:
        """Positive stiffness and friction, no less at breakaway than in slip."""
        for word in ("stiffness", "kinetic", "stribeck_speed"):
            positive(getattr(self, word), word, values)
        for word in ("damping", "viscous"):
            not_negative(getattr(self, word), word, values)
        if self.static is not None and value_of(self.static, values) < value_of(
            self.kinetic, values
        ):
            raise ModelError("static friction is below the kinetic one")
