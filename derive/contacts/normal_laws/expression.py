"""A law of one's own: an expression in the depth x and its rate v, where it presses."""

from __future__ import annotations

from eomc.derive.contacts.normal_laws.law import Normal, NormalLaw, normal_law
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.elements.fields import Number, number
from eomc.derive.elements.scope import LAW
from eomc.derive.scene.loads import Scene


@normal_law("law")
class Law(NormalLaw):
    """N = law(d_+, d') H where that is above zero; all of it counts as power, none as energy."""

    law: Number = number("N", "in x [m] and v [m/s]", scope=LAW)

    def force(self, scene: Scene, at: Depth) -> Normal:
        """As told."""
        zero = at.rate * 0
        told = scene.scalar(self.law, {"x": at.depth, "v": at.rate})
        return Normal((told * at.slope).binary("max", zero), zero, zero, told)
