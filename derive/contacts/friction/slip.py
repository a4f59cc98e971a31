"""The step of dry friction made smooth over a slip speed eps, with s = |v|/eps:

    root   f = -F v/sqrt(v.v + eps^2)        short of Coulomb's by at most F/(2 s^2)
    tanh   f = -F tanh(s)/s v/eps            by at most 2 F exp(-2 s)

Both are smooth everywhere and begin with the slope F/eps, so that nothing is held: under a force
along the surface a body creeps.
"""

from __future__ import annotations

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression

FORMS = ("root", "tanh")

_SMALL = 1e-3
_SERIES = (1, -1 / 3, 2 / 15, -17 / 315, 62 / 2835, -1382 / 155925)
"""tanh(s)/s by powers of s^2, to rounding where s^2 is small."""


def slipping(velocity: Vector, eps: Expression, form: str) -> Vector:
    """The vector that grows from zero to a unit vector along v."""
    square = velocity.dot(velocity)
    if form == "root":
        return velocity * (1 / (square + eps * eps).sqrt())
    x = square / (eps * eps)
    series = x * 0
    for coefficient in reversed(_SERIES):
        series = series * x + coefficient
    s = x.if_less(_SMALL, x * 0 + 1, x).sqrt()
    return velocity * (x.if_less(_SMALL, series, s.unary("tanh") / s) / eps)
