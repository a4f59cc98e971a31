"""Motion that is given from outside: what is prescribed leaves the state."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.elements.element import Element, Mechanism
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import kind

__all__ = ["PrescribedMotion"]


@kind("prescribed", plural="prescribed_motions")
class PrescribedMotion(Element):
    """The motion of a joint or coordinate is given from outside; the needed force is an output."""

    def references(self) -> tuple[str, ...]:
        """Name of the joint or coordinate that it prescribes."""
        return (self.name,)

    def coordinates(self, model: Mechanism) -> tuple[str, ...]:
        """Names of the coordinates that it gives."""
        joint = model.joints.get(self.name)
        return (self.name,) if joint is None else joint.coordinates

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """It names coordinates with rates that nothing else gives."""
        if any(self.name in body.speeds for body in model.deformables.values()):
            return
        owners = {
            name: joint
            for joint in model.joints.values()
            if joint.declaration.rates
            for name in joint.coordinates
        }
        joint = model.joints.get(self.name) or owners.get(self.name)
        if joint is None:
            known = near_names(self.name, [*model.joints, *owners])
            raise ModelError(f"unknown joint or coordinate; {known}")
        if not joint.coordinates or not joint.declaration.rates:
            raise ModelError(
                f"kind {joint.kind!r} has no coordinates whose rates are its speeds; prescribe the "
                "coordinates of an Euler-angle kind"
            )
        for word, value in (("locked", joint.locked), ("mimic", joint.mimic)):
            if value is not None:
                raise ModelError(f"the joint is {word} already; give one of them")
        for other in model.of(PrescribedMotion).values():
            if other.name == self.name:
                return
            for name in set(self.coordinates(model)) & set(other.coordinates(model)):
                raise ModelError(f"{name!r} is prescribed by {other.name!r} already")
