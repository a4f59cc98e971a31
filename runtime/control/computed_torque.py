"""Computed torque: feedback linearization by inverse dynamics."""

from __future__ import annotations

from typing import Any

from eomc.binding.arrays import Array
from eomc.runtime.control.emitted_law import law_equation
from eomc.runtime.control.tracking import Tracking
from eomc.runtime.difference import DifferenceEquation, Operations


class ComputedTorque(Tracking):
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
    actuators : sequence of str, optional
        Speeds that the law acts on, "all" for all of them; by default all but those of bodies that
        move freely in the world, of which a warning tells.
        The error obeys the equation above only where the law acts on all speeds.
    inputs, motion, parameters : as of `simulate`
        The model as the controller knows it.

    Raises ValueError for gains or targets that are not finite, of another shape, or destabilizing.
    """

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        pull, wanted = self.pull(t, q, u)
        found: Array = self.acts.only(self.call("inverse_dynamics", t, q, u, a=wanted.a + pull))
        return found

    def equation(self, period: float) -> DifferenceEquation:
        """The same at samples; it has no state."""

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, q_d: Any, u_d: Any, a_d: Any
        ) -> tuple[Any, Any]:
            a = a_d + self.pulled(by, q, u, q_d, u_d)
            return state, self.acts.only(by.call("inverse_dynamics", q=q, u=u, a=a))

        followed, functions = ("q_d", "u_d", "a_d"), ("difference", "inverse_dynamics")
        return law_equation(self.model, followed, step, (), functions, self.assumed_parameters())
