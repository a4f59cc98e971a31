"""Near-rigid control in C: what it finds satisfies what it solves, and is the least."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import linprog, nnls

from eomc.binding.arrays import Array
from eomc.building.near_rigid_control import OutOfReachError, near_rigid_control
from eomc.verifier.requested.choice import asked
from eomc.verifier.subject.check import Absent, Comparison, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState

CLOSED, LEAST = 1e-8, 1e-6
_STATES, _DRAWS = 4, 30


@check(
    "near-rigid control",
    compares="inputs and changes of strains that near-rigid control finds, without bounds, with "
    f"bounds that hold it back, chosen and {_DRAWS} times at random, and where it finds none, as "
    "where speeds that move together are wanted to part",
    reference="the equations that they are to satisfy, with the least accelerations and "
    "multipliers; the conditions of Karush, Kuhn and Tucker of a least sum of squares (Nocedal "
    "and Wright, Numerical Optimization, ch. 16); a linear program where there are none",
    tolerance=f"{CLOSED:.0e} of the terms of the equations, {LEAST:.0e} of the inputs",
    needs=("mass_matrix", "bias", "difference"),
    thorough=True,
)
def near_rigid(subject: DerivedSubject) -> Iterator[Comparison]:
    """In random states, for as many controlled speeds as strains and constraints leave free."""
    if subject.declared is None or not (subject.declared.stretching() and subject.model.inputs):
        raise Absent("elements that stretch under inputs")
    other = subject.beside(asked(subject.program, subject.frames))
    control = near_rigid_control(other.program, **subject.options)
    if control is None:
        raise Absent("near-rigid control")
    rng = np.random.default_rng(subject.seed)
    regular = {state.label for state in other.regular if "high" not in state.label}
    for state in [s for s in other.states if s.is_random and s.label in regular][:_STATES]:
        task = _LeastChange.of(other, state)
        bounds = [_unbounded(task)]
        yield from _contradictions(control, state, task)
        while bounds:
            values = {**state.values, **task.given, **task.named(bounds[0])}
            try:
                found = np.concatenate(control(values, task.controlled))
            except OutOfReachError as refusal:
                yield task.refused(str(refusal), bounds.pop(0))
                continue
            if not np.isfinite(bounds[0]).any():
                bounds += [*_narrower(found, task), *_drawn(found, task, rng)]
            yield from task.judged(found, bounds.pop(0))


def _contradictions(control: Any, state: TestState, task: _LeastChange) -> Iterator[Comparison]:
    """As many accelerations wanted as are free, of speeds that move together."""
    chosen = [int(k) for k in np.flatnonzero(task.controlled)]
    others = [int(k) for k in np.flatnonzero(task.controlled == 0)]
    values = {**state.values, **task.given, **task.named(_unbounded(task))}
    for place, k in itertools.product(range(len(chosen)), others):
        together = [*chosen[:place], k, *chosen[place + 1 :]]
        wanted = np.vstack([task.held, np.eye(len(task.controlled))[together]])
        if np.linalg.matrix_rank(wanted, tol=1e-6) < len(wanted):
            said = ""
            try:
                control(values, np.isin(np.arange(len(task.controlled)), together).astype(float))
            except OutOfReachError as refusal:
                said = str(refusal)
            error = 0.0 if "motion_out_of_reach" in said else np.inf
            yield Comparison("speeds that move together", state.label, error, 0.0)
            return


def _unbounded(task: _LeastChange) -> Array:
    return np.array([[-np.inf, np.inf]] * task.bounded).T


def _narrower(found: Array, task: _LeastChange) -> Iterator[Array]:
    """Bounds that what was found passes: of the largest input, of the least strain, of both; of
    several strains, and of those and all inputs, so that several hold it back at once."""
    at = found + np.concatenate([np.zeros(task.inputs), task.strain])
    k = int(np.abs(found[: task.inputs]).argmax())
    strains = at[task.inputs :]
    size = float(np.abs(strains).max())
    of_input, of_strain, of_strains = (_unbounded(task) for _ in range(3))
    of_input[int(at[k] > 0), k] = 0.8 * at[k]
    of_strain[0, task.inputs :] = strains.min() + 0.1 * size
    of_both = of_strain.copy()
    of_both[:, k] = [-1.5 * abs(at[k]), 1.5 * abs(at[k])]
    of_strains[0, task.inputs :] = np.median(strains) + 0.1 * size
    of_all = of_strains.copy()
    most = 1.2 * np.abs(found[: task.inputs]).max()
    of_all[:, : task.inputs] = [[-most], [most]]
    yield from (of_input, of_strain, of_both, of_strains, of_all)


def _drawn(found: Array, task: _LeastChange, rng: np.random.Generator) -> Iterator[Array]:
    """Bounds close about others that satisfy the equations: sets of active ones are searched."""
    at = found + np.concatenate([np.zeros(task.inputs), task.strain])
    scale = np.abs(task.equations).max(axis=1, keepdims=True)
    free = null_space(task.equations / scale)[: task.bounded]
    if not free.any():
        return
    free /= np.abs(free).max(axis=0)
    for _ in range(_DRAWS):
        other = free @ rng.normal(size=free.shape[1])
        bounds = (
            at
            + other
            + np.abs(other) * rng.uniform(((-0.5,), (0.0,)), ((0.0,), (0.5,)), (2, len(at)))
        )
        bounds[:, rng.random(len(at)) < 0.4] = [[-np.inf], [np.inf]]
        yield bounds


@dataclass(frozen=True)
class _LeastChange:
    """E x = e for x = (r, change, a, multipliers), of which the first `bounded` have bounds; rows
    `held` of a are those of constraints and strains."""

    label: str
    equations: Array
    right: Array
    strain: Array
    inputs: int
    controlled: Array
    held: Array
    given: dict[str, Array]

    @classmethod
    def of(cls, subject: DerivedSubject, state: TestState) -> _LeastChange:
        """In a state, towards another."""
        nu, inputs = subject.nu, len(subject.model.inputs)
        still = state.with_values(r=np.zeros(inputs), a=np.zeros(nu))
        mass, c, b = (subject.call(f, still) for f in ("mass_matrix", "bias", "input_matrix"))
        strain, slopes, drift, pulls = map(np.asarray, subject.call("element_strains", still))
        rows, bias = np.zeros((0, nu)), np.zeros(0)
        if subject.model.is_constrained:
            rows = subject.gradients(still)
            bias = np.asarray(subject.call("constraint_bias", still))
        held, chosen = np.vstack([rows, slopes]), list[int]()
        for k in range(nu):
            more = np.vstack([held, np.eye(nu)[k]])
            if np.linalg.matrix_rank(more, tol=1e-6) == len(more):
                held, chosen = more, [*chosen, k]
        kp: Array = 1.0 + np.arange(nu, dtype=float)
        kd: Array = 1.0 + kp
        given = {"q_d": state["q1"], "u_d": state["du"], "a_d": state["a"], "kp": kp, "kd": kd}
        e = np.asarray(subject.call("difference", still, q0=state["q"], q1=state["q1"]))
        wanted = (state["a"] + kd * (state["du"] - state["u"]) + kp * e)[chosen]
        count, m = len(strain), len(rows)
        top = np.hstack([b, pulls, -mass, rows.T])
        below = np.hstack([np.zeros((len(held), inputs + count)), held, np.zeros((len(held), m))])
        controlled = np.isin(np.arange(nu), chosen).astype(float)
        right = np.concatenate([c, -bias, -drift, wanted])
        tied = held[: len(held) - len(chosen)]
        equations = np.vstack([top, below])
        return cls(state.label, equations, right, strain, inputs, controlled, tied, given)

    @property
    def bounded(self) -> int:
        """Inputs and strains."""
        return self.inputs + len(self.strain)

    def named(self, bounds: Array) -> dict[str, Array]:
        """Bounds by the names of arguments."""
        n = self.inputs
        of_inputs, of_strains = bounds[:, :n], bounds[:, n:]
        return {
            "lower": of_inputs[0],
            "upper": of_inputs[1],
            "strain_lower": of_strains[0],
            "strain_upper": of_strains[1],
        }

    def judged(self, found: Array, bounds: Array) -> Iterator[Comparison]:
        """Comparisons of r and change with all that is asked of them."""
        own, rest = self.equations[:, : self.bounded], self.equations[:, self.bounded :]
        scale = np.abs(self.equations).sum(axis=1) + np.abs(self.right)
        left = (self.right - own @ found) / scale
        others = np.linalg.lstsq(rest / scale[:, None], left, rcond=None)[0]
        lacking = left - rest / scale[:, None] @ others
        size = 1.0 + float(np.abs(np.concatenate([found, others])).max(initial=0.0))
        yield Comparison("equations", self.label, largest(lacking, 0.0, size), CLOSED)
        at = found + np.concatenate([np.zeros(self.inputs), self.strain])
        passed = np.maximum(bounds[0] - at, at - bounds[1]).max(initial=0.0)
        yield Comparison("bounds", self.label, passed / size, CLOSED)
        yield Comparison("least inputs", self.label, self._excess(found, at, bounds), LEAST)

    def _excess(self, found: Array, at: Array, bounds: Array) -> float:
        """Rest of the gradient beside multipliers of the equations and active bounds."""
        gradient = np.zeros(self.equations.shape[1])
        gradient[: self.inputs] = found[: self.inputs]
        size = float(np.abs(gradient).max(initial=0.0))
        if size == 0.0:
            return 0.0
        scaled = self.equations / np.abs(self.equations).max(axis=1, keepdims=True)
        columns = [scaled.T, -scaled.T]
        for sign, bound in zip((-1.0, 1.0), bounds, strict=True):
            near = np.isfinite(bound) & (np.abs(at - bound) <= 1e-7 * (1 + np.abs(at)))
            active = np.eye(len(gradient))[:, : self.bounded][:, near]
            columns.append(sign * active)
        return float(nnls(np.hstack(columns), -gradient / size, maxiter=10_000)[1])

    def refused(self, code: str, bounds: Array) -> Comparison:
        """Right where nothing satisfies equations and bounds, or many do as well."""
        low, high = bounds - np.concatenate([np.zeros(self.inputs), self.strain])
        free = [(None, None)] * (self.equations.shape[1] - self.bounded)
        limits = [(a, b) for a, b in zip(low, high, strict=True)]
        scale = np.abs(self.equations).max(axis=1, keepdims=True)
        cost = np.zeros(self.equations.shape[1])
        program = linprog(
            cost,
            A_eq=self.equations / scale,
            b_eq=self.right / scale[:, 0],
            bounds=[*limits, *free],
        )
        freedoms = self.equations.shape[1] - np.linalg.matrix_rank(self.equations / scale)
        seen = np.linalg.matrix_rank(np.vstack([self.equations / scale, self._of_inputs()]))
        is_unique = freedoms == 0 or seen == self.equations.shape[1]
        is_right = (code == "inputs_not_unique") != is_unique and code != "too_many_changes"
        if is_unique:
            is_right = is_right and program.status == 2
        return Comparison(f"refused: {code}", self.label, 0.0 if is_right else np.inf, 0.0)

    def _of_inputs(self) -> Array:
        return np.eye(self.inputs, self.equations.shape[1])
