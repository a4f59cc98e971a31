"""A law that is fed by an estimate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.estimation.extended_kalman_filter import Estimate, ExtendedKalmanFilter
from eomc.runtime.excitation.excitation import Controller

Array = NDArray[np.float64]


class OutputFeedback:
    """tau_k = law(t_k, q^_k, u^_k) with the estimate of a filter; for `Sampled`.

    Of what is measured the filter takes its own entries alone, and predicts by the torques that the
    law commanded: what actuators make of them it does not know.

    Parameters
    ----------
    law : object with ``torque(t, q, u)``
    estimator : ExtendedKalmanFilter

    Attributes
    ----------
    estimates : list of (t, Estimate)
        Those of the last run.
    """

    def __init__(self, law: Controller, estimator: ExtendedKalmanFilter) -> None:
        self.law = law
        self.estimator = estimator
        self.estimates: list[tuple[float, Estimate]] = []

    def at_samples(self, period: float) -> Callable[[float, Array, Array], ArrayLike]:
        """The law of one run, called at each sample with what is measured."""
        self.estimates = []
        coming = self.estimator.begin()

        def step(t: float, q: Array, u: Array) -> ArrayLike:
            nonlocal coming
            now = self.estimator.corrected(coming, t, q, u)
            self.estimates.append((t, now))
            tau = np.asarray(self.law.torque(t, now.q, now.u), dtype=np.float64)
            coming = self.estimator.predicted(now, t, tau, period)
            return tau

        return step
