"""Speeds whose acceleration is given from outside, by a force that is found as a multiplier."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.elements.element import Element, Mechanism
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import kind

__all__ = ["ServoConstraint", "driven_speeds"]


@kind("servo_constraint")
class ServoConstraint(Element):
    """The acceleration of a joint, or of one speed, is given; both stay in the state.

    Where `prescribed` takes a coordinate out of the equations, a servo constraint keeps it and adds
    the force of the actuator, a Lagrange multiplier: see the function `driven_dynamics`.
    """

    def references(self) -> tuple[str, ...]:
        """Name of the joint or speed that it drives."""
        return (self.name,)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """It names speeds that move freely, and none twice."""
        joint = model.joints.get(self.name)
        names = joint.speeds if joint is not None else (self.name,)
        free = model.speeds
        for name in names:
            if name not in free:
                known = near_names(name, [*free, *model.joints])
                raise ModelError(f"{name!r} is no speed that is free to be driven; {known}")
        if not names:
            raise ModelError(f"joint {self.name!r} is fixed; there is nothing to drive")
        every = driven_speeds(model)
        for name in names:
            if every.count(name) > 1:
                raise ModelError(
                    f"speed {name!r} is driven twice; leave one of the servo constraints out"
                )


def driven_speeds(model: Mechanism) -> tuple[str, ...]:
    """Names of the driven speeds, in order of declaration."""
    names: list[str] = []
    for drive in model.of(ServoConstraint).values():
        joint = model.joints.get(drive.name)
        names += joint.speeds if joint is not None else (drive.name,)
    return tuple(names)
