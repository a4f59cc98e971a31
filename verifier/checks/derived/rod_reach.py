"""Rods that are bent further than their series hold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verifier.subject.check import Absent, Comparison, check
from eomc.verifier.subject.derived_subject import DerivedSubject

FAR = 1e3
"""Turn of the strains of a rod [rad], beyond the reach of any segment."""


@check(
    "rod reach",
    compares="that a rod bent or twisted by turns beyond the reach of its segments is refused",
    reference=f"coordinates of {FAR:.0e} rad",
    tolerance="inverse dynamics says so",
    needs=("inverse_dynamics",),
)
def rod_reach(subject: DerivedSubject) -> Iterator[Comparison]:
    """One rod after the other, in the first state."""
    bodies = {} if subject.declared is None else subject.declared.deformables
    rods = {
        name: body
        for name, body in bodies.items()
        if body.given.kind == "rod" and "rad" in body.form.units
    }
    if not rods or not subject.states:
        raise Absent("rods that bend or twist")
    state = subject.states[0]
    for rod, body in rods.items():
        units = zip(body.coordinates, body.form.units, strict=True)
        own = {name for name, unit in units if unit == "rad"}
        q = np.where([name in own for name in subject.model.coordinates], FAR, state["q"])
        try:
            subject.call("inverse_dynamics", state, q=q)
        except FloatingPointError:
            yield Comparison(f"{rod} far beyond", state.label, 0.0, 0.0)
        else:
            yield Comparison(f"{rod} far beyond", state.label, np.inf, 0.0)
