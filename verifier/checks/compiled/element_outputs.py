"""Outputs of elements, such as the tension of a cable, against their declaration."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verifier.subject.check import Comparison, NotApplicable, check, largest
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.cable import IN_PLANE
from eomc.verifier.witness.told import told

ALLOWED = 1e-11
_PERTURBATION = 1e-8


@check(
    "element outputs",
    compares="tensions, strains, lengths and wraps of cables, and what other elements tell; that "
    "two circles on a span are in one plane",
    reference="touching points of cables as roots found by SciPy, rates by a complex step, the law "
    "written down again; the author's word for kinds of one's own, on bodies taken apart",
    tolerance=f"{ALLOWED:.0e} of 1, of the value and of what relative changes of the state by 1 "
    f"change in it: as for Newton-Euler; {IN_PLANE:.0e} rad between planes, which loops may hold "
    "together; nothing along a normal where bodies have none, as balls with one centre",
    needs=("element_outputs",),
)
def element_outputs(subject: Subject) -> Iterator[Comparison]:
    """In every state."""
    if subject.mechanism is None:
        raise NotApplicable("the elements are not known here")
    rng = np.random.default_rng(subject.seed)
    names = subject.model.output_names("element_outputs")
    for state in subject.states:
        reference = subject.reference(state)
        for cable in (*reference.cables, *reference.tethers):
            for what, sine in cable.planes().items():
                yield Comparison(what, state.label, sine, IN_PLANE)
        telling = told(reference)
        missing = sorted(telling.keys() - {*names})
        if missing:
            yield Comparison(f"output {missing[0]} is missing", state.label, np.inf, ALLOWED)
        nearby = subject.reference(
            state,
            q=state["q"] + _PERTURBATION * rng.choice([-1, 1], size=state["q"].shape),
            u=state["u"] * (1 + _PERTURBATION * rng.choice([-1, 1], size=state["u"].shape)),
        )
        moved = told(nearby)
        got = dict(zip(names, subject.call("element_outputs", state), strict=True))
        undefined = set[str]().union(*(contact.undefined() for contact in reference.contacts))
        for name in names:
            if name in undefined:
                continue
            expected = telling.get(name, np.nan)
            size = 1 + abs(expected) + abs(moved.get(name, np.nan) - expected) / _PERTURBATION
            error = largest(got[name], expected, size)
            yield Comparison(name, state.label, error, ALLOWED, f"output {name}")
