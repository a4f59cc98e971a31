"""Loops against the poses and motions of the two sides of what closes them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.closing_joint import RelativeMotion
from eomc.verifier.witness.closing_rows import closing_rows
from eomc.verifier.witness.mechanism import WitnessJoint

CLOSED, ALLOWED = 1e-10, 1e-9
_RANK = 1e-8
"""Of the largest singular value: below it a direction counts as free."""


@check(
    "loops",
    compares="the two sides of every joint that closes a loop: their pose, and what of their "
    "relative velocity and acceleration the joint forbids, with 0; the motions that G allows with "
    "those that the joints allow; what each row of G holds, so that its multiplier is the force or "
    "torque of its label",
    reference="poses of the bodies as products of matrices, with first and second derivatives by "
    "the product rule, as for Newton-Euler; what a joint holds is read off its relative pose",
    tolerance=f"{CLOSED:.0e} of 1 m (rad) for poses, {ALLOWED:.0e} of the greatest velocity or "
    "acceleration of any frame, times the condition number of M for accelerations",
)
def loops(subject: Subject) -> Iterator[Comparison]:
    """In every state on the constraints."""
    mechanism = subject.mechanism
    if mechanism is None or not mechanism.holds:
        raise Absent("loops of joints")
    missing = {"constraint_jacobian", "forward_dynamics"} - subject.functions
    if missing:
        raise NotApplicable(f"no function {', '.join(sorted(missing))}")
    for state in subject.states:
        moving = subject.reference(state)
        held = [RelativeMotion(hold, moving.motions) for hold in mechanism.holds]
        for hold, motion in zip(mechanism.holds, held, strict=True):
            gap = float(np.abs(motion.gaps).max(initial=0.0)) / motion.size
            what = f"pose at {hold.name}"
            yield Comparison(what, state.label, gap, CLOSED, f"loop {hold.name}")
        fastest = 1.0 + max(motion.speed for motion in held)
        rate = max(largest(motion.rates, 0.0) for motion in held)
        yield Comparison("velocity", state.label, rate / fastest, ALLOWED)
        geometric = np.vstack([motion.units for motion in held])[:, : subject.nu]
        yield from _motions(subject, state, geometric)
        for hold, motion in zip(mechanism.holds, held, strict=True):
            if isinstance(hold, WitnessJoint):
                yield from _rows(subject, state, hold, motion)
        if state in subject.regular:
            a = subject.call("forward_dynamics", state)
            moving = subject.reference(state, a=a)
            held = [RelativeMotion(hold, moving.motions) for hold in mechanism.holds]
            size = 1.0 + max(motion.acceleration for motion in held)
            drift = max(largest(motion.seconds, 0.0) for motion in held)
            allowed = ALLOWED * subject.condition(state)
            yield Comparison("acceleration", state.label, drift / size, allowed)


def _rows(
    subject: Subject, state: TestState, joint: WitnessJoint, motion: RelativeMotion
) -> Iterator[Comparison]:
    """Rows of G at unit speeds, against the rates that they hold by their labels."""
    jacobian = subject.gradients(state)
    names = [name.rpartition(".") for name in subject.model.output_names("constraint_jacobian")]
    own = {
        label: row
        for (name, _, label), row in zip(names, jacobian, strict=True)
        if name == joint.name
    }
    for label, rates in closing_rows(own, joint, motion.relative).items():
        expected = rates[: subject.nu]
        error = largest(own[label], expected, 1.0 + float(np.abs(expected).max(initial=0.0)))
        yield Comparison(f"{label} of {joint.name}", state.label, error, ALLOWED)


def _motions(subject: Subject, state: TestState, geometric: Array) -> Iterator[Comparison]:
    """Null space of G, and of the geometric rows with those of G that are no loops'."""
    assert subject.mechanism is not None
    names = subject.model.output_names("constraint_jacobian")
    elements = {hold.name for hold in subject.mechanism.holds}
    others = [k for k, name in enumerate(names) if name.rpartition(".")[0] not in elements]
    jacobian = subject.gradients(state)
    geometric = np.vstack([geometric, jacobian[others]])
    for what, rows, other in (
        ("motions that G allows", jacobian, geometric),
        ("motions that the joints allow", geometric, jacobian),
    ):
        free = _null_space(rows)
        error = float(np.abs(other @ free).max(initial=0.0))
        size = 1 + float(np.abs(other).max(initial=0.0))
        yield Comparison(what, state.label, error / size, ALLOWED)


def _null_space(rows: Array) -> Array:
    """Orthonormal columns."""
    _, sizes, right = np.linalg.svd(rows)
    rank = int((sizes > _RANK * sizes[0]).sum()) if sizes.size else 0
    return right[rank:].T
