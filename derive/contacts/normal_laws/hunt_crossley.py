"""A spring of any power with the damping of Hunt and Crossley, which grows with the depth:

    N = k d_+^n H (1 + chi d')_+,    V = k d_+^(n+1)/(n+1),    H = d d_+/dd

It begins and ends at zero and never pulls. chi may be told by the restitution at one speed of
impact, exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from eomc.derive.contacts.normal_laws.law import Normal
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.contacts.normal_laws.restitution import loss_of
from eomc.derive.elements.part import not_negative, positive
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, is_number, is_zero
from eomc.derive.scene.loads import Scene


class Damped(Protocol):
    """A law with this damping: chi [s/m], or the restitution at a speed [m/s]."""

    @property
    def dissipation(self) -> Scalar: ...
    @property
    def restitution(self) -> Scalar | None: ...
    @property
    def speed(self) -> Scalar | None: ...


def pressing(scene: Scene, law: Damped, k: Expression, n: Expression, at: Depth) -> Normal:
    """k d_+^n H (1 + chi d')_+."""
    elastic = k * at.power(n) * at.slope
    energy = k * at.power(n + 1) / (n + 1)
    holds = 1 + _chi(scene, law) * at.rate
    return Normal(elastic * holds.binary("max", at.rate * 0), elastic, energy, holds)


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
