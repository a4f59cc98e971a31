"""Friction by an expression of one's own: f = -F(v, N) v/|v|, with |v| the slip speed.

|v| is round below 1e-12 m/s, so that a law with F(0, N) = 0, such as mu N tanh(v/eps), is smooth at
rest; one with F(0, N) > 0 steps there as dry friction does.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.contacts.friction.friction import Friction, Sliding
from eomc.derive.fields.field import Number, number
from eomc.derive.fields.scope import PARAMETERS
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene

#: Slip speed [m/s], normal force [N], and the force before saturation by mu N.
OWN = PARAMETERS.with_own("friction", "v", "N", "x")
_STILL = 1e-12


@kind("law")
class FrictionLaw(Friction):
    """A force against the slip by its speed v [m/s] and the normal force N [N]."""

    proportional = False

    expression: Number = number("N", "F(v, N)", scope=OWN)

    def force(self, scene: Scene, at: Sliding, own: Sequence[Expression]) -> Vector:
        """-F v/|v|."""
        speed = (at.velocity.dot(at.velocity) + _STILL * _STILL).sqrt()
        size = scene.scalar(self.expression, {"v": speed, "N": at.pressing})
        return at.velocity * -(size / speed)
