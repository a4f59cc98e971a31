"""Proportional-derivative control."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import Actuators
from eomc.runtime.control.emitted_law import law_equation
from eomc.runtime.control.reference import ReferenceMotion
from eomc.runtime.control.tracking import Tracking
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.renamed import current_arguments


class PD(Tracking):
    """tau = Kp e + Kd (u_d - u) + g(q),   e = q_d - q

    On manifolds e = difference(q, q_d): the tangent displacement that leads from q to q_d. With
    compensation of gravity and a configuration to hold, the equilibrium e = 0, u = 0 of a fully
    actuated mechanism is globally asymptotically stable for positive definite Kp and Kd; without, e
    remains where Kp e = g.

    Reference: Takegaki and Arimoto, A new feedback method for dynamic control of manipulators, ASME
    J. Dyn. Syst. Meas. Control 103 (1981); Siciliano et al., *Robotics* (2009), sec. 8.5.1.

    Parameters
    ----------
    model : CompiledModel
    target : (nq,) array, mapping of names to values, or function t -> (q, u, a)
        The configuration to hold, or the motion to follow.
    kp, kd : number, (nu,) or (nu, nu)
        Gains [N m/rad or N/m, N m s/rad or N s/m]; a number or a row stands for a diagonal.
    gravity : bool
        Whether to compensate gravity.
    actuators : sequence of str, optional
        Speeds that the law acts on, "all" for all of them; by default all but those of bodies that
        move freely in the world, of which a warning tells.
    inputs, prescribed, parameters : as of `simulate`
        The model as the controller knows it.

    Raises ValueError for gains or targets that are not finite, of another shape, or destabilizing.
    """

    @current_arguments
    def __init__(
        self,
        model: CompiledModel,
        target: ReferenceMotion,
        kp: ArrayLike,
        kd: ArrayLike,
        *,
        gravity: bool = False,
        actuators: Actuators = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(
            model,
            target,
            kp,
            kd,
            actuators=actuators,
            inputs=inputs,
            prescribed=prescribed,
            parameters=parameters,
        )
        self.gravity = gravity

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        tau, _ = self.pull(t, q, u)
        tau = tau + self.call("gravity", t, q, u) if self.gravity else tau
        found: Array = self.acts.only(tau)
        return found

    def equation(self, period: float) -> DifferenceEquation:
        """The same at samples; it has no state."""

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, q_d: Any, u_d: Any
        ) -> tuple[Any, Any]:
            tau = self.pulled(by, q, u, q_d, u_d)
            tau = tau + by.call("gravity", q=q) if self.gravity else tau
            return state, self.acts.only(tau)

        functions = ("difference", "gravity") if self.gravity else ("difference",)
        return law_equation(
            self.model, ("q_d", "u_d"), step, (), functions, self.assumed_parameters()
        )
