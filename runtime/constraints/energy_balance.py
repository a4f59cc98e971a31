"""The balance of energy along a run: d(T + V)/dt is the power of what acts, constraints aside.

True where constraints do not move by themselves: then their forces do no work.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eomc.runtime.constraints.constraints import Constraints
from eomc.runtime.model.state import State

_NEEDS = frozenset(("kinetic_energy", "potential_energy", "power"))


class EnergyBalance:
    """Of steps of a constrained model; `is_known` says whether its module can tell."""

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = constraints
        model = constraints.model
        self.is_known = set(model.manifest["functions"]) >= _NEEDS and not model.prescribed

    def lost(
        self, t: float, state: State, later: float, after: State, within: Callable[[float], State]
    ) -> float:
        """The share of kinetic energy that a step made or lost beside the work done on it.

        `within` gives states inside the step. Simpson's rule gives the work; what it differs from
        the trapezoidal rule by is not counted. 0 where the balance is not known.
        """
        at = self.constraints.at(later, after.moved(after.q, 0 * after.u))
        if not self.is_known or at.velocity.any():
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
        size = max(*kinetic, 1e-300)
        return max(abs(change - work) - doubt, 0.0) / size

    def _power(self, t: float, state: State) -> float:
        return self._call("power", t, state, tau=self.constraints.excitation.torque(t, state))

    def _call(self, function: str, t: float, state: State, **more: object) -> float:
        arguments = {**self.constraints.arguments(t, state), **state.named, **more}
        return float(np.asarray(self.constraints.excitation.call(function, arguments)))
