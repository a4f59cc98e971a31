"""The initial value problem of a run, and its solution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.excitation import Excitation
from eomc.runtime.integrators.events import EventFunction, Events
from eomc.runtime.state import State

Array = NDArray[np.float64]


STIFF = "the equations may be stiff: choose 'Radau' or 'BDF', or raise max_steps"
"""What to do where a method takes too many steps."""


@dataclass(frozen=True)
class Problem:
    """q' = G(q) u, u' = forward_dynamics(q, u, tau, ...) from a state, wanted at `times`.

    times : (n,) increasing [s], the first one being that of `state`
    step : longest step [s], or None
    report : takes the time reached
    events : functions whose zeros are wanted
    dense : whether the states between the times are wanted too
    most_steps : of an adaptive method, or None for the method's own limit
    restore : brings a state at a time back onto the constraints, or None if there are none
    acceleration : gives the state that a time and state stand for, and u' there, if that is not
        `forward_dynamics`
    """

    model: CompiledModel
    excitation: Excitation
    state: State
    times: Array
    step: float | None
    report: Callable[[float], None]
    events: Sequence[EventFunction] = ()
    dense: bool = False
    most_steps: int | None = None
    restore: Callable[[float, State], State] | None = None
    acceleration: Callable[[float, State], tuple[State, Array]] | None = None

    def rates(self, t: float, state: State) -> tuple[Array, Array]:
        """(q', u') at a state on the manifold."""
        if self.acceleration is not None:
            state, a = self.acceleration(t, state)
            values = {"q": state.q, "u": state.u, **self.excitation.others(t, state)}
            return self.excitation.call("coordinate_rates", values), a
        values = {"q": state.q, "u": state.u, "tau": self.excitation.torque(t, state)}
        values |= self.excitation.others(t, state)
        return (
            self.excitation.call("coordinate_rates", values),
            self.excitation.call("forward_dynamics", values),
        )

    def restored(self, t: float, y: Array) -> Array:
        """[q; u] on the constraints."""
        assert self.restore is not None
        nq = self.model.nq
        return np.concatenate(self.restore(t, State(y[:nq], y[nq:])))


@dataclass
class Solution:
    """Times reached (n,), states there: q (n, nq), u (n, nu); what it took; torques if held.

    dense : times (k,) to states [q; u] (nq + nu, k), by the interpolants of the method
    """

    t: Array
    q: Array
    u: Array
    statistics: dict[str, int] = field(default_factory=dict)
    tau: Array | None = None
    events: tuple[Events, ...] = ()
    dense: Callable[[Array], Array] | None = None
