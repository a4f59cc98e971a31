"""Code of loops over the bodies against the graph in many digits, and against the usual code."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from eomc.verifier.checks.compiled.batches import apart, said
from eomc.verifier.checks.derived.emitted import emitted
from eomc.verifier.subject.check import Comparison, NotApplicable, check
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState

SAME = 1e-10


@check(
    "small code",
    compares="every output of the functions that small=True writes as loops over the bodies, and "
    'of all in the forms of least size (optimize="size")',
    reference=f"{emitted.reference}; the usual code, of other recursions, which the other checks "
    "judge",
    tolerance=f"{emitted.tolerance}; {SAME:.0e} of the largest entry, times the condition number "
    "of M, between the two codes, and the same refusals",
    thorough=True,
)
def small_code(subject: DerivedSubject) -> Iterator[Comparison]:
    """As for the usual code."""
    if any(function.rolled for function in subject.program.functions):
        raise NotApplicable("the module under check is small code itself")
    yield from emitted.run(subject.beside(optimize="size"))
    try:
        other = subject.beside(small=True)
    except NotApplicable:
        return  # these bodies or equations know no loops
    yield from emitted.run(other)
    yield from _refusals(subject, other)
    for state in subject.regular:
        for function in other.program.functions:
            if function.rolled:
                yield _as_usual(subject, other, function.name, state)


def _refusals(subject: DerivedSubject, other: DerivedSubject) -> Iterator[Comparison]:
    """A state without numbers is refused as by the usual code."""
    if not subject.regular or not subject.model.nq:
        return
    lost = subject.regular[0].with_values(q=np.full(subject.model.nq, np.nan))
    for function in other.program.functions:
        if function.rolled and function.guards:
            usual, loops = (
                said(partial(each.call, function.name, lost)) for each in (subject, other)
            )
            error = 0.0 if usual == loops else np.inf
            yield Comparison(f"refusal of {function.name}", "no numbers", error, 0.0)


def _as_usual(
    subject: DerivedSubject, other: DerivedSubject, name: str, state: TestState
) -> Comparison:
    """Both results, or the same refusal; other checks judge whether it is right."""
    what, allowed = f"{name}, usual and small", SAME * subject.condition(state)
    refusals = [said(partial(each.call, name, state)) for each in (subject, other)]
    if any(refusals):
        error = 0.0 if refusals[0] == refusals[1] else np.inf
        return Comparison(what, state.label, error, allowed)
    got, usual = (each.call(name, state) for each in (other, subject))
    answers = zip(*(x if isinstance(x, tuple) else (x,) for x in (got, usual)), strict=True)
    error = max([0.0, *(apart(x, y, least=1.0) for x, y in answers)])
    return Comparison(what, state.label, error, allowed)
