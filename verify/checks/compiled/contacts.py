"""Gaps and points of contact in many places that runs may come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from eomc.verify.subject.check import Comparison, NotApplicable, check, largest
from eomc.verify.subject.states import TestState
from eomc.verify.subject.subject import Subject
from eomc.verify.witness.contact import ContactInState
from eomc.verify.witness.contact_outline import Oval
from eomc.verify.witness.mechanism import Array
from eomc.verify.witness.newton_euler import NewtonEuler

ALLOWED = 1e-10
_PLACES, _QUICK_PLACES = 60, 24
_LARGE, _LEAST = 600, 6
"""Speeds times places of large models."""
_FAR = (0.1, 0.5, 1.5)
"""Sizes of displacements [m, rad]."""
_NEARBY = 1e-8
_REFUSED = ("no_nearest_point", "no_furthest_point")


@check(
    "contacts",
    compares="gaps and points of contact in further places, up to metres and half turns from the "
    "states; that no function refuses a place where convex bodies are apart",
    reference="closed forms, places whose normal passes through a point as roots that SciPy finds, "
    "common normals by Newton's method from the best of many directions",
    tolerance=f"{ALLOWED:.0e} of 1 m, of the value and of what relative changes of the state by 1 "
    "change in it",
    needs=("integrate",),
)
def contacts(subject: Subject) -> Iterator[Comparison]:
    """In places that random displacements of the states lead to."""
    if subject.mechanism is None or not subject.mechanism.contacts:
        raise NotApplicable("no contacts of kinds that are known here")
    found = [name for name in ("element_outputs", "rigid_contacts") if name in subject.functions]
    rng = np.random.default_rng(subject.seed)
    most = _QUICK_PLACES if subject.quick else _PLACES
    for k in range(max(_LEAST, min(most, _LARGE // max(subject.nu, 1)))):
        start = subject.states[k % len(subject.states)]
        state = _displaced(subject, start, _FAR[k % len(_FAR)] * rng.normal(size=subject.nu))
        reference = subject.reference(state)
        nearby = subject.reference(
            _displaced(subject, state, _NEARBY * rng.normal(size=subject.nu))
        )
        for function in found:
            try:
                told = _told(subject, function, state)
            except FloatingPointError as refusal:
                if any(word in str(refusal) for word in _REFUSED) and _is_clear(reference):
                    yield Comparison(f"{function}: {refusal}", f"place {k}", np.inf, ALLOWED)
                continue
            yield from _compared(told, reference, nearby, k)


def _displaced(subject: Subject, state: TestState, du: Array) -> TestState:
    return state.with_values(q=subject.call("integrate", state, du=du))


def _told(subject: Subject, function: str, state: TestState) -> Mapping[str, float]:
    """Gaps and points by name."""
    if function == "element_outputs":
        values = np.ravel(subject.call(function, state))
    else:
        values = np.ravel(subject.call(function, state)[0])
    names = subject.model.output_rows(function)
    ending = "" if function == "element_outputs" else ".gap"
    return {name + ending: float(x) for name, x in zip(names, values, strict=True)}


def _compared(
    told: Mapping[str, float], reference: NewtonEuler, nearby: NewtonEuler, k: int
) -> Iterator[Comparison]:
    for contact, moved in zip(reference.contacts, nearby.contacts, strict=True):
        expected, after = _places(contact), _places(moved)
        for name in sorted(expected.keys() & told.keys()):
            if not np.isfinite(expected[name]):
                continue  # the normals of several places meet there
            change = abs(after[name] - expected[name]) / _NEARBY
            error = largest(told[name], expected[name], 1 + abs(expected[name]) + change)
            yield Comparison(name, f"place {k}", error, ALLOWED)


def _places(contact: ContactInState) -> dict[str, float]:
    """Gaps and points by the names that outputs and rigid contacts have."""
    found: dict[str, float] = {}
    name, count = contact.contact.name, len(contact.places)
    for k, place in enumerate(contact.places, 1):
        at, rigid = ("", name) if count == 1 else (f"_{k}", f"{name}.{k}")
        found |= {f"{name}.gap{at}": place.met.gap, f"{rigid}.gap": place.met.gap}
        for axis, x in zip("xyz", place.met.point, strict=True):
            found[f"{name}.point_{axis}{at}"] = float(x)
    return found


def _is_clear(reference: NewtonEuler) -> bool:
    """True if all bodies are convex, met from outside, and apart: there is one nearest place."""
    for contact in reference.contacts:
        declared = contact.contact
        surface, shapes = declared.surface(contact.surface.x), declared.sites(contact.shape.x)
        hollow = any(isinstance(site, Oval) and site.flat is not None for site in shapes)
        if surface.inside or hollow or declared.kind in ("implicit", "torus"):
            return False
        if not all(place.met.gap > 0 for place in contact.places):
            return False
    return True
