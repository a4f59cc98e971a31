"""Gaps at which elements close rigidly, where bodies collide, rest and rub."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression


@dataclass(frozen=True, eq=False)
class ClosingLaw:
    """Behaviour of a gap that closes.

    Attributes
    ----------
    restitution : e of Newton's and Poisson's laws
    rest_speed : of the gap below which it closes for good [m/s]
    stiffness, damping : of a contact that gives way, None of a rigid one
    """

    restitution: Expression
    rest_speed: Expression
    stiffness: Expression | None = None
    damping: Expression | None = None


@dataclass(frozen=True, eq=False)
class Closing:
    """A gap that cannot become negative.

    Attributes
    ----------
    gap : [m], positive apart
    normal : unit vector along which the gap is pressed open
    velocity : of the side that is pressed along it against the other [m/s]; ``normal . velocity``
        is the rate of the gap, what is across it the slip
    static, kinetic : coefficients of dry friction in stick and at this slip, zero without
    traction : force of smooth friction per unit of pressing force
    law : of impact and rest
    directions : two that stay with the surface, None on curved ones
    """

    gap: Expression
    normal: Vector
    velocity: Vector
    static: Expression
    kinetic: Expression
    traction: Vector
    law: ClosingLaw
    directions: tuple[Vector, Vector] | None = None

    @property
    def rubs(self) -> bool:
        """True with dry friction."""
        return not (self.static.is_zero and self.kinetic.is_zero)

    @property
    def laws(self) -> tuple[Expression, ...]:
        """All numbers of its laws, in order."""
        law, zero = self.law, self.gap * 0
        own = (law.stiffness or zero, law.damping or zero)
        return (law.restitution, law.rest_speed, self.static, self.kinetic, *own)

    @property
    def tangents(self) -> tuple[Vector, Vector]:
        """Two unit vectors across the normal.

        Reference: Duff et al., *Building an orthonormal basis, revisited*, J. Comput. Graph. Tech.
        6 (2017).
        """
        if self.directions is not None:
            return self.directions
        x, y, z = self.normal
        sign = z.if_less(0, -1, 1)
        a = -1 / (sign + z)
        b = x * y * a
        return Vector(sign * x * x * a + 1, sign * b, -sign * x), Vector(b, sign + y * y * a, -y)


@dataclass(frozen=True, eq=False)
class Rubbing:
    """Dry friction on a generalized speed: it holds it, or brakes with the force `limit`."""

    speed: str
    rate: Expression
    limit: Expression
