"""Compiled solvers of constraints: what they return satisfies what they solve, and is near."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

CLOSED, CLOSURE, NEAREST, SAME = 1e-10, 1e-7, 1e-5, 1e-8
AWAY = 1e-3
_FAR = (1.0, 2.0, 4.0, 8.0)
"""Of displacements from which a step of Newton's method is limited."""
_STATES = 6


@check(
    "solvers",
    compares="a state that the compiled projection brings back onto the constraints with the "
    "constraints and with the nearest such state; independent speeds, what follows from them, and "
    "forces on actuated speeds with what they must satisfy; dynamics by the orthogonal complement "
    "with forward dynamics",
    reference="residuals and G u + b are 0; the correction is M-orthogonal to all motions that G "
    "allows, to first order of its size; G of the dependent speeds has full rank, the others do "
    "not change; forces differ from inverse dynamics by G^T lambda and have no part that G^T makes"
    "; from afar, a step is the correction of positions, of at most half the largest coordinate; "
    "an over-constrained loop is closed in all rows or refused",
    tolerance=f"{CLOSED:.0e} of 1 m (rad) and of the speeds for what vanishes, {CLOSURE:.0e} for "
    f"what rows vanish that depend on others, {NEAREST:.0e} for "
    f"what is nearest after a displacement of {AWAY:.0e}, {SAME:.0e} times the condition number "
    "of M for accelerations and forces",
    needs=("integrate", "mass_matrix", "forward_dynamics", "constraint_jacobian"),
)
def solvers(subject: Subject) -> Iterator[Comparison]:
    """In some of the states where G has full rank; every solver that is compiled."""
    if not subject.model.is_constrained:
        raise Absent("loops and other constraints")
    there = [entry["name"] for entry in subject.model.manifest.get("solvers", ())]
    if not there:
        raise NotApplicable("compiled without solvers")
    for state in subject.regular[:_STATES]:
        beside = subject.displaced(state, AWAY)
        order, rank = subject.solved("independent_speeds", state)
        given = state.with_values(order=order), beside.with_values(order=order)
        for name in there:
            if name in _JUDGES:
                for found in _JUDGES[name](subject, *given, int(rank)):
                    yield replace(found, of=f"solver {name}")


def _on_constraints(subject: Subject, at: TestState) -> Iterator[Comparison]:
    length = 1.0 + float(np.abs(at["q"]).max(initial=0.0))
    fastest = 1.0 + float(np.abs(at["u"]).max(initial=0.0))
    if subject.model.output_names("constraint_residual"):
        error = largest(subject.call("constraint_residual", at), 0.0, length)
        yield Comparison("position", at.label, error, CLOSED)
    error = largest(subject.call("constraint_velocity", at), 0.0, fastest * length)
    yield Comparison("velocity", at.label, error, CLOSED)


def _project(
    subject: Subject, state: TestState, beside: TestState, rank: int
) -> Iterator[Comparison]:
    if "closure_residual" in subject.functions:
        yield from _not_open(subject, state)
    elif "position_correction" in subject.functions:
        yield from _one_step(subject, state)
    q, u = subject.solved("project", beside, tolerance=1e-14, max_steps=50)[:2]
    at = state.with_values(q=np.asarray(q), u=np.asarray(u))
    yield from _on_constraints(subject, at)
    fastest = 1.0 + float(np.abs(u).max(initial=0.0))
    weights = subject.mass_weights(at)
    mass = subject.call("mass_matrix", at) / np.outer(weights, weights)
    rows = subject.gradients(at) / weights
    sizes, right = np.linalg.svd(rows)[1:]
    free = right[int((sizes > 1e-8 * sizes[0]).sum()) :] if sizes.size else right
    size = fastest * (1.0 + float(weights.max()))
    changes = [("nearest speeds", at["u"] - beside["u"])]
    if "difference" in subject.functions and subject.model.output_names("constraint_residual"):
        moved = subject.call("difference", at, q0=beside["q"], q1=at["q"])
        changes.append(("nearest coordinates", moved))
    for what, change in changes:
        error = largest(free @ mass @ (weights * change), 0.0, size)
        yield Comparison(what, state.label, error, NEAREST)


def _not_open(subject: Subject, state: TestState) -> Iterator[Comparison]:
    """From afar an over-constrained loop is closed in all rows, or that is refused: the independent
    ones may vanish where it is open."""
    for distance in _FAR:
        far = state.with_values(q=subject.call("integrate", state, du=distance * state["du"]))
        try:
            q = np.asarray(subject.solved("project", far, max_steps=50)[0])
        except FloatingPointError:
            continue
        rows = subject.call("closure_residual", far, q=q)
        size = 1.0 + float(np.abs(q).max(initial=0.0))
        yield Comparison("closed from afar", state.label, largest(rows, 0.0, size), CLOSURE)


def _one_step(subject: Subject, state: TestState) -> Iterator[Comparison]:
    """From the first places, further and further away, where the step is limited and leads nearer.

    A tolerance that holds after it lets the projection end there.
    """
    for distance in _FAR:
        far = state.with_values(q=subject.call("integrate", state, du=distance * state["du"]))
        try:
            step = np.asarray(subject.call("position_correction", far))
        except FloatingPointError:
            continue
        most = 0.5 * max(1.0, float(np.abs(far["q"]).max(initial=0.0)))
        longest = float(np.abs(step).max(initial=0.0))
        if not most < longest < np.inf or most == 0.5:
            continue
        there = far.with_values(q=subject.call("integrate", far, du=most / longest * step))
        before, after = (_residual(subject, at) for at in (far, there))
        if not 0.0 < after < before < np.inf:
            continue
        allowed = after * (1.0 + 1e-9)
        try:
            q = subject.solved("project", far, tolerance=allowed, max_steps=1)[0]
        except FloatingPointError:
            yield Comparison("one step", state.label, np.inf, NEAREST)
        else:
            error = largest(np.asarray(q), there["q"], 2.0 * most)
            yield Comparison("one step", state.label, error, NEAREST)
        return


def _residual(subject: Subject, state: TestState) -> float:
    return float(np.abs(subject.call("constraint_residual", state)).max(initial=0.0))


def _independent(
    subject: Subject, state: TestState, beside: TestState, rank: int
) -> Iterator[Comparison]:
    gradients, order = subject.gradients(state), np.asarray(state["order"])
    sizes = np.linalg.svd(gradients, compute_uv=False)
    whole = sorted(order.tolist()) == list(range(subject.nu))
    enough = rank == int((sizes > 1e-10 * sizes[0]).sum())
    solvable = whole and _determine(gradients[:, order[subject.nu - rank :]], rank, sizes[0])
    error = 0.0 if whole and enough and solvable else np.inf
    yield Comparison("order of speeds", state.label, error, 0.0)
    # Rows on speeds alone hold no displacement: more of these are independent, and first.
    held = subject.model.output_names("constraint_residual")
    if whole and 0 < len(held) < len(gradients) == rank:
        names = subject.model.output_names("constraint_jacobian")
        rows = gradients[[names.index(name) for name in held]]
        solvable = _determine(rows[:, order[subject.nu - len(rows) :]], len(rows), sizes[0])
        yield Comparison("order of displacements", state.label, 0.0 if solvable else np.inf, 0.0)


def _determine(rows: Array, rank: int, size: float) -> bool:
    """True if the rows determine what belongs to their columns."""
    return not rank or np.linalg.svd(rows, compute_uv=False)[rank - 1] > 1e-10 * size


def _dependent_speeds(
    subject: Subject, state: TestState, beside: TestState, rank: int
) -> Iterator[Comparison]:
    u = np.asarray(subject.solved("dependent_speeds", state.with_values(u=beside["u"]))[0])
    at, free = state.with_values(u=u), np.asarray(state["order"])[: subject.nu - rank]
    fastest = 1.0 + float(np.abs(u).max(initial=0.0))
    error = largest(subject.call("constraint_velocity", at), 0.0, fastest)
    yield Comparison("velocity", state.label, error, CLOSED)
    yield Comparison("independent speeds", state.label, largest(u[free], beside["u"][free]), 0.0)


def _dependent_coordinates(
    subject: Subject, state: TestState, beside: TestState, rank: int
) -> Iterator[Comparison]:
    q = subject.solved("dependent_coordinates", beside, tolerance=1e-14, max_steps=50)[0]
    at, free = state.with_values(q=np.asarray(q)), np.asarray(state["order"])[: subject.nu - rank]
    length = 1.0 + float(np.abs(q).max(initial=0.0))
    error = largest(subject.call("constraint_residual", at), 0.0, length)
    yield Comparison("position", state.label, error, CLOSED)
    if "difference" in subject.functions:
        moved = subject.call("difference", at, q0=beside["q"], q1=at["q"])[free]
        yield Comparison("independent coordinates", state.label, largest(moved, 0.0), NEAREST)


def _reduced_dynamics(
    subject: Subject, state: TestState, beside: TestState, rank: int
) -> Iterator[Comparison]:
    a, multipliers = subject.solved("reduced_dynamics", state)[:2]
    yield from _driven_by(subject, state, np.asarray(a), np.asarray(multipliers))


def _driven_by(
    subject: Subject, state: TestState, a: Array, multipliers: Array
) -> Iterator[Comparison]:
    """a and lambda are those of forward dynamics: M a + c = tau + G^T lambda."""
    weights = subject.mass_weights(state)
    expected = subject.call("forward_dynamics", state)
    forces = np.abs(state["tau"]) + np.abs(subject.call("bias", state))
    size = float((np.abs(expected) * weights + forces / weights).max(initial=0.0))
    size *= subject.condition(state)
    error = largest(a * weights, expected * weights, size)
    yield Comparison("accelerations", state.label, error, SAME)
    at = {"a": expected, "multipliers": multipliers}
    needed = subject.call("inverse_dynamics", state, **at) - state["tau"]
    error = largest(subject.gradients(state).T @ multipliers / weights, needed / weights, size)
    yield Comparison("multipliers", state.label, error, SAME)


def _consistent(
    subject: Subject, state: TestState, beside: TestState, rank: int
) -> Iterator[Comparison]:
    found = subject.solved("consistent_state", beside, tolerance=1e-14, max_steps=50)
    q, u, a, multipliers = map(np.asarray, found[:4])
    at = state.with_values(q=q, u=u)
    yield from _on_constraints(subject, at)
    yield from _driven_by(subject, at, a, multipliers)


def _actuated(
    subject: Subject, state: TestState, beside: TestState, rank: int
) -> Iterator[Comparison]:
    """With a force on every speed."""
    every = state.with_values(actuated=np.ones(subject.nu, dtype=np.intc))
    tau, multipliers = map(np.asarray, subject.solved("actuated_inverse_dynamics", every)[:2])
    asked = subject.call("inverse_dynamics", state, multipliers=multipliers)
    gradients = subject.gradients(state)
    size = float(np.abs(asked).max(initial=0.0)) + float(np.abs(subject.call("bias", state)).max())
    error = largest(tau + gradients.T @ multipliers, asked, size)
    yield Comparison("forces and multipliers", state.label, error, SAME)
    across = size * (1.0 + float(np.abs(gradients).max(initial=0.0)))
    yield Comparison("least forces", state.label, largest(gradients @ tau, 0.0, across), SAME)


_JUDGES: dict[str, Callable[[Subject, TestState, TestState, int], Iterator[Comparison]]] = {
    "project": _project,
    "independent_speeds": _independent,
    "dependent_speeds": _dependent_speeds,
    "dependent_coordinates": _dependent_coordinates,
    "reduced_dynamics": _reduced_dynamics,
    "consistent_state": _consistent,
    "actuated_inverse_dynamics": _actuated,
}
