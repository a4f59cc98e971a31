"""Loops against the poses and motions of the two sides of what closes them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.runtime.verify.check import Comparison, NotApplicable, check
from eomc.runtime.verify.hold import HeldMotion
from eomc.runtime.verify.mechanism import Array
from eomc.runtime.verify.states import TestState
from eomc.runtime.verify.subject import Subject

CLOSED, ALLOWED = 1e-10, 1e-9
_RANK = 1e-8
"""Of the largest singular value: below it a direction counts as free."""


@check(
    "loops",
    compares="the two sides of every joint that closes a loop: their pose, and what of their "
    "relative velocity and acceleration the joint forbids, with 0; the motions that G allows with "
    "those that the joints allow",
    reference="poses of the bodies as products of matrices, with first and second derivatives by "
    "the product rule, as for Newton-Euler; what a joint holds is read off its relative pose",
    tolerance=f"{CLOSED:.0e} of 1 m (rad) for poses, {ALLOWED:.0e} of the greatest velocity or "
    "acceleration of any frame, times the condition number of M for accelerations",
)
def loops(subject: Subject) -> Iterator[Comparison]:
    """In every state on the constraints."""
    mechanism = subject.mechanism
    if mechanism is None or not mechanism.holds:
        raise NotApplicable("no loops of joints")
    missing = {"constraint_jacobian", "forward_dynamics"} - subject.functions
    if missing:
        raise NotApplicable(f"no function {', '.join(sorted(missing))}")
    for state in subject.states:
        moving = subject.reference(state)
        held = [HeldMotion(hold, moving) for hold in mechanism.holds]
        gap = max(float(np.abs(motion.gaps).max(initial=0.0)) for motion in held)
        yield Comparison("pose", state.label, gap / held[0].size, CLOSED)
        fastest = 1.0 + max(motion.speed for motion in held)
        rate = max(float(np.abs(motion.rates).max(initial=0.0)) for motion in held)
        yield Comparison("velocity", state.label, rate / fastest, ALLOWED)
        geometric = np.vstack([motion.units for motion in held])[:, : subject.nu]
        yield from _motions(subject, state, geometric)
        if state in subject.regular:
            a = subject.call("forward_dynamics", state)
            moving = subject.reference(state, a=a)
            held = [HeldMotion(hold, moving) for hold in mechanism.holds]
            size = 1.0 + max(motion.acceleration for motion in held)
            drift = max(float(np.abs(motion.seconds).max(initial=0.0)) for motion in held)
            allowed = ALLOWED * subject.condition(state)
            yield Comparison("acceleration", state.label, drift / size, allowed)


def _motions(subject: Subject, state: TestState, geometric: Array) -> Iterator[Comparison]:
    """Null space of the rows of G that belong to the loops, and of the geometric rows."""
    assert subject.mechanism is not None
    names = subject.model.output_rows("constraint_jacobian")
    elements = {hold.name for hold in subject.mechanism.holds}
    own = [k for k, name in enumerate(names) if name.rpartition(".")[0] in elements]
    jacobian = np.asarray(subject.call("constraint_jacobian", state)).reshape(-1, subject.nu)[own]
    for what, rows, other in (
        ("motions that G allows", jacobian, geometric),
        ("motions that the joints allow", geometric, jacobian),
    ):
        free = _null_space(rows)
        error = float(np.abs(other @ free).max(initial=0.0))
        yield Comparison(what, state.label, error / (1 + float(np.abs(other).max())), ALLOWED)


def _null_space(rows: Array) -> Array:
    """Orthonormal columns."""
    _, sizes, right = np.linalg.svd(rows)
    rank = int((sizes > _RANK * sizes[0]).sum()) if sizes.size else 0
    return right[rank:].T
