"""Rates of the states of elements against their declaration."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verifier.subject.check import Comparison, NotApplicable, check, largest
from eomc.verifier.subject.subject import Subject

ALLOWED = 1e-11


@check(
    "states of elements",
    compares="z' of elements",
    reference="the same laws, written down again and evaluated by SymPy and NumPy",
    tolerance=f"{ALLOWED:.0e} of the larger of z' and 1: some thousand roundings of a law",
    needs=("element_state_rates",),
)
def element_states(subject: Subject) -> Iterator[Comparison]:
    """In every state; of kinds of one's own the rates of the mechanism taken apart."""
    if subject.mechanism is None:
        raise NotApplicable("the elements are not known here")
    for state in subject.states:
        expected = subject.reference(state).state_rates()
        got = np.asarray(subject.call("element_state_rates", state), dtype=float)
        size = max(1.0, float(np.abs(expected).max(initial=0.0)))
        for name, rate, law in zip(subject.model.element_states, got, expected, strict=True):
            error = largest(rate, law, size)
            yield Comparison(f"rate of {name}", state.label, error, ALLOWED, f"state {name}")
