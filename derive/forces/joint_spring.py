"""A spring, damper or actuator across a joint coordinate.

Q = -(k x + d v) with stretch x = q - q_free and rate v, or Q = -law(x, v).
"""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.fields.field import Number, OptionalNumber, coordinate_with_rate, number
from eomc.derive.fields.scope import LAW
from eomc.derive.forces.stretch import check_law, tensions
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import AllLoads, Scene


@kind("joint_spring", plural="joint springs")
class JointSpring(ForceElement):
    """A spring, damper or actuator across a joint's coordinate.

    `joint` names a one-coordinate joint or one coordinate of a joint whose speeds are its rates.
    The generalized force on it is -(stiffness*x + damping*v), or -`law`, with x = coordinate -
    free_angle [rad or m] and its rate v.
    """

    joint: str = coordinate_with_rate("across which it acts")
    stiffness: Number = number("N m/rad or N/m", default=0)
    damping: Number = number("N m s/rad or N s/m", default=0)
    free_angle: Number = number("rad or m", "coordinate without force", default=0)
    law: OptionalNumber = number("N m or N", "instead, in x and v", scope=LAW, default=None)

    def check(self) -> None:
        """A law stands for all of it."""
        check_law(self.law, self.stiffness, self.damping)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """Q = -(k x + d v)."""
        x = scene.variables[self.joint] - scene.scalar(self.free_angle)
        v = scene.variables[f"speed({self.joint})"]
        elastic, other = tensions(scene, loads, x, v, self.law, self.stiffness, self.damping)
        speed = scene.tree.speed_of.get(self.joint)
        loads.conservative.add_generalized(speed, -elastic)
        loads.other.add_generalized(speed, -other)

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """By its damping, unless that is given as negative."""
        return self.law is None and value_of(self.damping, values) >= 0
