"""The initial value problem of a run, and its solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.integrators.events import EventFunction, Events, StateEvent
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import LawError, SimulationError
from eomc.runtime.model.state import State, parted

_STIFF = ("Radau", "BDF")


def too_many(method: str, steps: object) -> str:
    """Message of a method that takes too many steps, with advice.

    >>> too_many("Radau", 9)
    "9 steps taken; the equations may be stiff: choose 'BDF', or raise max_steps"
    """
    others = " or ".join(repr(name) for name in _STIFF if name != method)
    return f"{steps} steps taken; the equations may be stiff: choose {others}, or raise max_steps"


class PassageReport(Protocol):
    """The motion of a constrained model close to singular configurations."""

    def nearness(self, t: float, state: State) -> float:
        """0 at a singular configuration, 1 far from all."""

    def project(self, t: float, state: State) -> State:
        """The nearest consistent state."""

    def acceleration(self, t: float, state: State) -> tuple[State, Array]:
        """The nearest consistent state, and u' there."""

    def rounding(self, state: State) -> tuple[float, Array]:
        """Rounding of rates there: a share of any state, and of each entry of [q; u]."""

    def lost(
        self, t: float, state: State, later: float, after: State, within: Callable[[float], State]
    ) -> float:
        """The share of kinetic energy that a step made or lost beside the work done on it."""

    def is_crossed(self, t: float, state: State, later: float, after: State) -> bool:
        """True if a singular configuration lies between two states."""

    def singular(self, t: float, state: State) -> SimulationError:
        """The error of a run that ends close to a singular configuration."""


@dataclass(frozen=True)
class InitialValueProblem:
    """q' = G(q) u, u' = forward_dynamics(q, u, tau, ...) from a state, wanted at `times`;
    z' = element_state_rates(q, u, z, ...) if elements have states.

    times : (n,) increasing [s], the first one being that of `state`
    step : longest step [s], or None
    report : takes the time reached
    events : functions whose zeros are wanted
    dense : whether the states between the times are wanted too
    most_steps : of an adaptive method, or None for the method's own limit
    project : brings a state at a time back onto the constraints, or None if there are none
    acceleration : gives the state that a time and state stand for, and u' there, if that is not
        `forward_dynamics`
    passage : past singular configurations, None without constraints
    stops_at_singularity : whether the run ends there instead
    sides : signs of the switching functions at the end of the stretch before, or None
    rho : numerical damping of the methods that have one by choice, see `simulate`
    memory : what such a method kept at the end of the stretch before, or None
    """

    model: CompiledModel
    excitation: Excitation
    state: State
    times: Array
    step: float | None
    report: Callable[[float], None]
    events: Sequence[EventFunction | StateEvent] = ()
    dense: bool = False
    most_steps: int | None = None
    project: Callable[[float, State], State] | None = None
    acceleration: Callable[[float, State], tuple[State, Array]] | None = None
    passage: PassageReport | None = None
    stops_at_singularity: bool = False
    sides: Array | None = None
    rho: float = 0.8
    memory: Array | None = None

    @property
    def is_held(self) -> bool:
        """True if all that acts can stay over a step, which no prescribed motion can, nor what
        solves for the accelerations of independent coordinates."""
        return self.acceleration is None and self.excitation.is_at_rest

    @contextmanager
    def acting(self, t: float, state: State) -> Iterator[None]:
        """While a controller acts: what is wrong with it at the start is raised as it is.

        Raises LawError, with the time and the state, where it fails later.
        """
        try:
            yield
        except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
            if t <= float(self.times[0]):
                raise
            raise LawError.at(self.model, t, state.q, state.u, error) from error

    def rates(
        self, t: float, state: State, held: Mapping[str, Any] | None = None
    ) -> tuple[Array, ...]:
        """(q', u') at a state on the manifold, and z' if there is any; `held` are torques tau and
        inputs r that stay."""
        call = self.excitation.call
        a: Array | None = None
        if self.acceleration is not None:
            state, a = self.acceleration(t, state)
        values = {"q": state.q, "u": state.u, **self.excitation.others(t, state), **(held or {})}
        if a is None:
            if "tau" not in values:
                values["tau"] = self.excitation.torque(t, state)
            a = call("forward_dynamics", values)
        rates = call("coordinate_rates", values), a
        if not self.model.element_states:
            return rates
        return (*rates, call("element_state_rates", values))

    def projected(self, t: float, y: Array) -> Array:
        """[q; u; z] on the constraints."""
        assert self.project is not None
        return np.concatenate(self.project(t, parted(self.model, y)))


@dataclass
class RunSolution:
    """Times reached (n,), the states there in rows (n, ...); what it took; torques if they stay
    over steps.

    switches : times at which forces of elements had kinks, by name
    sides : signs of the switching functions at the end, None by methods that do not watch them
    dense : times (k,) to states [q; u; z] (nq + nu + nz, k), by the interpolants of the method
    told : "method" that was chosen on the way, and "why"
    memory : what a method with numerical damping keeps at the end, its residual last
    """

    t: Array
    states: State
    statistics: dict[str, Any] = field(default_factory=dict)
    tau: Array | None = None
    events: tuple[Events, ...] = ()
    dense: Callable[[Array], Array] | None = None
    switches: Mapping[str, Array] = field(default_factory=dict)
    sides: Array | None = None
    told: Mapping[str, str] = field(default_factory=dict)
    memory: Array | None = None
