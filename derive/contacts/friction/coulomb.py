"""Dry friction of Coulomb, smooth over a slip speed: the same in all directions, or by

    f = -N A v/sqrt(v.A v + eps^2 tr A/2),    A = diag(mu_1^2, mu_2^2)

along the directions of the surface, which takes the most power of all forces in the ellipse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.friction.friction import Friction, Sliding
from eomc.derive.contacts.friction.slip import FORMS, slipping
from eomc.derive.fields.field import Number, OptionalNumber, choice, number
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene

_NOTHING = 1e-30
"""(m/s)^2, far below the rounding of what it is added to; coefficients tuned to zero are no 0/0."""


@kind("coulomb")
class Coulomb(Friction):
    """mu N against the slip; `across` is mu along the second direction of the surface."""

    dissipates = True

    coefficient: Number = number("", "coefficient mu")
    across: OptionalNumber = number("", "mu along the second direction", default=None)
    slip_speed: Number = number("m/s", "eps", default=1e-3)
    regularization: str = choice(*FORMS, default="root")

    def needs_directions(self) -> bool:
        """True with two coefficients."""
        return self.across is not None

    def force(self, scene: Scene, at: Sliding, own: Sequence[Expression]) -> Vector:
        """-mu N v/sqrt(v.v + eps^2)."""
        mu, eps = scene.scalar(self.coefficient), scene.scalar(self.slip_speed)
        if self.across is None:
            return slipping(at.velocity, eps, self.regularization) * -(mu * at.pressing)
        assert at.tangents is not None
        a = [mu * mu, (other := scene.scalar(self.across)) * other]
        v = [at.share(0), at.share(1)]
        square = a[0] * v[0] * v[0] + a[1] * v[1] * v[1] + eps * eps * (a[0] + a[1]) / 2 + _NOTHING
        factor = -(at.pressing / square.sqrt())
        return at.tangents[0] * (a[0] * v[0] * factor) + at.tangents[1] * (a[1] * v[1] * factor)

    def check(self, values: Mapping[str, float]) -> None:
        """Friction that brakes."""
        not_negative(self.coefficient, "coefficient", values)
        positive(self.slip_speed, "slip_speed", values)
        if self.across is None:
            return
        positive(self.coefficient, "coefficient", values)
        positive(self.across, "mu across", values)
        if self.regularization != FORMS[0]:
            raise ModelError(f"across goes with the regularization {FORMS[0]!r} only")
