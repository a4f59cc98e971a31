"""Events: zeros of functions of time and state along a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.excitation.law_arguments import check_law_arguments
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State, parted

EventFunction = Callable[[float, Array, Array], float]
"""g(t, q, u), an event where it passes through zero. As of SciPy's, its attribute `terminal` (True
to end the run) and `direction` (1 rising, -1 falling, 0 both) may be set."""


@dataclass(frozen=True, eq=False)
class StateEvent:
    """An event of the whole state, states of elements included; the rest as of functions.

    looks : how often its sign is looked at in each step
    """

    value: Callable[[float, State], float]
    terminal: bool
    direction: int
    looks: int = 1


def event_functions(
    given: EventFunction | Sequence[EventFunction] | None,
) -> tuple[EventFunction, ...]:
    """The functions of `simulate(events=...)`: none, one or several."""
    if given is None:
        return ()
    functions = (given,) if callable(given) else given
    if not isinstance(functions, Sequence) or not all(map(callable, functions)):
        raise ValueError("events: give a function of (t, q, u), or a list of them")
    for function in functions:
        check_law_arguments("events", function, "t", "q", "u")
    return tuple(functions)


@dataclass(frozen=True)
class Events:
    """Zeros of one event function: times (k,), coordinates (k, nq) and speeds (k, nu)."""

    t: Array
    q: Array
    u: Array


class LastStep(Protocol):
    """The last step of a run, as SciPy's solvers show it: its ends and the states within."""

    @property
    def t_old(self) -> float: ...
    @property
    def t(self) -> float: ...
    @property
    def y(self) -> Array: ...
    def dense_output(self) -> Callable[[float], Array]: ...


@dataclass(frozen=True)
class Stretch:
    """A `LastStep` by itself: the state [q; u; z] at its end, and a function for those within."""

    t_old: float
    t: float
    y: Array
    state: Callable[[float], Array]

    def dense_output(self) -> Callable[[float], Array]:
        return self.state


class EventFinder:
    """Watches event functions from step to step of a solver."""

    def __init__(
        self,
        functions: Sequence[EventFunction | StateEvent],
        model: CompiledModel,
        t: float,
        y: Array,
    ) -> None:
        self.functions = functions
        self.model = model
        self.size = y.size
        self.found: list[list[tuple[float, Array]]] = [[] for _ in functions]
        self._values = [self._value(k, t, y) for k in range(len(functions))]

    def _value(self, k: int, t: float, y: Array) -> float:
        state, function = parted(self.model, y), self.functions[k]
        if isinstance(function, StateEvent):
            given = function.value(t, state)
        else:
            given = function(t, state.q, state.u)
        try:
            value = float(given)
        except (TypeError, ValueError):
            kind = type(given).__name__
            raise ValueError(f"events[{k}]: give one number, not {kind}") from None
        if not np.isfinite(value):
            raise ValueError(f"events[{k}] is {value} at t = {t:.6g} s")
        return value

    def step(self, solver: LastStep) -> float | None:
        """Events of the solver's last step; the time of the first terminal one, if any."""
        found: list[tuple[float, Array, int]] = []
        for k, function in enumerate(self.functions):
            wanted = np.sign(getattr(function, "direction", 0))
            # What a compiled method shows is as short as it is to be looked at.
            count = 1 if isinstance(solver, Stretch) else getattr(function, "looks", 1)
            within = solver.dense_output() if count > 1 else None
            for low, high in pairwise(np.linspace(solver.t_old, solver.t, count + 1).tolist()):
                before = self._values[k]
                y = solver.y if high == solver.t or within is None else np.array(within(high))
                after = self._values[k] = self._value(k, high, y)
                rises, falls = before <= 0 < after, before >= 0 > after
                ends = after == 0 != before
                rises, falls = rises or (ends and before < 0), falls or (ends and before > 0)
                if before != 0 and ((rises and wanted >= 0) or (falls and wanted <= 0)):
                    found.append((*self._zero(k, solver, low, high, y), k))
        found.sort(key=lambda event: (event[0], event[2]))
        for t, y, k in found:
            self.found[k].append((t, y))
            if getattr(self.functions[k], "terminal", False):
                return t
        return None

    def _zero(
        self, k: int, solver: LastStep, low: float, high: float, y: Array
    ) -> tuple[float, Array]:
        from scipy.optimize import brentq

        state = solver.dense_output()

        def value(t: float) -> float:
            return self._value(k, t, state(t))

        # The interpolant may miss the ends of the step by round-off.
        if value(low) * value(high) > 0:
            return float(high), np.array(y)
        t = float(brentq(value, low, high, xtol=4 * np.finfo(float).eps * max(abs(high), 1e-300)))
        return t, np.array(state(t))

    def events(self) -> tuple[Events, ...]:
        """All events, by function."""
        result = []
        for pairs in self.found:
            t = np.array([pair[0] for pair in pairs])
            y = np.array([pair[1] for pair in pairs]).reshape(len(pairs), self.size)
            states = parted(self.model, y)
            result.append(Events(t, states.q, states.u))
        return tuple(result)
