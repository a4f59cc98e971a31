"""Systems given in SymPy against what SymPy makes of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.witness.given_equations import MOST, GivenEquations, size, unknown_forces

ALLOWED = 1e-11


@check(
    "given equations",
    compares="inverse dynamics, mass matrix, energies, rates and constraints of systems given in "
    "SymPy",
    reference="Lagrange's equations from their definition, or Kane's as they stand, differentiated "
    "by SymPy and evaluated in numbers",
    tolerance=f"{ALLOWED:.0e} of the terms of the equations",
    needs=("inverse_dynamics", "mass_matrix"),
)
def given_equations(subject: DerivedSubject) -> Iterator[Comparison]:
    """In every state."""
    system = subject.given
    if not hasattr(system, "given") or not hasattr(system, "variables"):
        raise Absent("equations given in SymPy")
    if size(system) > MOST:
        raise NotApplicable("so long that SymPy takes long to differentiate it")
    equations = GivenEquations(system)
    if getattr(system.given, "auxiliary", ()) and not system.given.reactions:
        error = np.inf if len(unknown_forces(system)) == len(system.given.auxiliary) else 0.0
        yield Comparison("auxiliary forces are missing", "all states", error, 0.0)
    for state in subject.states:
        forces = np.abs(subject.call("bias", state)).max(initial=0.0)
        mass = np.abs(subject.call("mass_matrix", state)).max(initial=0.0)
        fastest = 1.0 + float(np.abs(state["u"]).max(initial=0.0))
        terms = forces + mass * (1.0 + float(np.abs(state["a"]).max(initial=0.0))) * fastest**2
        for name, expected in equations(state.values).items():
            if name not in subject.functions or not np.isfinite(expected).all():
                continue
            got = np.ravel(subject.call(name, state))
            wanted = np.ravel(expected)
            if len(got) != len(wanted):
                continue  # rows that follow from others are left out
            scale = float(terms) + float(np.abs(wanted).max(initial=0.0))
            yield Comparison(name, state.label, largest(got, wanted, scale), ALLOWED)
