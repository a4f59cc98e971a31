"""An actuator that gives its command late: a force on a speed with a first-order lag.

T z' = c(q, u, t, r) - z,   Q = z
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementState
from eomc.derive.fields.field import Number, number, speed
from eomc.derive.fields.scope import FORCE
from eomc.derive.forces.own_speed import check_own_speed
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import AllLoads, Scene


@kind("lag")
class Lag(ForceElement):
    """A drive whose effort on a speed follows its command with a first-order lag.

    Its state ``<name>_effort`` is the force or torque that it gives.
    """

    speed: str = speed("on which it acts")
    command: Number = number("N m or N", "the effort that is asked for", scope=FORCE)
    time_constant: Number = number("s", "after which 63 % of a step have come")

    def states(self) -> tuple[ElementState, ...]:
        """The effort."""
        return (ElementState("effort", "N m or N"),)

    def rates(self, scene: Scene) -> Sequence[Expression]:
        """z' = (c - z) / T."""
        (effort,) = self.own(scene)
        return [(scene.scalar(self.command) - effort) / scene.scalar(self.time_constant)]

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """Q = z."""
        (effort,) = self.own(scene)
        loads.other.add_generalized(scene.tree.speed_of[self.speed], effort)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """A positive time constant, and a speed that moves by itself."""
        check_own_speed(model, self.speed)
        if not value_of(self.time_constant, values) > 0:
            raise ModelError(f"time_constant is {self.time_constant}; give a positive number")
