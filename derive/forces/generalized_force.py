"""A force on one generalized speed, given as an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.elements.element import Element, ForceElement
from eomc.derive.fields.field import Number, number, speed
from eomc.derive.fields.scope import FORCE
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import AllLoads, Scene

if TYPE_CHECKING:
    from eomc.derive.elements.carrier import Carrier


@kind("generalized_force", plural="generalized forces")
class GeneralizedForce(ForceElement):
    """A force `expression` on the generalized speed `speed` (its power is expression*u)."""

    speed: str = speed("on which it acts")
    expression: Number = number("N m or N", scope=FORCE)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """Q on the speed."""
        speed = scene.tree.speed_of.get(self.speed)
        loads.other.add_generalized(speed, scene.scalar(self.expression))

    def transformed(self, carrier: Carrier) -> Element | None:
        """On a mimicking joint it goes to the leader: power is force times rate, and the rate of a
        mimicking joint is multiplier times its leader's."""
        carried = super().transformed(carrier)
        rule = carrier.rule(self.speed)
        if rule is None or not isinstance(carried, GeneralizedForce):
            return carried
        force = rule.multiplier * carried.expression
        return carried.changed(speed=rule.joint, expression=force)
