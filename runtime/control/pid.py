"""Proportional-integral-derivative control, joint by joint."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.runtime.control.acting import Actuators
from eomc.runtime.control.emitted_law import RememberingLaw, law_equation
from eomc.runtime.control.reference import ReferenceMotion, reference_motion
from eomc.runtime.control.signal.signal import PerChannel, channels
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.model.compiled import CompiledModel


class PID(RememberingLaw):
    """At each sample, with e = q_d - q and d the rate error u_d - u through a low-pass filter:

        v_k = kp e_k + I_k + kd d_k,   tau_k = min(max(v_k, -limit), limit)
        d_k = d_(k-1) + T/(filter + T) (u_d - u - d_(k-1))
        I_(k+1) = I_k + ki T e_k + T/tracking (tau_k - v_k)

    The last term takes back from the integral what the limit cuts off (back-calculation). On
    manifolds e = difference(q, q_d).

    Reference: Åström and Hägglund, *Advanced PID Control* (2006), ch. 3 and 13.

    Parameters
    ----------
    model : CompiledModel
        For its names, and `difference`.
    target : (nq,) array, mapping of names to values, or function t -> (q, u, a)
    kp, ki, kd : number, (nu,) or mapping by speeds
        Gains; zero for speeds that a mapping leaves out.
    filter : number, (nu,) or mapping by speeds
        Time constant of the filter of rates [s].
    limit : number, (nu,) or mapping by speeds
        Of the torques; none by default.
    tracking : number, optional
        Time in which the integral follows the limit [s]; by default 10 periods.
    actuators : sequence of str, optional
        Speeds that the law acts on, "all" for all of them; by default all but those of bodies that
        move freely in the world, of which a warning tells.

    Raises ValueError that names what is negative, not finite, unknown or of another shape.
    """

    def __init__(
        self,
        model: CompiledModel,
        target: ReferenceMotion,
        kp: PerChannel,
        ki: PerChannel = 0.0,
        kd: PerChannel = 0.0,
        *,
        filter: PerChannel = 0.0,
        limit: PerChannel | None = None,
        tracking: float | None = None,
        actuators: Actuators = None,
    ) -> None:
        super().__init__(model, reference_motion(model, target), actuators)
        self.kp, self.ki, self.kd, self.filter = (
            self.acts.only(channels(f"PID: {name}", given, model.speeds, 0.0))
            for name, given in (("kp", kp), ("ki", ki), ("kd", kd), ("filter", filter))
        )
        self.limit = np.full(model.nu, np.inf)
        if limit is not None:
            self.limit = channels("PID: limit", limit, model.speeds, np.inf)
        if tracking is not None and not (np.isfinite(tracking) and tracking > 0):
            raise ValueError(f"PID: tracking is {tracking!r}; give a positive time [s]")
        self.tracking = tracking

    def equation(self, period: float) -> DifferenceEquation:
        """Its states are d and I."""
        nu, limit = self.model.nu, self.limit
        share = period / (self.filter + period)
        back = 0.1 if self.tracking is None else period / self.tracking

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, q_d: Any, u_d: Any
        ) -> tuple[Any, Any]:
            e = by.call("difference", q0=q, q1=q_d)
            d = state[:nu] + share * (u_d - u - state[:nu])
            integral = state[nu:]
            v = self.kp * e + integral + self.kd * d
            tau = by.bounded(v, -limit, limit)
            after = integral + period * self.ki * e + back * (tau - v)
            return np.concatenate([d, after]), tau

        return law_equation(self.model, ("q_d", "u_d"), step, np.zeros(2 * nu), ("difference",))
