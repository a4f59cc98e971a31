"""A law that is fed by an estimate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.emitted_law import EmittedLaw
from eomc.runtime.difference import DifferenceEquation, NotEmittableError, Operations
from eomc.runtime.estimation.extended_kalman_filter import (
    CALLS,
    ExtendedKalmanFilter,
    StateEstimate,
    packed,
    unpacked,
)
from eomc.runtime.excitation.excitation import Controller
from eomc.runtime.model.compiled import CompiledModel


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
        self.estimates: list[tuple[float, StateEstimate]] = []

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

    @property
    def model(self) -> CompiledModel:
        """The law's."""
        return self._emitted().model

    def reference(self, t: float) -> Any:
        """The law's reference at time t."""
        return self._emitted().reference(t)

    def equation(self, period: float) -> DifferenceEquation:
        """Filter and law as one difference equation, for C; the covariance is among its states.

        Raises NotEmittableError of a law that has none, or that believes in another model.
        """
        law, filter_, model = self._emitted(), self.estimator, self.estimator.model
        own, size = law.equation(period), len(packed(filter_.first))
        if (law.model.coordinates, law.model.speeds) != (model.coordinates, model.speeds):
            raise NotEmittableError(f"{type(law).__name__}: its model is not that of the filter")
        assumed_parameters = filter_.assumed_parameters()
        if assumed_parameters != dict(own.parameters):
            raise NotEmittableError(
                f"{type(law).__name__} and the filter believe in different parameters; give both "
                "the same"
            )
        filtering = filter_.filtering(period)

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, *given: Any
        ) -> tuple[Any, Any]:
            now = filtering.corrected(by, unpacked(state[:size], model), q, u)
            memory, tau = own.step(by, state[size:], w, now.q, now.u, *given)
            coming = filtering.predicted(by, now, tau)
            return np.concatenate([packed(coming), memory]), tau

        start = np.concatenate([packed(filter_.first), own.start])
        functions = tuple(dict.fromkeys((*CALLS, *own.functions)))
        return DifferenceEquation(
            start, own.inputs, own.output, own.rows, step, own.draws, functions, assumed_parameters
        )

    def _emitted(self) -> EmittedLaw:
        if not isinstance(self.law, EmittedLaw):
            raise NotEmittableError(f"law: {type(self.law).__name__} has no difference equation")
        return self.law
