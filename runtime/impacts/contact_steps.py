"""Runs of models with rigid contacts by velocity-level steps of fixed length, in C.

Contacts open, close, stick and slip within a step, without events: see the methods "moreau" and
"stewart_trinkle" in `eomc.codegen.c.contact_step`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.impacts.contacts import FUNCTION
from eomc.runtime.integrators.events import EventFinder, Stretch
from eomc.runtime.integrators.problem import InitialValueProblem as Problem
from eomc.runtime.integrators.problem import RunSolution
from eomc.runtime.model.arguments import model_length
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import SimulationError, stopped
from eomc.runtime.model.needed_functions import CONTACT_METHODS
from eomc.runtime.model.state import State
from eomc.runtime.names.near_names import near_names

_CHUNK = 1_000
_SETTINGS = {"sweeps": 100.0, "tolerance": 1e-12, "residual": 1e-2}
_SOLVERS = ("newton", "gauss_seidel")
_DEEPEST = 1e-3
"""Depth at the start, by the model's length, that is refused."""


def is_contact_method(method: object) -> bool:
    """True for a method of steps with rigid contacts."""
    return isinstance(method, str) and method in CONTACT_METHODS


@dataclass(frozen=True, eq=False)
class SteppedContacts:
    """Impulses and forces of rigid contacts in a run of steps.

    Attributes
    ----------
    names : of the contacts
    impulses : mapping of names to (n, 1) or (n, 3)
        From each recorded time to the one before: along the normal, and along two tangents where
        there is friction [N s]. Rows of constraints are among them.
    forces : the same by the time between [N]
    residual : (n,)
        The largest of the steps of each interval, see `eomc.simulate`.
    """

    names: tuple[str, ...]
    impulses: Mapping[str, Array]
    forces: Mapping[str, Array]
    residual: Array


class ContactSteps:
    """Steps of one method on one model; impulses are carried from each to the next."""

    def __init__(
        self,
        model: CompiledModel,
        excitation: Excitation,
        method: str,
        step: float | None,
        settings: Mapping[str, Any] | None,
    ) -> None:
        self.model, self.excitation, self.method = model, excitation, method
        self.settings = contact_settings(settings)
        self.longest = step or math.inf
        _check_model(model, method)
        compiled, record = model.integrator(method), model.integrator_record(method)
        if compiled is None or record is None:
            raise ValueError(_without_method(model, method))
        self._call, self._names = compiled
        self.entry = record
        self._z = np.zeros(record["nz"])
        self._rows: list[Array] = []
        self._times: list[float] = []
        self.statistics: dict[str, Any] = {"steps": 0, "residual": 0.0}

    def with_statistics(self, solution: RunSolution) -> RunSolution:
        """With the worst residual and its time, and the number of steps in which friction jams."""
        return replace(solution, statistics={**solution.statistics, **self.statistics})

    def record(self, solution: RunSolution) -> SteppedContacts:
        """Impulses and residuals at the times of the record."""
        place = np.searchsorted(solution.t, np.array(self._times) * (1 - 1e-12) - 1e-300)
        rows = np.zeros((len(solution.t), self.entry["nz"]))
        impulses, count = {}, len(self.entry["rows"])
        taken_part = place < len(rows)
        found, place = np.array(self._rows)[taken_part], place[taken_part]
        np.add.at(rows[:, :count], place, found[:, :count])
        np.maximum.at(rows[:, count], place, found[:, count])
        spans = np.diff(solution.t, prepend=solution.t[0])[:, None]
        names, sizes, first = list(self.entry["contacts"]), list(self.entry["contact_rows"]), 0
        others = self.entry["rows"][sum(sizes) :]
        for name, size in zip([*names, *others], [*sizes, *[1] * len(others)], strict=True):
            impulses[name] = rows[:, first : first + size]
            first += size
        forces = {
            name: np.divide(row, spans, out=np.zeros_like(row), where=spans > 0)
            for name, row in impulses.items()
        }
        return SteppedContacts(tuple(names), impulses, forces, rows[:, count])

    def solved(self, problem: Problem, _: Mapping[str, Any]) -> RunSolution:
        """From time to time of the record, or as far as a terminal event."""
        if problem.dense:
            raise ValueError(f"dense: method {self.method!r} keeps no interpolants")
        if not self._times:  # spans between samples begin where the one before ended
            self._check_start(problem)
        times, state = problem.times, problem.state
        start = np.concatenate(state)
        finder = EventFinder(problem.events, problem.model, float(times[0]), start)
        rows, torques = [start], [self._torque(problem, float(times[0]), state)]
        end: float | None = None
        while len(rows) < times.size and end is None:
            t, later = times[len(rows) - 1 : len(rows) + 1].tolist()
            before = state, self._z
            found = self._stretch(problem, len(rows) - 1, state)
            for part, z in found:
                self._rows.append(z)
                self._times.append(float(times[len(rows)]))
                rows.append(np.concatenate(part))
                torques.append(self._torque(problem, float(times[len(rows) - 1]), part))
            state = found[-1][0]
            problem.report(float(times[len(rows) - 1]))
            if problem.events:
                within = _BetweenRows(self, problem, t, before)
                end = finder.step(Stretch(t, later, rows[-1], within))
                rows[-1] = rows[-1] if end is None else within(end)
        t = times[: len(rows)].copy()
        t[-1] = t[-1] if end is None else end
        made, nq = np.array(rows), problem.model.nq
        states = State(made[:, :nq], made[:, nq:], np.zeros((len(rows), 0)))
        return RunSolution(t, states, {}, np.array(torques), events=finder.events())

    def _stretch(self, problem: Problem, row: int, state: State) -> list[tuple[State, Array]]:
        """States behind the time of a row and impulses up to them: of one interval, or of those
        that are single steps of one length, which stay in C."""
        times = problem.times[row : row + _CHUNK + 1]
        spans = np.diff(times)
        h = float(spans[0])
        same = np.isclose(spans, h, rtol=1e-9, atol=0)
        count = same.size if same.all() else int(np.argmin(same))
        if count == 1 or not self._is_constant or problem.events or h > self.longest * (1 + 1e-9):
            t, later = float(times[0]), float(times[1])
            return [self._interval(problem, t, later, state)]
        q, u, z = self._steps(problem, float(times[0]), h, count, state)
        self._require_finite(q, u, float(times[0]), h)
        impulses = len(self.entry["rows"])
        worst = 1 + int(np.argmax(z[1:, impulses]))
        jams = float(z[1:, impulses + 2].sum())
        self._note(float(times[worst]), float(z[worst, impulses]), count, jams)
        self._z = z[-1]
        return [(State(q[k], u[k], state.z), z[k]) for k in range(1, count + 1)]

    @property
    def _is_constant(self) -> bool:
        return self.excitation.is_constant and self.excitation.is_at_rest

    def _require_finite(self, q: Array, u: Array, t: float, h: float) -> None:
        finite = np.isfinite(q).all(axis=1) & np.isfinite(u).all(axis=1)
        if not finite.all():
            reason = "the state is no longer finite: the motion diverges, or the step is too long"
            raise stopped(self.model.name, t + int(np.argmin(finite)) * h, reason)

    def steps_from(
        self, q: Array, u: Array, tau: Array, h: float, count: int
    ) -> tuple[Array, Array, Array]:
        """q, u and z at the start and behind each step, under forces (count, nu).

        Raises FloatingPointError, with the step at the end of its message.
        """
        at_start = State(q, u, np.zeros(0))
        values = self.excitation.others(0.0, at_start) | {"q": q, "u": u, "t": 0.0}
        values |= {"z": np.zeros(self.entry["nz"]), "settings": self.settings, "tau": tau}
        return self._called(values, h, count)

    def rollouts(
        self, q: Array, u: Array, tau: Array, h: float, steps: int, every: int, threads: int | None
    ) -> tuple[Array, Array, Array] | None:
        """The same of many states on lanes, of every so many steps; None without lanes.

        Rows behind the failure of a run are not a number.
        """
        call = getattr(self.model, f"{self.method}_rollouts", None)
        if call is None:
            return None
        at_start = State(q[0], u[0], np.zeros(0))
        values = self.excitation.others(0.0, at_start) | {"q": q, "u": u, "t": 0.0, "tau": tau}
        values |= {"z": np.zeros((len(q), self.entry["nz"])), "settings": self.settings}
        keywords = {} if self.excitation.p is None else {"parameters": self.excitation.p}
        arguments = [values[name] for name in self._names]
        found: tuple[Array, Array, Array] = call(
            *arguments, h, steps, every=every, threads=threads, **keywords
        )
        return found

    def _torque(self, problem: Problem, t: float, state: State) -> Array:
        with problem.acting(t, state):
            return self.excitation.torque(t, state)

    def _check_start(self, problem: Problem) -> None:
        if not self.model.has_function(FUNCTION):
            return
        values = {"q": problem.state.q, "u": problem.state.u}
        values |= self.excitation.others(float(problem.times[0]), problem.state)
        gaps = np.asarray(self.excitation.call(FUNCTION, values)[0])
        least = -_DEEPEST * model_length(self.model)
        for name, gap in zip(self.entry["contacts"], gaps, strict=False):  # then dry friction
            if gap < least:
                raise ValueError(
                    f"model {self.model.name!r}: {name!r} starts with the gap {gap:.6g} m; start "
                    "where none is below zero"
                )

    def _interval(
        self, problem: Problem, t: float, later: float, state: State, *, keeps: bool = True
    ) -> tuple[State, Array]:
        """The state at the later time; impulses summed, the largest residual."""
        count = max(math.ceil((later - t) / self.longest - 1e-9), 1)
        h, done = (later - t) / count, 0
        total = np.zeros(self._z.size)
        while done < count:
            some = min(count - done, _CHUNK) if self._is_constant else 1
            now = t + done * h
            q, u, z = self._steps(problem, now, h, some, state)
            state = State(q[-1], u[-1], state.z)
            self._require_finite(q, u, now, h)
            impulses = len(self.entry["rows"])
            total[:impulses] += z[1:, :impulses].sum(axis=0)
            worst = 1 + int(np.argmax(z[1:, impulses]))
            total[impulses] = max(total[impulses], z[worst, impulses])
            if keeps:
                self._note(now + worst * h, z[worst, impulses], some, z[1:, impulses + 2].sum())
            self._z, done = z[-1], done + some
        return state, total

    def _note(self, t: float, residual: float, steps: int, jams: float) -> None:
        told = self.statistics
        told["steps"] += steps
        if residual > told["residual"]:
            told |= {"residual": float(residual), "residual_time": t}
        if jams:
            told["jamming_steps"] = told.get("jamming_steps", 0) + int(jams)

    def _steps(
        self, problem: Problem, t: float, h: float, count: int, state: State
    ) -> tuple[Array, Array, Array]:
        """q, u and z at the start and behind each step."""
        values = self._values(problem, t, h, state)
        try:
            return self._called(values, h, count)
        except FloatingPointError as error:
            if count > 1:
                q, u, z = [state.q], [state.u], [self._z]
                for k in range(count):
                    found = self._steps(problem, t + k * h, h, 1, State(q[-1], u[-1], state.z))
                    self._z = found[2][-1]
                    for rows, part in zip((q, u, z), found, strict=True):
                        rows.append(part[-1])
                return np.array(q), np.array(u), np.array(z)
            raise self._failed(values, t, h, error) from error

    def _called(
        self, values: Mapping[str, Any], h: float, count: int
    ) -> tuple[Array, Array, Array]:
        keywords = {} if self.excitation.p is None else {"parameters": self.excitation.p}
        arguments = [values[name] for name in self._names]
        found: tuple[Array, Array, Array] = self._call(*arguments, h, count, **keywords)
        return found

    def _values(self, problem: Problem, t: float, h: float, state: State) -> dict[str, Any]:
        """All that a step takes; prescribed motion is that in its middle, or at its end."""
        seen = t + (h / 2 if self.method == "moreau" else h)
        moving = {} if self.excitation.is_at_rest else self.excitation.others(seen, state)
        values = self.excitation.others(t, state) | moving
        values |= {"q": state.q, "u": state.u, "z": self._z, "t": t}
        return values | {"tau": self._torque(problem, t, state), "settings": self.settings}

    def _failed(
        self, values: Mapping[str, Any], t: float, h: float, error: FloatingPointError
    ) -> SimulationError:
        reason = str(error).partition(" in step")[0].removeprefix(f"{self.method}: ")
        if "contacts_unsolved" not in reason:
            return stopped(self.model.name, t, reason)
        settings = [*self.settings[:2], math.inf, *self.settings[3:]]
        z = self._called({**values, "settings": settings}, h, 1)[2][-1]
        contact = self.entry["contacts"][int(z[-2])]
        rows = ((self.model.coordinates, values["q"]), (self.model.speeds, values["u"]))
        where = ", ".join(
            f"{word}{name} = {x:.6g}" if not word else f"speed({name}) = {x:.6g}"
            for word, (names, row) in zip(("", "speed"), rows, strict=True)
            for name, x in zip(names, np.asarray(row).tolist(), strict=True)
        )
        return stopped(
            self.model.name,
            t,
            f"contacts_unsolved: {int(self.settings[0])} sweeps leave the residual "
            f"{z[-3]:.3g} at the contact {contact!r}, above {self.settings[2]:g}; give "
            f"more sweeps by contacts=, or a shorter step (state: {where})",
        )


@dataclass(frozen=True)
class _BetweenRows:
    """States between two times of the record, for events."""

    steps: ContactSteps
    problem: Problem
    t: float
    before: tuple[State, Array]

    def __call__(self, t: float) -> Array:
        state, z = self.before
        if t > self.t:
            kept, self.steps._z = self.steps._z, z
            state, _ = self.steps._interval(self.problem, self.t, t, state, keeps=False)
            self.steps._z = kept
        return np.concatenate(state)


def contact_settings(given: Mapping[str, Any] | None) -> list[float]:
    """Sweeps, tolerance, residual; whether Newton's method ends a solve and friction is relaxed."""
    found: dict[str, Any] = {**_SETTINGS, "solver": _SOLVERS[0], "relaxed": False}
    if not isinstance(given or {}, Mapping):
        raise ValueError(f"contacts: give a mapping of settings, not {given!r}")
    for name, value in (given or {}).items():
        if name not in found:
            raise ValueError(f"contacts: unknown {name!r}; {near_names(str(name), list(found))}")
        found[name] = value
    solver, relaxed = found.pop("solver"), found.pop("relaxed")
    if not isinstance(relaxed, bool):
        raise ValueError(f"contacts: relaxed is {relaxed!r}; give True or False")
    if solver not in _SOLVERS:
        raise ValueError(
            f"contacts: unknown solver {solver!r}; {near_names(str(solver), _SOLVERS)}"
        )
    for name, value in found.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise ValueError(f"contacts: {name} is {value!r}; give a number that is not negative")
    sweeps = float(found["sweeps"])
    if sweeps < 1 or sweeps % 1 or not math.isfinite(sweeps):
        raise ValueError(f"contacts: sweeps is {sweeps:g}; give a whole number of at least 1")
    return [*map(float, found.values()), float(solver == "newton"), float(relaxed)]


def _check_model(model: CompiledModel, method: str) -> None:
    """Raise ValueError for what these steps do not take."""
    if not model.has_function("contact_equations"):
        raise ValueError(
            f"method {method!r} is of models with rigid contacts or dry friction; model "
            f"{model.name!r} has none, or a rigid contact with smooth friction, which is no "
            "impulse: give friction of kind dry"
        )
    if model.element_states:
        names = ", ".join(model.element_states)
        raise ValueError(f"method {method!r} steps no states of elements, and there are {names}")


def _without_method(model: CompiledModel, method: str) -> str:
    other = next(name for name in CONTACT_METHODS if name != method)
    if model.integrator(other) is not None:
        return (
            f"method {method!r} takes no contacts that give way, as some of {model.name!r} do; "
            f"take {other!r}"
        )
    return f"model {model.name!r} was compiled without {method!r}; build it with contact_equations"
