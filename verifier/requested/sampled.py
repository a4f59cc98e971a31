"""A controller that samples, with one of everything that stands between a law and a mechanism."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.derive.functions import KINDS
from eomc.derive.functions.core import CORE
from eomc.derive.graph import Program
from eomc.runtime.control import Sampled
from eomc.runtime.control.emitted_law import RememberingLaw, law_equation
from eomc.runtime.control.reference import Reference
from eomc.runtime.control.signal import LowPass, Noise, Quantizer, RateLimit, Saturation
from eomc.runtime.difference import DifferenceEquation

NEEDS = ("coordinate_rates", "forward_dynamics", "normalize", "difference")
"""Functions without which there is no such loop."""
_LAGS = (0.4, 0.7, 0.0)
"""Of each speed's actuator, of a period."""


_BETWEEN = 0.37
"""Of a period, after which the target changes: no sample is then."""


class Returning(RememberingLaw):
    """Forces towards a configuration, by displacement, its sum and the speeds."""

    def equation(self, period: float) -> DifferenceEquation:
        """tau = kp e - kd u + ki sum e T"""
        model, n = self.model, len(self.model.speeds)
        kp, kd, ki = 3.0 + np.arange(n), 0.5 + np.arange(n), 0.25 / period

        def step(by: Any, state: Any, w: Any, q: Any, u: Any, q_d: Any) -> tuple[Any, Any]:
            e = by.call("difference", q0=q, q1=q_d)
            total = state + period * e
            return total, kp * e - kd * u + ki * total

        return law_equation(model, ("q_d",), step, np.zeros(n), ("difference",))


def sampled(
    model: Any, period: float, targets: tuple[ArrayLike, ArrayLike], seed: int, delay: float = 2.3
) -> Sampled:
    """The controller, towards one target and the other by turns of two periods, its commands late
    by `delay` periods; of `model` the names of coordinates and speeds are read, and in runs its
    functions."""
    places, none = [np.asarray(q, dtype=float) for q in targets], np.zeros(len(model.speeds))

    def reference(t: float) -> Reference:
        return Reference(places[int(t / period + _BETWEEN) // 2 % 2], none, none)

    lag = np.array([_LAGS[k % len(_LAGS)] for k in range(len(none))])
    law = Returning(model, reference)
    return Sampled(
        law,
        period,
        delay=delay * period,
        lag=lag * period,
        seed=seed,
        sensors={"q": [Quantizer(1e-3)], "u": [Noise(0.01), LowPass(0.5 * period)]},
        actuators=[RateLimit(50 / period), Saturation(20.0)],
    )


def plant(program: Program) -> Program:
    """The mechanism, with what its steps take."""
    kept = [f for f in program.functions if f.name in CORE and not KINDS[f.name].feeds]
    return replace(program, functions=tuple(kept))


@dataclass(frozen=True)
class ControllerModel:
    """A program of which functions can be asked for: the controller's model."""

    whole: Program

    def program(self, functions: list[str]) -> Program:
        """With these functions."""
        kept = [f for f in self.whole.functions if f.name in functions]
        return replace(self.whole, functions=tuple(kept))
