r"""Creep forces of bodies that roll: by how much they slip over how fast they roll.

With the velocity V in which the point of contact moves over both bodies in the mean, e_1 along V
and e_2 = n x e_1 across, the slip v of the shape on the surface and the turning w of the shape
against it about n, there are creepages nu = v/|V| and phi = w/|V|, and of Kalker's linear theory

    F = -(f_11 nu_1 e_1 + (f_22 nu_2 + f_23 phi) e_2),    M = (f_23 nu_2 - f_33 phi) n

Under a load N_0 the coefficients are f_11 = a b G C_11, f_22 = a b G C_22, f_23 = (a b)^(3/2) G
C_23 and f_33 = (a b)^2 G C_33, with the half axes a, b of Hertz's ellipse; under N, as a b goes by
N^(2/3), they are as (N/N_0)^(2/3), (N/N_0)^(2/3), N/N_0 and (N/N_0)^(4/3). Beyond small creepages
F is cut down to the friction mu N there is, along the same line: with x = |F|/(mu N)

    |F| -> mu N (x - x^2/3 + x^3/27)    for x < 3,    mu N from there

by Vermeulen and Johnson, and with spin by Shen, Hedrick and Elkins, or mu N s(x) by a `saturation`
of one's own, such as tanh(x) or min(x, 1); M is cut down by the same share, so that f_23 gives no
power. |V| is
sqrt(V.V + rolling_speed^2), so that at rest the law is viscous and nothing is 0/0. References:
Kalker, *Three-Dimensional Elastic Bodies in Rolling Contact*, sec. 2.2; Shen, Hedrick and Elkins,
*A comparison of alternative creep force models for rail vehicle dynamic analysis*, 8th IAVSD
Symposium (1983); Iwnicki, *Handbook of Railway Vehicle Dynamics*, ch. 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import sympy

from eomc.derive.contacts.friction.friction import Friction, Sliding
from eomc.derive.contacts.friction.law import OWN
from eomc.derive.fields.field import Number, OptionalNumber, number
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero, scalar
from eomc.derive.scene.loads import Scene

_THIRD = Fraction(1, 3)

#: Of the load, below which coefficients leave their powers: no infinite slope where contact ends.
_TINY = 1e-12


@kind("creep")
class Creep(Friction):
    """Kalker's linear forces by creepages, cut down to mu N if there is a `limit` mu."""

    proportional = False
    dissipates = True

    along: Number = number("N", "f_11, along the rolling, under the load")
    load: Number = number("N", "N_0, under which the coefficients hold")
    across: OptionalNumber = number("N", "f_22, across, f_11 if left out", default=None)
    spin: Number = number("N m", "f_23, of the turning about the normal", default=0)
    spin_moment: Number = number("N m^2", "f_33", default=0)
    limit: OptionalNumber = number("", "coefficient mu of friction", default=None)
    rolling_speed: Number = number("m/s", "below which it is viscous", default=1e-3)
    saturation: OptionalNumber = number(
        "", "s(x), x - x^2/3 + x^3/27 to 1 if left out", scope=OWN, default=None
    )

    def force(self, scene: Scene, at: Sliding, own: Sequence[Expression]) -> Vector:
        """-(f_11 nu_1 e_1 + (f_22 nu_2 + f_23 phi) e_2), cut down."""
        total = self._linear(scene, at)
        return -(total * self._cut(scene, total, at.pressing))

    def moment(self, scene: Scene, at: Sliding) -> Expression:
        """f_23 nu_2 - f_33 phi, cut down likewise."""
        if is_zero(self.spin) and is_zero(self.spin_moment):
            return scene.tree.zero
        x = at.pressing / scene.scalar(self.load)
        speed, e = self._rolling(scene, at)
        by_slip = scene.scalar(self.spin) * x * at.normal.cross(e).dot(at.velocity)
        by_spin = scene.scalar(self.spin_moment) * x * (x + _TINY) ** _THIRD * at.spin()
        return (by_slip - by_spin) / speed * self._cut(scene, self._linear(scene, at), at.pressing)

    def _linear(self, scene: Scene, at: Sliding) -> Vector:
        """Of small creepages, along the slip."""
        x = at.pressing / scene.scalar(self.load)
        speed, e = self._rolling(scene, at)
        along = scene.scalar(self.along)
        across = along if self.across is None else scene.scalar(self.across)
        total = at.velocity * across + e * ((along - across) * e.dot(at.velocity))
        total = total * (x / (x + _TINY) ** _THIRD / speed)
        if is_zero(self.spin):
            return total
        return total + at.normal.cross(e) * (scene.scalar(self.spin) * x * at.spin() / speed)

    def _cut(self, scene: Scene, force: Vector, pressing: Expression) -> Expression:
        """s(x)/x: 1 - x/3 + x^2/27, or 1/x from x = 3."""
        if self.limit is None:
            return scene.tree.zero + 1
        least = scene.scalar(self.load) * _TINY
        most = scene.scalar(self.limit) * pressing + least
        x = (force.dot(force) + least * least).sqrt() / most
        if self.saturation is not None:
            return scene.scalar(self.saturation, {"x": x}) / x
        return x.if_less(3, 1 - x / 3 + x * x / 27, 1 / x)

    def _rolling(self, scene: Scene, at: Sliding) -> tuple[Expression, Vector]:
        """|V| and e_1, which is short at rest."""
        least, v = scene.scalar(self.rolling_speed), at.rolling()
        speed = (v.dot(v) + least * least).sqrt()
        return speed, v * (1 / speed)

    def check(self, values: Mapping[str, float]) -> None:
        """Coefficients that brake, a load."""
        for word in ("along", "across", "load", "rolling_speed", "limit"):
            if getattr(self, word) is not None:
                positive(getattr(self, word), word, values)
        not_negative(self.spin_moment, "spin_moment", values)
        if self.saturation is None:
            return
        if self.limit is None:
            raise ModelError("saturation is of forces up to mu N; give limit, too")
        for x in (0.01, 0.1, 1.0, 10.0):
            at = scalar(sympy.sympify(self.saturation).subs(sympy.Symbol("x"), x))
            not_negative(at, f"saturation at x = {x:g}", values)
