"""A regulator that is fed by an observer, from sample to sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import ALL
from eomc.runtime.control.controllability import ControllabilityError, controllability
from eomc.runtime.control.emitted_law import RememberingLaw, law_equation
from eomc.runtime.control.lqr import LQR
from eomc.runtime.control.regulator import weights
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.difference.equation import product
from eomc.runtime.linearization.discretization import gathered, zero_order_hold
from eomc.runtime.names.near_names import places_of


class ObservedRegulator(RememberingLaw):
    """f_k = f_0 - K x^_k, x^_k+1 = A_d x^_k + B_d (f_k - f_0) + L (y_k - C x^_k)

    with x the deviation (displacements, rates) from the place of rest of an `LQR`, y those entries
    of it that are measured, and A_d, B_d exact from sample to sample. Without a gain of its own L
    is that of the stationary Kalman filter.

    References: Luenberger, An introduction to observers, IEEE Trans. Automatic Control 16 (1971);
    Åström and Wittenmark, *Computer-Controlled Systems* (1997), sec. 4.5 and 11.3.

    Parameters
    ----------
    law : LQR
    measured : sequence of str
        Names of speeds, for the displacements that are measured, and ``speed(name)`` for rates.
    process : number, (2 n,) or matrix
        Density of white noise on x'.
    noise : number, (k,) or matrix
        Density of white noise on the measurements.
    gain : (2 n, k), optional
        L itself, for given poles of the observer.

    Raises ControllabilityError, with the mode, where the measurements do not see all; ValueError
    for unknown names, other shapes, matrices that are no covariances, and laws of models with
    states of elements or of a plant that differs in its names.
    """

    def __init__(
        self,
        law: LQR,
        measured: Sequence[str],
        process: ArrayLike = 1.0,
        noise: ArrayLike = 1.0,
        *,
        gain: ArrayLike | None = None,
    ) -> None:
        if law.element_states or law.plant.plant is not law.model:
            raise ValueError(
                "law: give the LQR of a model without states of elements, on a plant of that model"
            )
        super().__init__(law.model, law.reference, ALL)
        self.law, self.measured = law, tuple(measured)
        self.states = (*law.speeds, *(f"speed({name})" for name in law.speeds))
        places = places_of(self.measured, self.states, "measured: no state")
        self.C: Array = np.eye(len(self.states))[places]
        unseen = controllability(law.A.T, self.C.T, self.states).uncontrollable
        if unseen:
            raise ControllabilityError(f"the measurements do not see {'; '.join(map(str, unseen))}")
        n, k = len(self.states), len(self.measured)
        self.process, self.noise = weights(process, noise, n, k)
        self._gain = None if gain is None else _observer_gain(gain, (n, k))

    def discrete(self, period: float) -> tuple[Array, Array, Array]:
        """A_d (2 n, 2 n), B_d (2 n, m) and L (2 n, k)."""
        a, b = zero_order_hold(self.law.A, self.law.B, period)
        return a, b, self._filter(a, period) if self._gain is None else self._gain

    def _filter(self, a: Array, period: float) -> Array:
        """L = A P C^T (C P C^T + V/T)^-1 of the stationary Kalman filter."""
        from scipy.linalg import solve_discrete_are

        drawn, c = self.noise / period, self.C
        p = solve_discrete_are(a.T, c.T, gathered(self.law.A, self.process, period), drawn)
        found: Array = np.linalg.solve(c @ p @ c.T + drawn, c @ p @ a.T).T
        return found

    def equation(self, period: float) -> DifferenceEquation:
        """Its state is x^."""
        law, (a, b, gain) = self.law, self.discrete(period)
        rows = law.model.speeds
        places = [rows.index(name) for name in law.speeds]
        flow = a - b @ law.gain - gain @ self.C

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, q_d: Any, u_d: Any
        ) -> tuple[Any, Any]:
            e = by.call("difference", q0=q_d, q1=q)
            seen = product(self.C, np.concatenate([e[places], (u - u_d)[places]]))
            force = law.forces - product(law.gain, state)
            after = product(flow, state) + product(gain, seen)
            return after, law.mechanism.acted(by, q, u, force)

        return law_equation(
            law.model,
            ("q_d", "u_d"),
            step,
            np.zeros(len(self.states)),
            ("difference", *law.mechanism.functions),
        )


def _observer_gain(gain: ArrayLike, shape: tuple[int, int]) -> Array:
    given = np.array(gain, dtype=np.float64)
    if given.shape != shape or not np.isfinite(given).all():
        raise ValueError(f"gain has shape {given.shape}, expected finite numbers {shape}")
    return given
