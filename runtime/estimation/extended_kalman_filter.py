"""The extended Kalman filter of a compiled model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.gains import gain_matrix
from eomc.runtime.control.law import ModelBased
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.estimation.covariance import carried, series_degree
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.linearization import linearize
from eomc.runtime.linearization.discretization import gathered
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import Values, initial_state
from eomc.runtime.names.near_names import places_of
from eomc.runtime.names.renamed import current_arguments


@dataclass
class StateEstimate:
    """Estimate of a state, with its covariance.

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
    inputs, prescribed, parameters : as of `simulate`

    Raises ValueError for constraints, states of elements, unknown names and matrices that are not
    covariances.

    References: Gelb, *Applied Optimal Estimation* (1974), sec. 6.1; Hertzberg et al., Integrating
    generic sensor fusion algorithms with sound state representations, Information Fusion 14 (2013).
    """

    @current_arguments
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
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        if model.is_constrained or model.element_states:
            what = "constraints" if model.is_constrained else "elements with states of their own"
            raise ValueError(f"model {model.name!r} has {what}, which the filter does not take")
        super().__init__(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        self._around = {"inputs": inputs, "prescribed": prescribed, "parameters": parameters}
        names = (*model.displacements, *(f"speed({name})" for name in model.speeds))
        self.measured = places_of(measured, names, "measured: no state")
        self.process = gain_matrix("process", process, model.nu, "are no covariance")
        self.noise = gain_matrix("noise", noise, len(self.measured), "are no covariance")
        start = initial_state(model, q, u)
        first = gain_matrix("covariance", covariance, 2 * model.nu, "are no covariance")
        self.first = StateEstimate(start.q, start.u, first)

    def begin(self) -> StateEstimate:
        """The first estimate, for one run."""
        return StateEstimate(self.first.q.copy(), self.first.u.copy(), self.first.covariance.copy())

    def corrected(self, estimate: StateEstimate, t: float, q: Array, u: Array) -> StateEstimate:
        """The estimate after a measurement, of which the measured entries of (q, u) are taken."""
        return self._corrected(self.operations(t, estimate.q, estimate.u), estimate, q, u)

    def _corrected(self, by: Operations, estimate: StateEstimate, q: Any, u: Any) -> StateEstimate:
        nu, rows = self.model.nu, self.measured
        displaced = by.call("difference", q0=estimate.q, q1=q)
        innovation = np.concatenate([displaced, u - estimate.u])[rows]
        p, seen = estimate.covariance, np.eye(2 * nu)[rows]
        gain = by.solve_positive(p[np.ix_(rows, rows)] + self.noise, p[rows]).T
        x, left = gain @ innovation, np.eye(2 * nu) - gain @ seen
        moved = by.call("integrate", q=estimate.q, du=x[:nu])
        covariance = left @ p @ left.T + gain @ self.noise @ gain.T
        return StateEstimate(moved, estimate.u + x[nu:], covariance)

    def predicted(
        self, estimate: StateEstimate, t: float, tau: ArrayLike, period: float
    ) -> StateEstimate:
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
        flow = expm(linear.A * period)
        covariance = flow @ estimate.covariance @ flow.T
        covariance = covariance + gathered(linear.A, self._density, period)

        def later(c: float) -> Operations:
            return self.operations(t + c * period, estimate.q, estimate.u)

        q, u = self._moved(later, estimate, torques, period)
        return StateEstimate(q, u, covariance)

    @property
    def _density(self) -> Array:
        """W (2 nu, 2 nu)"""
        nu = self.model.nu
        density = np.zeros((2 * nu, 2 * nu))
        density[nu:, nu:] = self.process
        return density

    def _moved(
        self, later: Callable[[float], Operations], estimate: StateEstimate, tau: Any, h: float
    ) -> tuple[Any, Any]:
        """(q, u) a step of Runge and Kutta's method later; `later` has the model at t + c h."""
        nq = self.model.nq

        def rate(c: float, slope: Any) -> Any:
            y = np.concatenate([estimate.q, estimate.u]) + c * h * slope
            q, u, by = y[:nq], y[nq:], later(c)
            a = by.call("forward_dynamics", q=q, u=u, tau=tau)
            return np.concatenate([by.call("coordinate_rates", q=q, u=u), a])

        k1 = rate(0.0, np.zeros(nq + self.model.nu))
        k2 = rate(0.5, k1)
        k3 = rate(0.5, k2)
        step = h / 6 * (k1 + 2 * (k2 + k3) + rate(1.0, k3))
        q, u = estimate.q + step[:nq], estimate.u + step[nq:]
        return later(1.0).call("normalize", q=q), u

    def filtering(self, period: float) -> Filtering:
        """The filter in the operations of difference equations, at samples.

        Raises ValueError for a period that is not positive.
        """
        density = self._density
        linear = linearize(self.model, q=self.first.q, u=self.first.u, **self._around)  # type: ignore[arg-type]
        degree = series_degree(linear.A, period)

        def predicted(by: Operations, now: StateEstimate, tau: Any) -> StateEstimate:
            a = by.call("state_space", q=now.q, u=now.u, tau=tau)[0]
            covariance = carried(by, a, density, now.covariance, period, degree)
            return StateEstimate(*self._moved(lambda c: by, now, tau, period), covariance)

        return Filtering(self._corrected, predicted)

    def equation(self, period: float) -> DifferenceEquation:
        """The filter alone at samples, for C: from "q" and "u", of which the measured entries are
        taken, and the torques "tau" since the last sample, to the "estimate" (q^, u^)."""
        model, filtering = self.model, self.filtering(period)
        names = (*model.coordinates, *(f"speed({name})" for name in model.speeds))
        first = np.concatenate([packed(self.first), [0.0]])

        def step(by: Operations, state: Any, w: Any, q: Any, u: Any, tau: Any) -> tuple[Any, Any]:
            last, begun = unpacked(state[:-1], model), state[-1:]
            coming = packed(filtering.predicted(by, last, tau))
            due = by.less(begun, 0.5, state[:-1], coming)
            now = filtering.corrected(by, unpacked(due, model), q, u)
            after = np.concatenate([packed(now), begun * 0.0 + 1.0])
            return after, np.concatenate([now.q, now.u])

        inputs = {"q": model.coordinates, "u": model.speeds, "tau": model.speeds}
        return DifferenceEquation(
            first, inputs, "estimate", names, step, 0, CALLS, self.assumed_parameters()
        )


CALLS = (
    "difference",
    "integrate",
    "state_space",
    "forward_dynamics",
    "coordinate_rates",
    "normalize",
)
"""Functions of the model that `Filtering` calls."""


class Filtering(NamedTuple):
    """The two halves of a filter: (by, estimate, q, u) and (by, estimate, tau) to the next."""

    corrected: Callable[[Operations, StateEstimate, Any, Any], StateEstimate]
    predicted: Callable[[Operations, StateEstimate, Any], StateEstimate]


def packed(estimate: StateEstimate) -> Any:
    """q, u and the lower triangle of the covariance, in one row."""
    n = len(estimate.covariance)
    return np.concatenate([estimate.q, estimate.u, estimate.covariance[np.tril_indices(n)]])


def unpacked(row: Any, model: CompiledModel) -> StateEstimate:
    """Of `packed`."""
    nq, nu = model.nq, model.nu
    covariance = np.empty((2 * nu, 2 * nu), dtype=row.dtype)
    rows, columns = np.tril_indices(2 * nu)
    covariance[rows, columns] = covariance[columns, rows] = row[nq + nu :]
    return StateEstimate(row[:nq], row[nq : nq + nu], covariance)
