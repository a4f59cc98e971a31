"""Steps on the configuration manifold: rates, integrate, difference, normalize."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from eomc.runtime.derivatives.differences import STEP, derivative
from eomc.runtime.model.joint_limits import quaternions
from eomc.verify.subject.check import Comparison, check, largest
from eomc.verify.subject.states import TestState
from eomc.verify.subject.subject import Subject
from eomc.verify.witness.mechanism import Array

ALLOWED, DIFFERENCES = 1e-12, 1e-9


@check(
    "manifold",
    compares="coordinate rates with differences of integrate; difference with the step taken; "
    "lengths of quaternions after a step; normalize on the manifold",
    reference="difference(q, integrate(q, du)) = du, d/dh integrate(q, h u) = G(q) u at h = 0",
    tolerance=f"{ALLOWED:.0e} of 1 and of the coordinates, some thousand roundings; "
    f"{DIFFERENCES:.0e} where differences are taken",
    needs=("integrate", "coordinate_rates"),
)
def manifold(subject: Subject) -> Iterator[Comparison]:
    """Steps of at most one radian or metre an entry."""
    joints = subject.model.manifest.get("metadata", {}).get("joints", ())
    places = quaternions(joints, subject.model.coordinates)
    for state in subject.states:
        q, u, du = state["q"], state["u"], state["du"]
        step = STEP / max(1.0, float(np.abs(u).max(initial=0.0)))
        slope, _ = derivative(partial(_along, subject, state, u), step)
        size = (1 + float(np.abs(q).max())) * (1 + float(np.abs(u).max(initial=0.0)))
        error = largest(subject.call("coordinate_rates", state), slope, size)
        yield Comparison("coordinate rates", state.label, error, DIFFERENCES)
        stepped = subject.call("integrate", state)
        size = 1 + float(np.abs(q).max())
        if "difference" in subject.functions:
            back = subject.call("difference", state, q0=q, q1=stepped)
            yield Comparison("difference", state.label, largest(back, du, size), ALLOWED)
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
