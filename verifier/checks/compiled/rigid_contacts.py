"""Rigid contacts and tethers: how gaps and slips change, by running along the motion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.subject.check import Comparison, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.contact import Closed
from eomc.verifier.witness.told import closings

ALLOWED = 1e-7
_EXACT, _NEARBY = 1e-11, 1e-8
"""Of what the declaration says itself, and the change of the state that tells its conditioning."""
_STEP = 1e-3
_CENTRAL = {-2: 1 / 12, -1: -2 / 3, 1: 2 / 3, 2: -1 / 12}
_AHEAD = {0: -25 / 12, 1: 4, 2: -3, 3: 4 / 3, 4: -1 / 4}
_REACHES, _STEADY = (1, 0.1, 0.01), 1e-6
"""Shares of a step, and the most that slopes at two steps differ by where no feature changes."""
_PARTS = ("gap", "normal", "velocity", "laws", "traction")
_ALONG = ("normal", "velocity", "traction")
"""Of the direction, and of the point that it leads to."""


@check(
    "rigid contacts",
    compares="gaps, normals, velocities and laws; rates J u + b of gaps and their bias J' u + b', "
    "those of slips too; that the slip of a contact along its normal opens its gap",
    reference="the declared shapes, surfaces and laws, by definition; differences of the gaps and "
    "of the rates along the motion at constant speeds u, of fourth order at two steps, "
    "extrapolated; where features that touch change, one-sided ones on a side on which they stay; "
    "in built states none where they change on both, as of boxes with one centre and several "
    "equal ways out, and of gaps alone where the definition tells no normal, as between balls "
    "with one centre",
    tolerance=f"{_EXACT:.0e} of 1, of the value and of what relative changes of the state by 1 "
    f"change in it; {ALLOWED:.0e} for differences, with what the steps differ by",
    needs=("rigid_contacts", "integrate"),
)
def rigid_contacts(subject: Subject) -> Iterator[Comparison]:
    """In every state."""
    names = subject.model.output_names("rigid_contacts")
    for state in subject.states:
        expected: Mapping[str, Closed] = {}
        if subject.mechanism is not None:
            expected = closings(subject.reference(state))
            yield from _declared(subject, state, names, expected)
        _, _, rate, bias, normals, *_ = _told(subject, state)
        n = len(names)
        rate, bias, normals = rate.reshape(n, 4), bias.reshape(n, 4), normals.reshape(n, 3)
        along = np.sum(normals * rate[:, 1:], axis=1)
        errors = _errors(subject, state, np.hstack([rate[:, :1], bias]))
        for k, name in enumerate(names):
            if name in expected and expected[name].has_no_normal:
                continue
            where = f"closing {name}"
            for what, error in zip(("gap rate", "bias"), errors[k], strict=True):
                if not np.isnan(error):
                    yield Comparison(f"{what} of {name}", state.label, error, ALLOWED, where)
            if rate[k, 1:].any():
                error = largest(along[k], rate[k, 0], 1.0 + abs(rate[k, 0]))
                yield Comparison(f"slip of {name}", state.label, error, ALLOWED, where)


def _declared(
    subject: Subject, state: TestState, names: Sequence[str], expected: Mapping[str, Closed]
) -> Iterator[Comparison]:
    """Contacts, stops and tethers of kinds that are known here."""
    rng = np.random.default_rng(subject.seed)
    changes = {
        "q": state["q"] + _NEARBY * rng.choice([-1, 1], size=state["q"].shape),
        "u": state["u"] * (1 + _NEARBY * rng.choice([-1, 1], size=state["u"].shape)),
    }
    moved, n = closings(subject.reference(state, **changes)), len(names)
    gap, _, rate, _, normals, laws, traction = _told(subject, state)
    parts = (
        gap[:, None],
        normals.reshape(n, 3),
        rate.reshape(n, 4)[:, 1:],
        laws.reshape(n, 4),
        traction.reshape(n, 3),
    )
    for k, name in enumerate(names):
        if name not in expected:
            continue
        parts_of = zip(_PARTS, parts, expected[name].parts, moved[name].parts, strict=True)
        for what, got, first, second in parts_of:
            if expected[name].has_no_normal and what in _ALONG:
                continue
            size = 1 + np.abs(first).max() + np.abs(second - first).max() / _NEARBY
            error = largest(got[k], first, size)
            yield Comparison(f"{what} of {name}", state.label, error, _EXACT, f"closing {name}")


def _told(subject: Subject, state: TestState) -> list[Array]:
    return [np.ravel(part) for part in subject.call("rigid_contacts", state)]


def _later(subject: Subject, state: TestState, h: float) -> TestState:
    """The state a time h on, at constant speeds."""
    changes: dict[str, Any] = {"q": subject.call("integrate", state, du=h * state["u"])}
    if "s" in state.values:
        s, v, a = (state[name] for name in ("s", "s_rate", "s_acceleration"))
        changes |= {"s": s + h * v + h * h / 2 * a, "s_rate": v + h * a}
    if "t" in state.values:
        changes["t"] = state["t"] + h
    return state.with_values(**changes)


def _errors(subject: Subject, state: TestState, told: Array) -> Array:
    """(n, 2) of gap rates and of bias, from `told` (n, 5), in shares of their sizes; NaN where both
    sides leave the features that touch in a built state."""
    h = _STEP / (1.0 + float(np.abs(state["u"]).max(initial=0.0)))
    central = _compared(told, *_slope(subject, state, h, _CENTRAL))
    if (central <= ALLOWED).all():
        return central
    found = np.full(central.shape, np.inf)
    is_told = np.isfinite(_moved(subject, state, 0.0)).all(axis=1, keepdims=True)
    is_judged = (central <= ALLOWED) | ~is_told
    for reach in _REACHES:
        for way in (1, -1):
            weights = {way * k: way * share for k, share in _AHEAD.items()}
            slope, apart = _slope(subject, state, reach * h, weights)
            steady = apart <= _STEADY * (1 + np.abs(slope))
            # All that is told goes on: features with one point in common differ in the bias.
            goes_on = steady.all(axis=1, keepdims=True)
            error = np.where(goes_on, _compared(told, slope, apart), np.inf)
            found, is_judged = np.minimum(found, error), is_judged | goes_on
        if is_judged.all():
            break
    found = np.where(central <= ALLOWED, central, found)
    return np.where(is_judged, found, central if state.is_random else np.nan)


def _compared(told: Array, slope: Array, apart: Array) -> Array:
    expected, apart = (part[:, (0, 4, 5, 6, 7)] for part in (slope, apart))
    with np.errstate(invalid="ignore"):
        error = np.abs(told - expected) / (1.0 + np.abs(expected) + apart * 1e3)
    error = np.where(np.isnan(error), np.inf, error)
    return np.column_stack([error[:, 0], error[:, 1:].max(axis=1)])


def _moved(subject: Subject, state: TestState, h: float) -> Array:
    """(n, 12) gaps, normals, rates and bias a time h on."""
    gap, _, rate, bias, normals, *_ = _told(subject, _later(subject, state, h))
    parts = normals.reshape(-1, 3), rate.reshape(-1, 4), bias.reshape(-1, 4)
    return np.hstack([gap[:, None], *parts])


def _slope(
    subject: Subject, state: TestState, h: float, weights: Mapping[int, float]
) -> tuple[Array, Array]:
    """d/dh of these at 0, and how much the differences of steps of h and h/2 differ by."""
    wide, fine = (
        np.asarray(sum(w * _moved(subject, state, k * step) for k, w in weights.items())) / step
        for step in (h, h / 2)
    )
    return fine + (fine - wide) / 15, np.abs(fine - wide)
