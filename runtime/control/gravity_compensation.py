"""Compensation of gravity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import ActuatedSpeeds, Actuators
from eomc.runtime.control.emitted_law import law_equation
from eomc.runtime.control.law import ModelBased
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.renamed import current_arguments


class GravityCompensation(ModelBased):
    """tau = g(q): what holds the mechanism at rest, and makes it weightless in motion.

    g are the generalized forces of `model.gravity`: of uniform gravity.

    Reference: Siciliano, Sciavicco, Villani and Oriolo, *Robotics: Modelling, Planning and Control*
    (2009), sec. 8.5.1.

    Parameters
    ----------
    model, inputs, prescribed, parameters : as of `simulate`
        The model as the controller knows it.
    actuators : sequence of str, optional
        Speeds that the law acts on, "all" for all of them; by default all but those of bodies that
        move freely in the world, of which a warning tells.
    """

    @current_arguments
    def __init__(
        self,
        model: CompiledModel,
        *,
        actuators: Actuators = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        self.acts = ActuatedSpeeds(model, actuators, type(self).__name__)

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        found: Array = self.acts.only(self.call("gravity", t, q, u))
        return found

    def reference(self, t: float) -> dict[str, Array]:
        """It follows nothing."""
        return {}

    def equation(self, period: float) -> DifferenceEquation:
        """The same at samples, for C."""

        def step(by: Operations, state: Any, w: Any, q: Any, u: Any) -> tuple[Any, Any]:
            return state, self.acts.only(by.call("gravity", q=q, u=u))

        return law_equation(self.model, (), step, (), ("gravity",), self.assumed_parameters())
