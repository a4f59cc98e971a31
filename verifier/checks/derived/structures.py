"""Energies and places of deformable bodies, against what the bodies are declared with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.verifier.subject.check import Absent, Comparison, check, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.witness.deformation import whole_energies
from eomc.verifier.witness.forms import Judged, claims
from eomc.verifier.witness.numbers import Numbers

ALLOWED = 1e-9


@check(
    "structures",
    compares="energies and places of deformable bodies, at rest and deformed",
    reference="what they are declared with: mode shapes of uniform beams and rods by Ritz's "
    "method, damping ratios by the eigenvalues of mass and stiffness, integrals over telescoping "
    "links, moments of modes, bars and beams of structures assembled and reduced anew, "
    "functions of strain along rods",
    tolerance=f"{ALLOWED:.0e} of the largest entry of its kind: what Ritz's method and "
    "eigenvalues of a structure leave of double precision",
)
def structures(subject: DerivedSubject) -> Iterator[Comparison]:
    """One body after the other."""
    model = subject.declared
    if model is None or not model.deformables:
        raise Absent("bodies that deform")
    assert subject.mechanism is not None
    numbers = Numbers(model)
    for (name, body), known in zip(
        model.deformables.items(), subject.mechanism.deformables, strict=True
    ):
        ridden = any(
            joint.parent == name and joint.coordinates and joint.declaration.rides
            for joint in model.joints.values()
        )
        energies = (known.mass, known.strain, known.strain_slopes, known.losses)
        if body.held:
            energies = whole_energies(model, name, numbers)
        judged = Judged(name, body.given.kind, body.given, numbers, *energies, ridden, subject.seed)
        try:
            found = list(claims(judged))
        except np.linalg.LinAlgError as reason:
            subject.notes[f"structures: what {name} declares is believed ({reason})"] = None
            continue
        for claim in found:
            yield Comparison(f"{claim.what} of {name}", "as declared", _error(claim), ALLOWED)


def _error(claim: Any) -> float:
    found, expected = (np.asarray(part, dtype=float) for part in (claim.found, claim.expected))
    if found.shape != expected.shape:
        return float("inf")
    return largest(found, expected, max(claim.size, 1e-300))
