"""Gaps and points of contact in many places that runs may come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.checks.compiled.batches import said
from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.contact import ContactInState
from eomc.verifier.witness.contact_outline import OvalOutline
from eomc.verifier.witness.newton_euler import NewtonEuler

ALLOWED = 1e-10
_PLACES, _QUICK_PLACES = 60, 24
_LARGE, _LEAST = 600, 6
"""Speeds times places of large models."""
_FAR = (0.1, 0.5, 1.5)
"""Sizes of displacements [m, rad]."""
_NEARBY = 1e-8
_APART, _NEAR, _FEW = 1e-3, 2, 12
"""The least gap of bodies that almost meet [m], in so many places, and the most speeds they may
have."""
_STEPS, _SMALL = 12, 1e-6
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
    if subject.mechanism is None:
        raise NotApplicable("the elements are not known here")
    if not subject.mechanism.contacts:
        raise Absent("contacts of kinds that are known here")
    found = [name for name in ("element_outputs", "rigid_contacts") if name in subject.functions]
    rng = np.random.default_rng(subject.seed)
    for start in subject.states[:_NEAR] if subject.nu <= _FEW else ():
        if (near := _almost_met(subject, start)) is not None:
            for function in found:
                yield from _refused(subject, function, near, f"just apart, {start.label}")
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


def _refused(subject: Subject, function: str, state: TestState, place: str) -> Iterator[Comparison]:
    """No convex bodies that are apart are too near."""
    if not _is_clear(subject.reference(state)):
        return
    refusal = said(partial(_told, subject, function, state)) or ""
    error = np.inf if any(word in refusal for word in _REFUSED) else 0.0
    yield Comparison(f"{function}, not refused", place, error, ALLOWED)


def _almost_met(subject: Subject, state: TestState) -> TestState | None:
    """A place where bodies are just apart, by Newton's method on the least gap; None if it ends
    nowhere near."""

    def gap(at: TestState) -> float:
        contacts = subject.reference(at).contacts
        return min(place.met.gap for contact in contacts for place in contact.places)

    for _ in range(_STEPS):
        here = gap(state)
        if not np.isfinite(here) or _APART / 2 < here < 2 * _APART:
            break
        moved = [gap(_displaced(subject, state, _SMALL * unit)) for unit in np.eye(subject.nu)]
        slope = (np.array(moved) - here) / _SMALL
        step = (_APART - here) * slope / max(float(slope @ slope), 1e-300)
        step /= max(1.0, float(np.abs(step).max()))
        state = _displaced(subject, state, step)
    return state if _APART / 2 < gap(state) < 2 * _APART else None


def _displaced(subject: Subject, state: TestState, du: Array) -> TestState:
    return state.with_values(q=subject.call("integrate", state, du=du))


def _told(subject: Subject, function: str, state: TestState) -> Mapping[str, float]:
    """Gaps and points by name."""
    if function == "element_outputs":
        values = np.ravel(subject.call(function, state))
    else:
        values = np.ravel(subject.call(function, state)[0])
    names = subject.model.output_names(function)
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
        hollow = any(isinstance(site, OvalOutline) and site.flat is not None for site in shapes)
        if surface.inside or hollow or declared.kind in ("implicit", "torus"):
            return False
        if not all(place.met.gap > 0 for place in contact.places):
            return False
    return True
