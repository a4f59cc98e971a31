"""Compiled solvers of constraints: what they return satisfies what they solve, and is near."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.verify.subject.check import Comparison, NotApplicable, check, largest
from eomc.verify.subject.states import TestState
from eomc.verify.subject.subject import Subject
from eomc.verify.witness.mechanism import Array

CLOSED, NEAREST, SAME = 1e-10, 1e-5, 1e-8
AWAY = 1e-3
_STATES = 6


@check(
    "solvers",
    compares="a state that the compiled projection brings back onto the constraints with the "
    "constraints and with the nearest such state; dynamics by the orthogonal complement with "
    "forward dynamics",
    reference="residuals and G u + b are 0; the correction is M-orthogonal to all motions that G "
    "allows, to first order of its size; two derivations of the same accelerations",
    tolerance=f"{CLOSED:.0e} of 1 m (rad) and of the speeds for what vanishes, {NEAREST:.0e} for "
    f"what is nearest after a displacement of {AWAY:.0e}, {SAME:.0e} times the condition number "
    "of M for accelerations",
    needs=("integrate", "mass_matrix", "forward_dynamics", "constraint_jacobian"),
)
def solvers(subject: Subject) -> Iterator[Comparison]:
    """In some of the states where G has full rank."""
    if not subject.model.is_constrained:
        raise NotApplicable("no loops and no other constraints")
    try:
        project, names = subject.model.solver("project")
        reduced, inputs = subject.model.solver("reduced_dynamics")
        choose, needed = subject.model.solver("independent_speeds")
    except AttributeError as reason:
        raise NotApplicable(str(reason)) from None
    for state in subject.regular[:_STATES]:
        values = dict(state.values)
        away = subject.call("integrate", state, du=AWAY * state["du"])
        values |= {"q": away, "u": state["u"] + AWAY * state["du"]}
        arguments = [values[name] for name in names]
        q, u = project(*arguments, tolerance=1e-14, max_steps=50)[:2]
        yield from _projected(subject, state, np.asarray(q), np.asarray(u), values)
        order = choose(*(state[name] for name in needed))[0]
        arguments = [order if name == "order" else state[name] for name in inputs]
        a = np.asarray(reduced(*arguments)[0])
        weights = subject.mass_weights(state)
        expected = subject.call("forward_dynamics", state)
        forces = np.abs(state["tau"]) + np.abs(subject.call("bias", state))
        size = float((np.abs(expected) * weights + forces / weights).max(initial=0.0))
        error = largest(a * weights, expected * weights, size * subject.condition(state))
        yield Comparison("reduced dynamics", state.label, error, SAME)


def _projected(
    subject: Subject, state: TestState, q: Array, u: Array, before: dict[str, Any]
) -> Iterator[Comparison]:
    at = state.with_values(q=q, u=u)
    length = 1.0 + float(np.abs(q).max(initial=0.0))
    fastest = 1.0 + float(np.abs(u).max(initial=0.0))
    if subject.model.output_rows("constraint_residual"):
        error = largest(subject.call("constraint_residual", at), 0.0, length)
        yield Comparison("position", state.label, error, CLOSED)
    error = largest(subject.call("constraint_velocity", at), 0.0, fastest * length)
    yield Comparison("velocity", state.label, error, CLOSED)
    weights = subject.mass_weights(at)
    mass = subject.call("mass_matrix", at) / np.outer(weights, weights)
    rows = np.asarray(subject.call("constraint_jacobian", at)).reshape(-1, subject.nu) / weights
    sizes, right = np.linalg.svd(rows)[1:]
    free = right[int((sizes > 1e-8 * sizes[0]).sum()) :] if sizes.size else right
    moved = weights * (u - np.asarray(before["u"]))
    error = largest(free @ mass @ moved, 0.0, fastest * (1.0 + float(weights.max())))
    yield Comparison("nearest speeds", state.label, error, NEAREST)
