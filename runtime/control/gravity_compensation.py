"""Compensation of gravity."""

from __future__ import annotations

from typing import Any

from eomc.runtime.control.emitted_law import law_equation
from eomc.runtime.control.law import Array, ModelBased
from eomc.runtime.difference import DifferenceEquation, Operations


class GravityCompensation(ModelBased):
    """tau = g(q): what holds the mechanism at rest, and makes it weightless in motion.

    g are the generalized forces of `model.gravity`: of uniform gravity.

    Reference: Siciliano, Sciavicco, Villani and Oriolo, *Robotics: Modelling, Planning and Control*
    (2009), sec. 8.5.1.

    Parameters
    ----------
    model, inputs, motion, parameters : as of `simulate`
        The model as the controller knows it.
    """

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        return self.call("gravity", t, q, u)

    def reference(self, t: float) -> dict[str, Array]:
        """It follows nothing."""
        return {}

    def equation(self, period: float) -> DifferenceEquation:
        """The same at samples, for C."""

        def step(by: Operations, state: Any, w: Any, q: Any, u: Any) -> tuple[Any, Any]:
            return state, by.call("gravity", q=q, u=u)

        return law_equation(self.model, (), step, (), ("gravity",), self.believed())
