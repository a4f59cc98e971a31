"""A spring and damper so stiff that steps take it implicitly: N = max(0, -k gap - c gap').

Gap and rate are those at the end of a step, which cannot gain energy whatever its length. The law
is that of `kelvin_voigt`, whose force by depth other methods follow with short steps.
"""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.normal_laws.law import NormalForce, NormalLaw
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.elements.closing import ClosingLaw
from eomc.derive.fields.field import Number, number
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import Scene


@kind("compliant")
class Compliant(NormalLaw):
    """Stiffness and damping of a contact in the steps "stewart_trinkle"."""

    is_rigid = True
    gives_way = True
    dissipates = True

    stiffness: Number = number("N/m", "stiffness k")
    damping: Number = number("N s/m", "c", default=0)
    rest_speed: Number = number("m/s", "of slip below which it sticks", default=1e-6)

    def force(self, scene: Scene, at: Depth) -> NormalForce:
        """None by depth alone."""
        zero = scene.tree.zero
        return NormalForce(zero, zero, zero, zero)

    def closing(self, scene: Scene) -> ClosingLaw:
        """Without restitution."""
        own = (scene.scalar(self.stiffness), scene.scalar(self.damping))
        return ClosingLaw(scene.tree.zero, scene.scalar(self.rest_speed), *own)

    def check(self, values: Mapping[str, float]) -> None:
        """Not negative, not both zero."""
        not_negative(self.stiffness, "stiffness", values)
        not_negative(self.damping, "damping", values)
        positive(self.rest_speed, "rest_speed", values)
        if not (value_of(self.stiffness, values) or value_of(self.damping, values)):
            raise ModelError("stiffness and damping are both zero; give one of them, or rigid = 0")
