"""Rows of constraints against what their kinds say of the bodies one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.cable import IN_PLANE

ALLOWED = 1e-10


@check(
    "rows",
    compares="the residual of every row of a constraint, and the rates of rows on speeds, off the "
    "constraints as well as on them; which rows there are; that two circles on a span of a rope "
    "are in one plane",
    reference="the kind's equation, written down again, for the two bodies placed and moving as "
    "Newton-Euler says: nothing of the tree, of loops or of elimination is in it; joints and kinds "
    "of one's own by their own word on bodies taken apart; ropes by touching points found as roots",
    tolerance=f"{ALLOWED:.0e} of 1 m (rad), of the speeds and of the value itself; "
    f"{IN_PLANE:.0e} rad between planes, which loops may hold together",
    needs=("integrate",),
)
def rows(subject: Subject) -> Iterator[Comparison]:
    """In every state, and in one displaced from it by up to a metre or a radian."""
    if not subject.model.is_constrained:
        raise Absent("loops and other constraints")
    if subject.mechanism is None or subject.mechanism.own is None:
        declared = [f"row {name}" for name in subject.model.output_names("constraint_velocity")]
        raise NotApplicable("the rows are the declaration: they belong to no bodies", declared)
    for state in subject.states:
        for rope in subject.reference(state).ropes:
            for what, sine in rope.planes().items():
                yield Comparison(what, state.label, sine, IN_PLANE)
        away = state.with_values(q=subject.call("integrate", state))
        for at in (state, away):
            reference = subject.reference(at)
            held, moving = subject.mechanism.own.residuals(reference.motions, reference.named)
            held |= reference.rope_gaps()
            for name, residuals in subject.mechanism.residuals.items():
                for label, value in residuals(reference.motions, reference.named):
                    row = f"{name}.{label}"
                    (held if row in held else moving)[row] = value
            speed = 1.0 + float(np.abs(state["u"]).max(initial=0.0))
            for function, expected in (
                ("closure_residual", held),
                ("constraint_residual", held),
                ("constraint_velocity", moving),
            ):
                if function in subject.functions:
                    yield from _in_function(subject, at, function, expected, speed)


def _in_function(
    subject: Subject, state: TestState, function: str, expected: Mapping[str, float], speed: float
) -> Iterator[Comparison]:
    names = subject.model.output_names(function)
    got = dict(zip(names, np.ravel(subject.call(function, state)), strict=True))
    if function == "closure_residual" and set(got) != set(expected):
        yield Comparison(f"{function}: other rows", state.label, np.inf, ALLOWED)
    size = speed if function == "constraint_velocity" else 1.0
    for name in got.keys() & expected.keys():
        if np.isnan(got[name]) and np.isnan(expected[name]):
            continue  # a rope's end inside a pulley
        error = largest(got[name], expected[name], size + abs(expected[name]))
        yield Comparison(f"{function} of {name}", state.label, error, ALLOWED, f"row {name}")
