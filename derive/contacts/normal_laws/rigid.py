"""No depth at all: bodies collide, and what rests is held by a force that only presses.

See `eomc.runtime.impact` for the laws of impact and what holds in between.
"""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.normal_laws.law import NormalForce, NormalLaw
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.elements.closing import ClosingLaw
from eomc.derive.fields.field import Number, number
from eomc.derive.fields.part import positive
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import Scene


@kind("rigid")
class Rigid(NormalLaw):
    """Restitution e: the speed of parting by that of approach."""

    is_rigid = True
    dissipates = True

    restitution: Number = number("", "restitution e, from 0 to 1")
    rest_speed: Number = number("m/s", "of parting below which it rests", default=1e-6)

    def force(self, scene: Scene, at: Depth) -> NormalForce:
        """None by depth."""
        zero = scene.tree.zero
        return NormalForce(zero, zero, zero, zero)

    def closing(self, scene: Scene) -> ClosingLaw:
        """As told."""
        return ClosingLaw(scene.scalar(self.restitution), scene.scalar(self.rest_speed))

    def check(self, values: Mapping[str, float]) -> None:
        """0 <= e <= 1."""
        e = value_of(self.restitution, values)
        if not 0 <= e <= 1:
            raise ModelError(f"restitution is {e:g}; give a number from 0 to 1")
        positive(self.rest_speed, "rest_speed", values)
