"""Dry friction of a joint, or a brake: it holds a speed up to a force, and brakes with it beyond.

    u = 0,  |f| <= F    or    f = -F u/|u|

Nothing is made smooth: it is of the steps "moreau" and "stewart_trinkle".
"""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.elements.closing import Rubbing
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.fields.field import Number, number, speed
from eomc.derive.fields.part import not_negative
from eomc.derive.fields.scope import FORCE
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import symbols_of
from eomc.derive.scene.loads import AllLoads, Scene


@kind("dry_friction", plural="dry frictions")
class DryFriction(ForceElement):
    """Coulomb friction `force` on the generalized speed `speed`, which sticks; with inputs in it, a
    brake."""

    speed: str = speed("on which it acts")
    force: Number = number("N m or N", scope=FORCE)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """None by state alone."""

    def rubs(self) -> bool:
        """Always."""
        return True

    def rubbing(self, scene: Scene) -> Rubbing:
        """The speed and F."""
        speed, state = scene.tree.speed_of.get(self.speed), scene.state
        rate = scene.tree.zero
        if speed is not None:
            rate = speed.rate(state.s_rate if speed.prescribed else state.u)
        return Rubbing(self.speed, rate, scene.scalar(self.force))

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """Always."""
        return True

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """A force that brakes."""
        if not symbols_of(self.force) or {str(s) for s in symbols_of(self.force)} <= set(values):
            not_negative(self.force, "force", values)
