"""Batches on vectors, and runs of many states at once, against states one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building.steps_in_place import steps_in_place
from eomc.building.vector_lengths import lanes_codes
from eomc.verifier.checks.compiled.batches import batches, said
from eomc.verifier.checks.derived.contact_lanes import SAME as CONTACTS
from eomc.verifier.checks.derived.contact_lanes import contact_lanes
from eomc.verifier.requested.sampled import plant
from eomc.verifier.subject.check import Comparison, check, largest
from eomc.verifier.subject.closed_states import closed
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.soiled_memory import soil
from eomc.verifier.subject.states import TestState

LANES, STEPS, EVERY, MOST = 4, 4, 2, 7
SAME, NEAR = 1e-9, 1e-6
AWAY, NEARER, _FEW = 1e-4, 1e-4, 2
"""Displacements and speeds by which runs start beside constraints, what may be left of the distance
after so many steps."""
_LAWS = ("none", "PD", "computed torque")
_FAR = 2 * np.pi * 160_000_000
"""Beyond the angles whose sines and cosines are computed on lanes [rad]."""


@check(
    "lanes",
    compares=f"every function of all states at once on {LANES} lanes, on two threads too, some "
    "states at angles of 1e9 rad, some without numbers, of which the error must tell, and what C "
    f"returns; runs of many states, {STEPS} steps long, recorded at every {EVERY}nd, with and "
    "without feedback, or in steps with rigid contacts; steps that keep no record, in C",
    reference="the single call; single steps of the compiled Runge-Kutta method, torques of the "
    "feedback written down here",
    tolerance=f"{batches.tolerance}; of runs {SAME:.0e} of the largest entry of q and of u, "
    f"{NEAR:.0e} where steps end by one correction of the constraints instead of all; a run "
    f"that starts {AWAY:.0e} beside them keeps {NEARER:.0e} of it at most; with contacts "
    f"{CONTACTS:.0e} where the law is solved",
    needs=("coordinate_rates", "forward_dynamics"),
    thorough=True,
)
def lanes(subject: DerivedSubject) -> Iterator[Comparison]:
    """A module of its own, where lanes are left over."""
    other = subject.beside(lanes=LANES)
    yield from batches.run(other)
    drawn = [state for state in other.states if state.is_random]
    # Fewer than lanes are computed one by one; here all are far first, then every other one.
    drawn = [drawn[k % len(drawn)] for k in range(2 * LANES)]
    if turning := _turning(subject):
        far = [_turned(state, turning) for state in drawn]
        yield from batches.run(other.among([*far[:LANES], *drawn[LANES::2], *far[LANES::2]]))
    yield from _returned(other, drawn[:LANES])
    yield from contact_lanes(other)
    names = other.model.inputs_of("forward_dynamics")
    if {*names[:2]} == {"q", "u"} and subject.model.nq and subject.model.integrator("rk4") is None:
        yield Comparison("integrator rk4 is missing", "all states", np.inf, SAME)
    there = "rk4_rollouts" in dir(other.model)
    if not there and subject.model.integrator("rk4") is not None and subject.model.nq:
        yield Comparison("runs of many states are missing", "all states", np.inf, SAME)
    if there and subject.model.integrator("rk4") is not None:
        regular = {state.label for state in subject.regular}
        drawn = [s for s in other.held if s.label in regular and "high" not in s.label]
        drawn = _at_one_time(other, drawn)
        found = [run for law in _LAWS for run in _runs(other, drawn[:MOST], law) if drawn]
        yield from found
        if drawn:
            yield from _brought_back(other, [drawn[k % len(drawn)] for k in range(LANES)])
            yield from _normalized(other, [drawn[k % len(drawn)] for k in range(LANES)])
            yield from _refused_runs(other, [drawn[k % len(drawn)] for k in range(LANES)])
            yield from _in_place(subject, drawn[0])
        if not found and subject.freedoms:
            yield Comparison("no run could be compared", "all states", np.inf, SAME)


def _turning(subject: DerivedSubject) -> list[int]:
    """Places of coordinates of whose angles sines and cosines are taken."""
    graph = subject.program.graph
    turned = {graph.args[k][0] for k, op in enumerate(graph.op) if op in ("sin", "cos")}
    q = next(a for f in subject.program.functions for a in f.inputs if a.name == "q")
    return [place for place, node in enumerate(q.entries) if node in turned]


def _turned(state: TestState, places: list[int]) -> TestState:
    q = state["q"].copy()
    q[places] += _FAR
    return replace(state.with_values(q=q), label=f"{state.label}, turned far")


def _runs(subject: DerivedSubject, states: list[TestState], law: str) -> Iterator[Comparison]:
    _, names = subject.model.integrator("rk4") or (None, ())
    given: dict[str, Any] = {}
    held = [name for name in names if name not in ("q", "u", "z", "t")]
    if law != "none":
        if "tau" not in held or (law == "computed torque" and not _has_inverse(subject, held)):
            return
        given = {"kp": 3.0 + np.arange(subject.nu), "kd": 0.5 + np.arange(subject.nu)}
        given |= {"q_ref": _of_each_step([s["q1"] for s in states], [s["q"] for s in states])}
        given |= {"u_ref": _of_each_step([s["du"] for s in states], [s["u"] for s in states])}
        if law == "computed torque":
            given |= {"a_ref": _of_each_step(*[[s["a"] for s in states]] * 2)}
            given |= {"computed_torque": True}
    rows = _rows(states, names)
    if (h := subject.run_step(states)) is None:
        return
    try:
        expected = [_one_by_one(subject, s, law, given, k, h) for k, s in enumerate(states)]
    except FloatingPointError:
        return  # a state from which no run starts
    for threads in (1, 2):
        padded = -(-len(states) // LANES) * LANES
        soil(*((padded, STEPS // EVERY + 1, size) for size in (subject.model.nq, subject.nu)))
        got = subject.model.rk4_rollouts(*rows, h, STEPS, every=EVERY, threads=threads, **given)
        allowed = NEAR if subject.model.is_constrained else SAME
        for k, state in enumerate(states):
            for part, found in enumerate(got):
                row = expected[k][part]
                error = largest(found[k], row, 1.0 + float(np.abs(row).max(initial=0.0)))
                what = f"{'quz'[part]} of runs, feedback {law}, {threads} threads"
                yield Comparison(what, state.label, error, allowed)


def _returned(subject: DerivedSubject, states: list[TestState]) -> Iterator[Comparison]:
    """In C a function gives back the first code that is not 0; here the last state but one has no
    number."""
    functions = {function.name: function for function in subject.program.functions}
    function, place = functions["forward_dynamics"], LANES - 2
    if not function.guards or not subject.model.nq:
        return
    lost = states[place].with_values(q=np.full(subject.model.nq, np.nan))
    chosen = [state.values for state in (*states[:place], lost, *states[place + 1 :])]
    compiler = subject.options.get("compiler")
    found, codes = lanes_codes(subject.program, function, chosen, compiler)
    is_known = found == codes[place] and np.flatnonzero(codes).tolist() in ([place], [])
    error = 0.0 if is_known else np.inf
    yield Comparison("code that is returned", "one state of no numbers", error, SAME)


def _in_place(subject: DerivedSubject, state: TestState) -> Iterator[Comparison]:
    """Several steps of the function that keeps none of them, in C, against those recorded."""
    found, h = subject.model.integrator("rk4"), subject.run_step([state])
    if found is None or h is None:
        return
    call, names = found
    try:
        parts = call(*(state[name] for name in names), h, _FEW)
    except FloatingPointError:
        return  # a state from which no run starts
    expected = np.hstack([part[-1] for part in parts])
    compiler = subject.options.get("compiler")
    moved = steps_in_place(plant(subject.program), state.values, h, _FEW, compiler)
    got = np.concatenate([moved["q"], moved["u"]])
    error = largest(got, expected, 1.0 + float(np.abs(expected).max(initial=0.0)))
    yield Comparison("steps in place", state.label, error, SAME)


def _brought_back(subject: DerivedSubject, states: list[TestState]) -> Iterator[Comparison]:
    """Runs that begin beside the constraints come nearer to them."""
    found, h = subject.model.integrator("rk4"), subject.run_step(states)
    if found is None or h is None or not subject.model.is_constrained:
        return
    beside = [subject.displaced(state, AWAY) for state in states]
    try:
        q, u, *_ = subject.model.rk4_rollouts(*_rows(beside, found[1]), h, _FEW)
    except FloatingPointError:
        return  # from there no step leads back
    for k, state in enumerate(beside):
        end = state.with_values(q=q[k, -1], u=u[k, -1], t=state["t"] + _FEW * h)
        for name in ("constraint_residual", "constraint_velocity"):
            if name not in subject.functions or not subject.model.output_names(name):
                continue
            before, after = (largest(subject.call(name, at), 0.0) for at in (state, end))
            if before > AWAY**2:
                yield Comparison(f"{name} of runs beside", state.label, after / before, NEARER)


def _normalized(subject: DerivedSubject, states: list[TestState]) -> Iterator[Comparison]:
    """Runs that begin beside the unit quaternions end on them."""
    found, h = subject.model.integrator("rk4"), subject.run_step(states)
    beside = [subject.beside_manifold(state) for state in states]
    starts = [state for state in beside if state is not None]
    if found is None or h is None or len(starts) < len(states):
        return
    try:
        q = subject.model.rk4_rollouts(*_rows(starts, found[1]), h, 2)[0]
    except FloatingPointError:
        return  # so far that no step leads back
    for state, rows in zip(states, q, strict=True):
        error = subject.off_manifold(state, rows[-1])
        yield Comparison("unit quaternions after a run", state.label, error, SAME)


def _at_one_time(subject: DerivedSubject, states: list[TestState]) -> list[TestState]:
    """That of the first, for all runs begin together: where constraints move, on them then."""
    found = (closed(subject.model, state.with_values(t=states[0]["t"])) for state in states)
    return [state for state in found if state is not None]


def _rows(states: list[TestState], names: Sequence[str]) -> list[Any]:
    """Arguments of runs of all states, in the order of names; one time for all."""
    found: list[Any] = []
    for name in names:
        rows = np.array([state[name] for state in states])
        moves = rows if name in ("q", "u", "z") else rows[:, None]
        found.append(float(rows[0]) if name == "t" else moves)
    return found


def _refused_runs(subject: DerivedSubject, states: list[TestState]) -> Iterator[Comparison]:
    """One run among others starts where a coordinate is no number: refused as alone, and named.

    Two steps, for what is no number after the corrections that end a step is refused in the next.
    """
    found, h = subject.model.integrator("rk4"), subject.run_step(states)
    if found is None or h is None:
        return
    call, names = found
    for place, k in [(LANES - 1, 0), *((LANES // 2, k) for k in range(subject.model.nq))]:
        q = states[place]["q"].copy()
        q[k] = np.nan
        lost = states[place].with_values(q=q)
        chosen = [*states[:place], lost, *states[place + 1 :]]
        alone = said(partial(call, *(lost[name] for name in names), h, 2))
        among = said(partial(subject.model.rk4_rollouts, *_rows(chosen, names), h, 2))
        if alone is None or among is None:
            is_same = alone is among
        else:
            # Alone, steps end by all corrections of the constraints, which may fail otherwise.
            reason = alone.removeprefix("rk4: ").partition(" in step")[0]
            told = "" if subject.model.is_constrained else f"rk4_rollouts: {reason}"
            is_same = among.startswith(told) and among.endswith(f" at batch index ({place},)")
        error = 0.0 if is_same else np.inf
        yield Comparison("error of runs", f"coordinate {k} of state {place} no number", error, SAME)


def _of_each_step(even: list[Array], odd: list[Array]) -> Array:
    """(states, steps, entries): two signals by turns."""
    return np.stack([(even, odd)[step % 2] for step in range(STEPS)], axis=1)


def _has_inverse(subject: DerivedSubject, held: list[str]) -> bool:
    if "inverse_dynamics" not in subject.functions:
        return False
    known = {"q", "u", "z", "a", "t", *held}
    return set(subject.model.inputs_of("inverse_dynamics")) <= known


def _one_by_one(
    subject: DerivedSubject, state: TestState, law: str, given: dict[str, Any], k: int, h: float
) -> list[Array]:
    """The recorded rows of q, u and z."""
    found = subject.model.integrator("rk4")
    assert found is not None
    call, names = found
    parts = [name for name in ("q", "u", "z") if name in names]
    rows = [[state[name] for name in parts]]
    for step in range(STEPS):
        at = state.with_values(t=state["t"] + step * h)
        if law != "none":
            q_ref, u_ref = given["q_ref"][k, step], given["u_ref"][k, step]
            error = q_ref - at["q"]
            if "difference" in subject.functions and subject.model.nq != subject.nu:
                error = subject.call("difference", at, q0=at["q"], q1=q_ref)
            torque = given["kp"] * error + given["kd"] * (u_ref - at["u"])
            if law == "computed torque":
                torque = subject.call("inverse_dynamics", at, a=given["a_ref"][k, step] + torque)
            at = at.with_values(tau=at["tau"] + torque)
        after = [part[-1] for part in call(*(at[name] for name in names), h, 1)]
        state = state.with_values(**dict(zip(parts, after, strict=True)))
        rows.append(after)
    return [np.array(part) for part in zip(*rows[::EVERY], strict=True)]
