"""Compensation of gravity."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.control.law import Array, ModelBased
from eomc.runtime.excitation import InputLaw, MotionLaw


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

    def __init__(
        self,
        model: CompiledModel,
        *,
        inputs: InputLaw = None,
        motion: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs, motion, parameters)

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        return self.call("gravity", t, q, u)
