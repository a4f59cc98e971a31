"""Constraints against differences of their residuals, and loops against the frames they join."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.differences import derivative
from eomc.runtime.model.frame_kinematics import word_of
from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED, UNCERTAIN, CLOSED = 1e-8, 1e-5, 1e-11
_NEEDS = (
    *("constraint_residual", "constraint_jacobian", "constraint_velocity", "constraint_bias"),
    *("forward_dynamics", "integrate"),
)
_WORLD = "world"
# What differences with two steps disagree on is their uncertainty: near a singularity that is more
# than the extrapolation knows of.
_STEPS = (2e-3, 2e-4)


@check(
    "constraints",
    compares="G, G u + b and g with rates of the residuals; G a + g of forward dynamics with 0; "
    "the two ends of a joint that closes a loop with one another",
    reference="extrapolated central differences of the residuals along the motion; the kinematics "
    "of frames",
    tolerance=f"{ALLOWED:.0e} of the largest term and four times the differences' estimate of "
    f"their error, which are not compared if that exceeds {UNCERTAIN:.0e}; {CLOSED:.0e} of the "
    "terms' sum for what is exact",
)
def constraints(subject: Subject) -> Iterator[Comparison]:
    """In every state on the constraints."""
    if not subject.model.is_constrained:
        raise Absent("loops and other constraints")
    missing = [name for name in _NEEDS if name not in subject.functions]
    if missing:
        raise NotApplicable(f"no function {', '.join(missing)}")
    names = subject.model.output_names("constraint_jacobian")
    held = [names.index(name) for name in subject.model.output_names("constraint_residual")]
    for state in subject.states:
        jacobian = subject.gradients(state)
        rate = np.asarray(subject.call("constraint_velocity", state))
        largest_entry = float(np.abs(jacobian).max(initial=0.0))
        fastest = 1.0 + float(np.abs(state["u"]).max(initial=0.0))
        if held:
            columns = [_along(subject, state, "constraint_residual", e) for e in np.eye(subject.nu)]
            yield from _compared("G", state, jacobian[held].T, columns, largest_entry)
            passing = _passing(subject, state, "constraint_residual")
            yield from _compared("G u + b", state, rate[held], passing, largest_entry * fastest)
        bias = np.asarray(subject.call("constraint_bias", state))
        passing = _passing(subject, state, "constraint_velocity")
        yield from _compared("g", state, bias, passing, largest_entry * fastest**2)
        if state in subject.regular:
            a = subject.call("forward_dynamics", state)
            # What forces would cause alone rounds, though nothing moves that is driven altogether.
            forces = np.abs(state["tau"]) + np.abs(subject.call("bias", state))
            moved = np.abs(a) + forces / subject.mass_weights(state) ** 2
            size = float((np.abs(jacobian) @ moved + np.abs(bias)).max(initial=0.0))
            error = largest(jacobian @ a, -bias, size * subject.condition(state))
            yield Comparison("G a + g = 0", state.label, error, CLOSED)
        yield from _closures(subject, state)


def _compared(
    what: str, state: TestState, got: Array, found: Any, terms: float
) -> Iterator[Comparison]:
    """Rates against differences (value, doubt) or a list of them, relative to their terms."""
    values, doubts = (
        zip(*found, strict=True) if isinstance(found, list) else ((found[0],), (found[1],))
    )
    expected = np.array(values).reshape(got.shape)
    size = 1.0 + terms + float(np.abs(expected).max(initial=0.0))
    doubt = max(float(np.max(part, initial=0.0)) for part in doubts) / size
    if 4 * doubt <= UNCERTAIN:
        error = largest(got, expected, size)
        yield Comparison(what, state.label, error, ALLOWED + 4 * doubt)


def _along(subject: Subject, state: TestState, function: str, direction: Array) -> Any:
    """Derivative of a function along a displacement of q."""

    def moved(h: float) -> Array:
        q = subject.call("integrate", state, du=h * direction)
        return np.asarray(subject.call(function, state, q=q), dtype=float)

    return _derivative(moved)


def _passing(subject: Subject, state: TestState, function: str) -> Any:
    """Rate of a function along the motion that goes on with the same speeds u."""
    scale = max(1.0, float(np.abs(state["u"]).max(initial=0.0)))

    def moved(h: float) -> Array:
        step = h / scale
        q = subject.call("integrate", state, du=step * state["u"])
        s_rate = state["s_rate"] + step * state["s_acceleration"]
        s = state["s"] + step * state["s_rate"] + step**2 / 2 * state["s_acceleration"]
        found = subject.call(function, state, q=q, t=state["t"] + step, s=s, s_rate=s_rate)
        return np.asarray(found, dtype=float)

    slope, doubt = _derivative(moved)
    return slope * scale, doubt * scale


def _derivative(moved: Callable[[float], Array]) -> tuple[Array, Array]:
    """Derivative at 0 and what it is uncertain by."""
    (first, doubt), (second, other) = (derivative(moved, step) for step in _STEPS)
    nearer = doubt <= other
    return np.where(nearer, first, second), np.minimum(doubt, other) + np.abs(first - second)


def _closures(subject: Subject, state: TestState) -> Iterator[Comparison]:
    """Origins of both ends in the world, for joints that hold them together."""
    metadata = subject.model.manifest.get("metadata", {})
    for joint in metadata.get("closures", ()):
        ends = [end for end in joint["ends"] if _is_known(subject, end["body"])]
        if not joint.get("meet") or len(ends) < 2:
            continue
        first, second = (_place(subject, state, end) for end in ends)
        size = 1.0 + float(np.abs(first).max())
        error = largest(first, second, size)
        yield Comparison(f"ends of {joint['name']}", state.label, error, CLOSED)


def _is_known(subject: Subject, body: str) -> bool:
    return body == _WORLD or word_of(body) in subject.frames


def _place(subject: Subject, state: TestState, end: Any) -> Array:
    origin = np.array(end["origin"], dtype=float)
    if end["body"] == _WORLD:
        return origin
    pose = np.asarray(subject.call(f"frame_{word_of(end['body'])}_pose", state), dtype=float)
    placed: Array = pose[:3, :3] @ origin + pose[:3, 3]
    return placed
