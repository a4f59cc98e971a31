"""Proportional-derivative control."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import ArrayLike

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.control.gains import gain_matrix
from eomc.runtime.control.law import Array, ModelBased
from eomc.runtime.control.reference import Motion, reference_motion
from eomc.runtime.excitation import InputLaw, MotionLaw


class PD(ModelBased):
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
    inputs, motion, parameters : as of `simulate`
        The model as the controller knows it.

    Raises ValueError for gains or targets that are not finite, of another shape, or destabilizing.
    """

    def __init__(
        self,
        model: CompiledModel,
        target: Motion,
        kp: ArrayLike,
        kd: ArrayLike,
        *,
        gravity: bool = False,
        inputs: InputLaw = None,
        motion: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs, motion, parameters)
        self.reference = reference_motion(model, target)
        self.kp = gain_matrix("kp", kp, model.nu)
        self.kd = gain_matrix("kd", kd, model.nu)
        self.gravity = gravity

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        wanted = self.reference(t)
        error = self.call("difference", t, q, u, q0=q, q1=wanted.q)
        tau: Array = self.kp @ error + self.kd @ (wanted.u - u)
        return tau + self.call("gravity", t, q, u) if self.gravity else tau
