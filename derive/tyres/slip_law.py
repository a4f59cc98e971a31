"""Slip laws of tyres: one record a kind, one file a kind.

For each direction of the road, i = x along the heading and y across it, a law gives a stiffness
k_i by load and slip, a friction mu_i and a curve f_i with f_i(s) = s for small s. Under a load N
the slips kappa and alpha make normalized slips s_x = k_x kappa/mu_x, s_y = k_y alpha/mu_y, and

    F_x = N mu_x f_x(s) s_x/s,   F_y = -N mu_y f_y(s) s_y/s,   s = sqrt(s_x^2 + s_y^2)

With |f_i| <= 1 the force stays in the friction ellipse (F_x/mu_x)^2 + (F_y/mu_y)^2 <= N^2.
Reference: Pacejka, *Tire and Vehicle Dynamics*, 3rd ed. (2012), sec. 4.3.1, similarity method.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from eomc.derive.fields.part import Part
from eomc.derive.graph import Expression
from eomc.derive.language.registry import Registry
from eomc.derive.scene.loads import Scene

__all__ = ["SLIP_LAWS", "SlipCurve", "SlipLaw"]

#: Every kind by its word.
SLIP_LAWS: Registry[type[SlipLaw]] = Registry("slip_law", "eomc.derive.tyres")

_SMALL = 1e-12
"""Added to s^2, so that the force has a derivative without slip."""


@dataclass(frozen=True, eq=False)
class SlipCurve:
    """k, mu and f of one direction under a load; mu is None for a force without bound."""

    stiffness: Expression
    friction: Expression | None
    shape: Callable[[Expression], Expression]


class SlipLaw(Part):
    """The force along the road by load and slip."""

    kinds = SLIP_LAWS

    @property
    def is_longitudinal(self) -> bool:
        """True if it has the data of longitudinal slip."""
        raise NotImplementedError

    def across(self, scene: Scene, load: Expression) -> SlipCurve:
        """The curve of the slip angle alpha [rad]."""
        raise NotImplementedError

    def along(self, scene: Scene, load: Expression) -> SlipCurve:
        """The curve of the longitudinal slip kappa."""
        raise NotImplementedError

    def forces(
        self, scene: Scene, load: Expression, alpha: Expression, kappa: Expression | None
    ) -> tuple[Expression, Expression]:
        """(F_x, F_y) [N]; kappa is None for a wheel that rolls freely."""
        y = self.across(scene, load)
        if kappa is None:
            return scene.tree.zero, -(load * _alone(y, alpha))
        x = self.along(scene, load)
        if x.friction is None or y.friction is None:
            return load * _alone(x, kappa), -(load * _alone(y, alpha))
        s_x, s_y = x.stiffness * kappa / x.friction, y.stiffness * alpha / y.friction
        s = (s_x * s_x + s_y * s_y + _SMALL).sqrt()
        return (
            load * x.friction * x.shape(s) * s_x / s,
            -(load * y.friction * y.shape(s) * s_y / s),
        )


def _alone(curve: SlipCurve, slip: Expression) -> Expression:
    """mu f(k slip/mu)."""
    if curve.friction is None:
        return curve.shape(curve.stiffness * slip)
    return curve.friction * curve.shape(curve.stiffness * slip / curve.friction)
