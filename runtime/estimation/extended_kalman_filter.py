"""The extended Kalman filter of a compiled model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.control.discretization import gathered
from eomc.runtime.control.gains import gain_matrix
from eomc.runtime.control.law import ModelBased
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.linearization import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import Values, initial_state
from eomc.runtime.names.near_names import places_of

Array = NDArray[np.float64]


@dataclass
class Estimate:
    """What is believed of a state.

    q, u : coordinates and speeds, (nq,) and (nu,)
    covariance : (2 nu, 2 nu), of the tangent displacement from q, and of u
    """

    q: Array
    u: Array
    covariance: Array


class ExtendedKalmanFilter(ModelBased):
    """State and covariance from measured coordinates and speeds, on the configuration manifold.

    The error is x = (difference(q^, q), u - u^), so that attitudes by quaternions have three
    entries and no constraint. From sample to sample the estimate moves by the equations of motion,
    by Runge's and Kutta's method, and its covariance by the exact linearization A there:

        P <- F P F^T + int_0^T e^(A s) W e^(A^T s) ds,   F = e^(A T),   W = diag(0, process)
        K = P C^T (C P C^T + V)^-1,   (q^, u^) <- (q^, u^) (+) K (y - y^),
        P <- (1 - K C) P (1 - K C)^T + K V K^T

    Parameters
    ----------
    model : CompiledModel
        As the filter knows the plant; without constraints and states of elements.
    measured : sequence of str
        Displacements (names of coordinates; of a joint with a quaternion its ``displacement(...)``)
        and ``speed(...)``, as `linearize` names its states.
    process : number, (nu,) or (nu, nu)
        Density of white noise on the accelerations [(rad/s^2)^2 s or (m/s^2)^2 s].
    noise : number, (k,) or (k, k)
        Covariance of the measurements.
    q, u : array or mapping, optional
        The first estimate.
    covariance : number, (2 nu,) or (2 nu, 2 nu)
        Of the first estimate.
    inputs, motion, parameters : as of `simulate`

    Raises ValueError for constraints, states of elements, unknown names and matrices that are not
    covariances.

    References: Gelb, *Applied Optimal Estimation* (1974), sec. 6.1; Hertzberg et al., Integrating
    generic sensor fusion algorithms with sound state representations, Information Fusion 14 (2013).
    """

    def __init__(
        self,
        model: CompiledModel,
        measured: Sequence[str],
        process: ArrayLike,
        noise: ArrayLike,
        *,
        q: Values = None,
        u: Values = None,
        covariance: ArrayLike = 1.0,
        inputs: InputLaw = None,
        motion: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        if model.is_constrained or model.element_states:
            what = "constraints" if model.is_constrained else "elements with states of their own"
            raise ValueError(f"model {model.name!r} has {what}, which the filter does not take")
        super().__init__(model, inputs=inputs, motion=motion, parameters=parameters)
        self._around = {"inputs": inputs, "motion": motion, "parameters": parameters}
        names = (*model.displacements, *(f"speed({name})" for name in model.speeds))
        self.measured = places_of(measured, names, "measured: no state")
        self.process = gain_matrix("process", process, model.nu, "are no covariance")
        self.noise = gain_matrix("noise", noise, len(self.measured), "are no covariance")
        start = initial_state(model, q, u)
        first = gain_matrix("covariance", covariance, 2 * model.nu, "are no covariance")
        self.first = Estimate(start.q, start.u, first)

    def begin(self) -> Estimate:
        """The first estimate, for one run."""
        return Estimate(self.first.q.copy(), self.first.u.copy(), self.first.covariance.copy())

    def corrected(self, estimate: Estimate, t: float, q: Array, u: Array) -> Estimate:
        """The estimate after a measurement, of which the measured entries of (q, u) are taken."""
        nu, rows = self.model.nu, self.measured
        displaced = self.call("difference", t, estimate.q, estimate.u, q0=estimate.q, q1=q)
        innovation = np.concatenate([displaced, u - estimate.u])[rows]
        p, seen = estimate.covariance, np.eye(2 * nu)[rows]
        gain = np.linalg.solve(p[np.ix_(rows, rows)] + self.noise, p[rows]).T
        x, left = gain @ innovation, np.eye(2 * nu) - gain @ seen
        moved = self.call("integrate", t, estimate.q, estimate.u, du=x[:nu])
        covariance = left @ p @ left.T + gain @ self.noise @ gain.T
        return Estimate(moved, estimate.u + x[nu:], covariance)

    def predicted(self, estimate: Estimate, t: float, tau: ArrayLike, period: float) -> Estimate:
        """The estimate a period later, under torques (nu,) that are held."""
        from scipy.linalg import expm

        torques = np.asarray(tau, dtype=np.float64)
        linear = linearize(
            self.model,
            q=estimate.q,
            u=estimate.u,
            t=t,
            tau=torques,
            **self._around,  # type: ignore[arg-type]
        )
        nu = self.model.nu
        density = np.zeros((2 * nu, 2 * nu))
        density[nu:, nu:] = self.process
        flow = expm(linear.A * period)
        covariance = flow @ estimate.covariance @ flow.T + gathered(linear.A, density, period)
        q, u = self._moved(estimate, t, torques, period)
        return Estimate(q, u, covariance)

    def _moved(self, estimate: Estimate, t: float, tau: Array, h: float) -> tuple[Array, Array]:
        """(q, u) a step of Runge and Kutta's method later."""
        nq = self.model.nq

        def rate(c: float, slope: Array) -> Array:
            y = np.concatenate([estimate.q, estimate.u]) + c * h * slope
            q, u, time = y[:nq], y[nq:], t + c * h
            a = self.call("forward_dynamics", time, q, u, tau=tau)
            return np.concatenate([self.call("coordinate_rates", time, q, u), a])

        k1 = rate(0.0, np.zeros(nq + self.model.nu))
        k2 = rate(0.5, k1)
        k3 = rate(0.5, k2)
        step = h / 6 * (k1 + 2 * (k2 + k3) + rate(1.0, k3))
        q, u = estimate.q + step[:nq], estimate.u + step[nq:]
        return self.call("normalize", t, q, u), u
