"""Gaps at which elements close rigidly, where bodies collide, rest and rub."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression


@dataclass(frozen=True, eq=False)
class Closing:
    """A gap that cannot become negative.

    Attributes
    ----------
    gap : [m], positive apart
    normal : unit vector along which the gap is pressed open
    velocity : of the side that is pressed along it against the other [m/s]; ``normal . velocity``
        is the rate of the gap, what is across it the slip
    restitution : e of Newton's and Poisson's laws
    rest_speed : of the gap below which it closes for good [m/s]
    static, kinetic : coefficients of dry friction in stick and at this slip, zero without
    traction : force of smooth friction per unit of pressing force
    """

    gap: Expression
    normal: Vector
    velocity: Vector
    restitution: Expression
    rest_speed: Expression
    static: Expression
    kinetic: Expression
    traction: Vector
