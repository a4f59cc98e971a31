"""Elements that one word declares together, against that word."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.witness.composites import KINDS
from eomc.verifier.witness.declaration import composing

ALLOWED = 1e-11
_STATES = 4


@check(
    "composites",
    compares="places, masses and laws of chains by Denavit-Hartenberg tables, of flexible joints, "
    "of cylinders and of lumped cables",
    reference="the arguments of the word that declared them, by the products of matrices and the "
    "closed forms of their definitions",
    tolerance=f"{ALLOWED:.0e} of 1 and of the value: some thousand roundings",
    needs=("inverse_dynamics",),
)
def composites(subject: DerivedSubject) -> Iterator[Comparison]:
    """In a few states."""
    if subject.declared is None or subject.mechanism is None:
        raise NotApplicable("the elements are not known here")
    found = [entry for entry in subject.declared.composed() if entry.word in KINDS]
    if not found:
        raise Absent("chains and other composites")
    reader = composing(subject.declared, subject.mechanism)
    for state in subject.states[:_STATES]:
        reference = subject.reference(state)
        for entry in found:
            compared = KINDS[entry.word](reader, entry.name, entry.arguments, reference)
            for what, made, told in compared:
                size = 1 + float(np.abs(np.asarray(told, dtype=float)).max(initial=0.0))
                yield Comparison(what, state.label, largest(made, told, size), ALLOWED)
