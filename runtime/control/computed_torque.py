"""Computed torque: feedback linearization by inverse dynamics."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import ArrayLike

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.control.gains import critical_damping, gain_matrix
from eomc.runtime.control.law import Array, ModelBased
from eomc.runtime.control.reference import Motion, reference_motion
from eomc.runtime.excitation import InputLaw, MotionLaw


class ComputedTorque(ModelBased):
    """tau = M(q) v + c(q, u),   v = a_d + Kd (u_d - u) + Kp e,   e = q_d - q

    evaluated as inverse_dynamics(q, u, v). With an exact model the error obeys

        e'' + Kd e' + Kp e = 0

    where speeds are rates of coordinates. On manifolds e = difference(q, q_d), and the equation
    holds to first order in e, if u_d and a_d are small or constant.

    Reference: Luh, Walker and Paul, Resolved-acceleration control of mechanical manipulators, IEEE
    Trans. Automatic Control 25 (1980); Siciliano et al., *Robotics* (2009), sec. 8.5.2.

    Parameters
    ----------
    model : CompiledModel
    target : (nq,) array, mapping of names to values, or function t -> (q, u, a)
        The configuration to hold, or the motion to follow.
    kp, kd : number, (nu,) or (nu, nu)
        Gains [1/s^2, 1/s]; a number or a row stands for a diagonal. Without `kd` the error is
        critically damped: kd = 2 sqrt(kp), which needs a diagonal kp.
    inputs, motion, parameters : as of `simulate`
        The model as the controller knows it.

    Raises ValueError for gains or targets that are not finite, of another shape, or destabilizing.
    """

    def __init__(
        self,
        model: CompiledModel,
        target: Motion,
        kp: ArrayLike,
        kd: ArrayLike | None = None,
        *,
        inputs: InputLaw = None,
        motion: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs, motion, parameters)
        self.reference = reference_motion(model, target)
        self.kp = gain_matrix("kp", kp, model.nu)
        self.kd = critical_damping(self.kp) if kd is None else gain_matrix("kd", kd, model.nu)

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        wanted = self.reference(t)
        error = self.call("difference", t, q, u, q0=q, q1=wanted.q)
        v = wanted.a + self.kd @ (wanted.u - u) + self.kp @ error
        return self.call("inverse_dynamics", t, q, u, a=v)
