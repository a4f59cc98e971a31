"""The balance of energy along a run: d(T + V)/dt is the power of what acts, constraints aside.

    d(T + V)/dt = P + F_s . s' - lambda . b

P is the power of torques and of forces without potential, F_s what the prescribed motion s(t)
takes (`prescribed_forces`, which constraints hold a share of), and b the rate at which constraints
move by themselves, G u + b = 0: all others do no work.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.model.state import State

_NEEDS = frozenset(("kinetic_energy", "potential_energy", "power"))
_PRESCRIBED, _MULTIPLIERS = "prescribed_forces", "constrained_dynamics"


class EnergyBalance:
    """Of steps of a constrained model; `is_known` says whether its module can tell."""

    def __init__(self, constraints: IndependentConstraints) -> None:
        self.constraints = constraints
        model = constraints.model
        self._functions = set(model.available_functions)
        needs = _NEEDS | ({_PRESCRIBED} if model.prescribed else set())
        self.is_known = self._functions >= needs

    def lost(
        self, t: float, state: State, later: float, after: State, within: Callable[[float], State]
    ) -> float:
        """The share of kinetic energy that a step made or lost beside the work done on it.

        `within` gives states inside the step. Simpson's rule gives the work; what it differs from
        the trapezoidal rule by is not counted. 0 where the balance is not known.
        """
        if not self.is_known:
            return 0.0
        kinetic = [self._call("kinetic_energy", *place) for place in ((t, state), (later, after))]
        change = kinetic[1] - kinetic[0]
        change += self._call("potential_energy", later, after)
        change -= self._call("potential_energy", t, state)
        ends = [self._power(t, state), self._power(later, after)]
        work = doubt = 0.0
        if any(ends):
            middle = (t + later) / 2
            trapezoidal = (later - t) * sum(ends) / 2
            work = (trapezoidal + 2 * (later - t) * self._power(middle, within(middle))) / 3
            doubt = abs(work - trapezoidal)
        if not np.isfinite(work):
            return 0.0
        size = max(*kinetic, 1e-300)
        return max(abs(change - work) - doubt, 0.0) / size

    def _power(self, t: float, state: State) -> float:
        """Of all that changes T + V; no number where what moves the constraints has none."""
        tau = self.constraints.excitation.torque(t, state)
        power = self._call("power", t, state, tau=tau)
        still = {"u": 0 * state.u}
        try:
            if self.constraints.model.prescribed:
                rate = np.asarray(self.constraints.arguments(t, state)["s_rate"])
                power += float(self._values(_PRESCRIBED, t, state, tau=tau) @ rate)
                still["s_rate"] = 0 * rate
            moving = self._values("constraint_velocity", t, state, **still)
            if moving.any():
                if _MULTIPLIERS not in self._functions:
                    return np.nan
                more = {"tau": tau, "stabilization": np.zeros(1)}
                power -= float(self._values(_MULTIPLIERS, t, state, **more) @ moving)
        except ArithmeticError:  # the configuration is singular
            return np.nan
        return power

    def _call(self, function: str, t: float, state: State, **more: object) -> float:
        return float(self._values(function, t, state, **more))

    def _values(self, function: str, t: float, state: State, **more: object) -> Array:
        arguments = {**self.constraints.arguments(t, state), **state.named, **more}
        found = self.constraints.excitation.call(function, arguments)
        return np.asarray(found[-1] if isinstance(found, tuple) else found)
