"""Functions that tell where forces have a kink against the forces themselves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.told import kinked

_LEFT_OPEN = 1e-9
"""Of the function: so near to its zero rounding decides on which side it is."""


@check(
    "switches",
    compares="the sign of each function that changes it at a kink with whether there is a force; "
    "that no element whose force has a kink lacks one",
    reference="tensions and normal forces of the laws, written down again",
    tolerance=f"the same in every state, but for {_LEFT_OPEN:.0e} about a zero",
)
def switches(subject: Subject) -> Iterator[Comparison]:
    """Element by element, in every state."""
    if subject.mechanism is None:
        raise NotApplicable("the elements are not known here")
    there = "element_switches" in subject.functions
    names = subject.model.output_names("element_switches") if there else ()
    is_absent = not names
    for state in subject.states:
        forces = kinked(subject.reference(state))
        is_absent = is_absent and not forces
        got = (
            dict(zip(names, subject.call("element_switches", state), strict=True)) if there else {}
        )
        for name, force in forces.items():
            value = float(got.get(name, np.nan))
            same = abs(value) < _LEFT_OPEN or (value > 0.0) == (force != 0.0)
            told = same and np.isfinite(value)
            yield Comparison(name, state.label, 0.0 if told else np.inf, 0.0)
    if is_absent:
        raise Absent("forces with a kink")
