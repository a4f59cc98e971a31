"""Normal forces by penetration and its rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from eomc.derive.contacts.normal_laws.law import NormalForce, NormalLaw
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.contacts.normal_laws.restitution import loss_of
from eomc.derive.fields.field import Number, OptionalNumber, number
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.fields.scope import LAW
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar, is_number, is_zero
from eomc.derive.scene.loads import Scene


@kind("law")
class Law(NormalLaw):
    """N = law(d_+, d') H where that is above zero; all of it counts as power, none as energy."""

    expression: Number = number("N", "in x [m] and v [m/s]", scope=LAW)

    def force(self, scene: Scene, at: Depth) -> NormalForce:
        """As told."""
        zero = at.rate * 0
        told = scene.scalar(self.expression, {"x": at.depth, "v": at.rate})
        return NormalForce((told * at.slope).binary("max", zero), zero, zero, told)


@kind("hertz")
class Hertz(NormalLaw):
    """N = 4/3 E sqrt(R) d^(3/2), damped as of Hunt and Crossley.

    1/E = sum (1 - nu^2)/E_i, 1/R = sum 1/R_i over both bodies. Reference: Johnson, *Contact
    Mechanics*, chapter 4.2.
    """

    dissipates = True

    modulus: Number = number("Pa", "effective modulus E")
    radius: Number = number("m", "effective radius R")
    dissipation: Number = number("s/m", "chi", default=0)
    restitution: OptionalNumber = number("", "at `speed`, instead of chi", default=None)
    speed: OptionalNumber = number("m/s", "of the impact that has this restitution", default=None)

    def force(self, scene: Scene, at: Depth) -> NormalForce:
        """With k = 4/3 E sqrt(R) and n = 3/2."""
        k = scene.scalar(self.modulus) * scene.scalar(self.radius).sqrt() * 4 / 3
        return pressing(scene, self, k, scene.tree.zero + 1.5, at)

    def check(self, values: Mapping[str, float]) -> None:
        """Modulus and radius."""
        positive(self.modulus, "effective modulus", values)
        positive(self.radius, "radius", values)
        check_damping(self, values)


class Damped(Protocol):
    """A law with this damping: chi [s/m], or the restitution at a speed [m/s]."""

    @property
    def dissipation(self) -> Scalar: ...
    @property
    def restitution(self) -> Scalar | None: ...
    @property
    def speed(self) -> Scalar | None: ...


def pressing(scene: Scene, law: Damped, k: Expression, n: Expression, at: Depth) -> NormalForce:
    """k d_+^n H (1 + chi d')_+."""
    elastic = k * at.power(n) * at.slope
    energy = k * at.power(n + 1) / (n + 1)
    holds = 1 + _chi(scene, law) * at.rate
    return NormalForce(elastic * holds.binary("max", at.rate * 0), elastic, energy, holds)


def _chi(scene: Scene, law: Damped) -> Expression:
    if law.restitution is None:
        return scene.scalar(law.dissipation)
    return scene.tree.zero + loss_of(float(law.restitution)) / scene.scalar(law.speed)


def check_damping(law: Damped, values: Mapping[str, float]) -> None:
    """Raise `ModelError` unless it brakes and is told in one way."""
    not_negative(law.dissipation, "dissipation", values)
    if law.restitution is None:
        if law.speed is not None:
            raise ModelError("speed is that of a restitution; give both or none")
        return
    if not is_number(law.restitution):
        raise ModelError("restitution holds names; give a number, or dissipation instead")
    if not 0 < float(law.restitution) <= 1:
        raise ModelError(
            f"restitution is {float(law.restitution):g}; give a number in (0, 1]: with this "
            "law no damping is strong enough for 0"
        )
    if law.speed is None:
        raise ModelError("restitution depends on the speed of impact; give speed, too")
    if not is_zero(law.dissipation):
        raise ModelError("restitution and dissipation are both given; give one of them")
    positive(law.speed, "speed", values)


@kind("kelvin_voigt")
class KelvinVoigt(NormalLaw):
    """Spring and damper side by side; the force steps up by c v at touch-down."""

    dissipates = True

    stiffness: Number = number("N/m^n", "stiffness k")
    damping: Number = number("N s/m", "c", default=0)
    exponent: Number = number("", "n", default=1)

    def force(self, scene: Scene, at: Depth) -> NormalForce:
        """(k d_+^n + c d')_+ H."""
        k, n = scene.scalar(self.stiffness), scene.scalar(self.exponent)
        spring, damper = k * at.power(n), scene.scalar(self.damping) * at.rate
        holds = spring + damper
        force = (holds * at.slope).binary("max", at.rate * 0)
        return NormalForce(force, spring * at.slope, k * at.power(n + 1) / (n + 1), holds)

    def check(self, values: Mapping[str, float]) -> None:
        """Stiffness, exponent, damping that brakes."""
        positive(self.stiffness, "stiffness", values)
        positive(self.exponent, "exponent", values)
        not_negative(self.damping, "damping", values)


@kind("spring")
class Spring(NormalLaw):
    """N = k d^n, damped as of Hunt and Crossley."""

    dissipates = True

    stiffness: Number = number("N/m^n", "stiffness k")
    exponent: Number = number("", "n", default=1)
    dissipation: Number = number("s/m", "chi", default=0)
    restitution: OptionalNumber = number("", "at `speed`, instead of chi", default=None)
    speed: OptionalNumber = number("m/s", "of the impact that has this restitution", default=None)

    def force(self, scene: Scene, at: Depth) -> NormalForce:
        """With k and n as given."""
        return pressing(scene, self, scene.scalar(self.stiffness), scene.scalar(self.exponent), at)

    def check(self, values: Mapping[str, float]) -> None:
        """Stiffness and exponent."""
        positive(self.stiffness, "stiffness", values)
        positive(self.exponent, "exponent", values)
        check_damping(self, values)
