"""Bristle friction on a speed v, that of the LuGre model.

    z' = v - s0 |v|/g(v) z,   g(v) = Fc + (Fs - Fc) exp(-(v/vs)^2)
    Q = -(s0 z + s1 z' + s2 v)

z is the mean deflection of the bristles between the surfaces: below Fs they hold as a spring of
stiffness s0 does, above they slip. z' has a kink at v = 0, where |v| has one.

Reference: Canudas de Wit, Olsson, Astrom and Lischinsky, *A new model for control of systems with
friction*, IEEE Trans. Autom. Control 40 (1995) 419.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.elements.state import ElementState
from eomc.derive.fields.field import Number, OptionalNumber, number, speed
from eomc.derive.forces.own_speed import check_own_speed
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import AllLoads, Scene


@kind("bristle")
class Bristle(ForceElement):
    """A friction of bristles on a speed (LuGre): it sticks, slides off and slips.

    Its state ``<name>_deflection`` is that of the bristles.
    """

    speed: str = speed("on which it acts")
    stiffness: Number = number("N m/rad or N/m", "of the bristles")
    coulomb: Number = number("N m or N", "friction of slip")
    static: OptionalNumber = number(
        "N m or N", "friction at breakaway, coulomb if left out", default=None
    )
    stribeck_speed: Number = number("rad/s or m/s", "at which static friction fades", default=1e-3)
    damping: Number = number("N m s/rad or N s/m", "of the bristles", default=0)
    viscous: Number = number("N m s/rad or N s/m", "friction of the speed itself", default=0)

    def states(self) -> tuple[ElementState, ...]:
        """The deflection."""
        hold = self.coulomb if self.static is None else self.static
        return (ElementState("deflection", "rad or m", within=hold / self.stiffness),)

    def rates(self, scene: Scene) -> Sequence[Expression]:
        """z' = v - s0 |v|/g(v) z."""
        (z,), v = self.own(scene), self._speed(scene)
        limit = coulomb = scene.scalar(self.coulomb)
        if self.static is not None:
            slip = v / scene.scalar(self.stribeck_speed)
            fading = (-(slip * slip)).unary("exp")
            limit = coulomb + (scene.scalar(self.static) - coulomb) * fading
        return [v - scene.scalar(self.stiffness) * v.unary("abs") / limit * z]

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """Q = -(s0 z + s1 z' + s2 v)."""
        (z,), (z_rate,), v = self.own(scene), self.rates(scene), self._speed(scene)
        force = scene.scalar(self.stiffness) * z + scene.scalar(self.damping) * z_rate
        force = force + scene.scalar(self.viscous) * v
        loads.other.add_generalized(scene.tree.speed_of[self.speed], -force)

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """Unless the damping of the bristles outweighs the viscous friction where they let go:
        s2 >= s1 (Fs/Fc - 1), by Barabanov and Ortega, IEEE Trans. Autom. Control 45 (2000) 830."""
        named = ("damping", "viscous", "coulomb")
        damping, viscous, slip = (value_of(getattr(self, word), values) for word in named)
        hold = slip if self.static is None else value_of(self.static, values)
        return viscous * slip >= damping * (hold - slip)

    def stored(self, scene: Scene) -> Expression:
        """s0 z^2/2 of the bent bristles."""
        (z,) = self.own(scene)
        return scene.scalar(self.stiffness) * z * z / 2

    def _speed(self, scene: Scene) -> Expression:
        return scene.variables[f"speed({self.speed})"]

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Positive stiffness and friction, no less at breakaway than in slip."""
        check_own_speed(model, self.speed)
        found = {
            word: value_of(value, values)
            for word in ("stiffness", "coulomb", "static", "stribeck_speed", "damping", "viscous")
            if (value := getattr(self, word)) is not None
        }
        for word, value in found.items():
            if not (value > 0 or (value == 0 and word in ("damping", "viscous"))):
                raise ModelError(f"{word} is {value:g}; give a positive number")
        if found.get("static", found["coulomb"]) < found["coulomb"]:
            raise ModelError("static friction is below that of slip, coulomb")
