"""Steps on the configuration manifold: rates, integrate, difference, normalize."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.differences import STEP, derivative
from eomc.runtime.model.ranges import deviations, quaternions
from eomc.verifier.subject.check import Comparison, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED, DIFFERENCES = 1e-12, 1e-9
SMALL = 0.01
"""Share of a step that is taken too: there functions may be series."""


@check(
    "manifold",
    compares="coordinate rates with differences of integrate; a step with its halves one after the "
    "other; difference with the step taken; "
    "lengths of quaternions after a step; normalize on the manifold; the neutral configuration",
    reference="d/dh integrate(q, h u) = G(q) u at h = 0; integrate(q, du) goes on at one velocity; "
    "difference(q, integrate(q, du)) = du; "
    "neutral is not displaced and not turned, deformed as the bodies' forms say, anything where "
    "the joint does not move about zero",
    tolerance=f"{ALLOWED:.0e} of 1 and of the coordinates, some thousand roundings; "
    f"{DIFFERENCES:.0e} where differences are taken",
    needs=("integrate", "coordinate_rates"),
)
def manifold(subject: Subject) -> Iterator[Comparison]:
    """Steps of at most one radian or metre an entry, and a hundredth of them."""
    joints = subject.model.manifest.get("metadata", {}).get("joints", ())
    places = quaternions(joints, subject.model.coordinates)
    yield from _neutral(subject, places)
    for state in subject.states:
        q, u, du = state["q"], state["u"], state["du"]
        step = STEP / max(1.0, float(np.abs(u).max(initial=0.0)))
        slope, _ = derivative(partial(_along, subject, state, u), step)
        size = (1 + float(np.abs(q).max())) * (1 + float(np.abs(u).max(initial=0.0)))
        error = largest(subject.call("coordinate_rates", state), slope, size)
        yield Comparison("coordinate rates", state.label, error, DIFFERENCES)
        size = 1 + float(np.abs(q).max())
        for share in (SMALL, 1.0):
            taken = share * du
            stepped = subject.call("integrate", state, du=taken)
            if joints:  # rates that are given in SymPy need not lead along one motion
                half = subject.call("integrate", state, du=taken / 2)
                halves = subject.call("integrate", state, q=half, du=taken / 2)
                yield Comparison("halves", state.label, largest(halves, stepped, size), ALLOWED)
            if "difference" in subject.functions:
                back = subject.call("difference", state, q0=q, q1=stepped)
                yield Comparison("difference", state.label, largest(back, taken, size), ALLOWED)
        if "normalize" in subject.functions:
            same = subject.call("normalize", state)
            yield Comparison("normalize", state.label, largest(same, q, size), ALLOWED)
        for place in places:
            length = float(np.linalg.norm(stepped[place]))
            yield Comparison("unit length", state.label, abs(length - 1.0), ALLOWED)


def _along(subject: Subject, state: TestState, u: Array, h: float) -> Array:
    """integrate(q, h u)"""
    q: Array = subject.call("integrate", state, du=h * u)
    return q


def _neutral(subject: Subject, quaternion_places: Sequence[Sequence[int]]) -> Iterator[Comparison]:
    """Coordinates that move about zero or about what a form says; joints that say so are free."""
    model = subject.model
    if "neutral" not in subject.functions:
        return
    metadata = model.manifest.get("metadata", {})
    expected = np.zeros(model.nq)
    for place in quaternion_places:
        expected[place[0]] = 1.0
    deformed = {
        name: middle
        for body in metadata.get("deformables", ())
        for name, middle in zip(body["coordinates"], body["neutral"], strict=True)
    }
    for k, name in enumerate(model.coordinates):
        expected[k] = deformed.get(name, expected[k])
    elsewhere = deviations(metadata).keys() - deformed.keys()
    judged = [name not in elsewhere for name in model.coordinates]
    found = np.array(model.function("neutral")(), dtype=float)
    yield Comparison("neutral", "neutral", largest(found[judged], expected[judged], 1.0), 0.0)
