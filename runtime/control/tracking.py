"""Base of laws that follow a reference: the deviation from it, and gains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import ActuatedSpeeds, Actuators
from eomc.runtime.control.gains import critical_damping, gain_matrix
from eomc.runtime.control.law import ModelBased
from eomc.runtime.control.reference import Reference, ReferenceMotion, reference_motion
from eomc.runtime.difference import Operations
from eomc.runtime.difference.equation import product
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.renamed import current_arguments


class Tracking(ModelBased):
    """Kp e + Kd (u_d - u), e = difference(q, q_d); without `kd` critically damped.

    Arguments as of `ComputedTorque`, whose law is one of these.
    """

    @current_arguments
    def __init__(
        self,
        model: CompiledModel,
        target: ReferenceMotion,
        kp: ArrayLike,
        kd: ArrayLike | None = None,
        *,
        actuators: Actuators = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        self.acts = ActuatedSpeeds(model, actuators, type(self).__name__)
        self.reference = reference_motion(model, target)
        self.kp = gain_matrix("kp", kp, model.nu)
        self.kd = critical_damping(self.kp) if kd is None else gain_matrix("kd", kd, model.nu)

    def pull(self, t: float, q: Array, u: Array) -> tuple[Array, Reference]:
        """Kp e + Kd (u_d - u) (nu,), and the reference at time t."""
        wanted = self.reference(t)
        error = self.call("difference", t, q, u, q0=q, q1=wanted.q)
        return self.kd @ (wanted.u - u) + self.kp @ error, wanted

    def pulled(self, by: Operations, q: Any, u: Any, q_d: Any, u_d: Any) -> Any:
        """The same in the operations of a difference equation."""
        error = by.call("difference", q0=q, q1=q_d)
        return product(self.kd, u_d - u) + product(self.kp, error)
