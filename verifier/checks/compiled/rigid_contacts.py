"""Rigid contacts and tethers: how gaps and slips change, by running along the motion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.subject.check import Comparison, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.told import closings

ALLOWED = 1e-7
_EXACT, _NEARBY = 1e-11, 1e-8
"""Of what the declaration says itself, and the change of the state that tells its conditioning."""
_STEP = 1e-3
_PARTS = ("gap", "normal", "velocity", "laws", "traction")


@check(
    "rigid contacts",
    compares="gaps, normals, velocities and laws; rates J u + b of gaps and their bias J' u + b', "
    "those of slips too; that the slip of a contact along its normal opens its gap",
    reference="the declared shapes, surfaces and laws, by definition; differences of the gaps and "
    "of the rates along the motion at constant speeds u, of fourth order at two steps, "
    "extrapolated",
    tolerance=f"{_EXACT:.0e} of 1, of the value and of what relative changes of the state by 1 "
    f"change in it; {ALLOWED:.0e} for differences, with what the steps differ by",
    needs=("rigid_contacts", "integrate"),
)
def rigid_contacts(subject: Subject) -> Iterator[Comparison]:
    """In every state."""
    names = subject.model.output_names("rigid_contacts")
    for state in subject.states:
        if subject.mechanism is not None:
            yield from _declared(subject, state, names)
        gap, _, rate, bias, normals, *_ = _told(subject, state)
        speed = 1.0 + float(np.abs(state["u"]).max(initial=0.0))
        n = len(names)
        rate, bias = rate.reshape(n, 4), bias.reshape(n, 4)
        along = np.sum(normals.reshape(n, 3) * rate[:, 1:], axis=1)
        later = [_told(subject, _later(subject, state, h)) for h in _steps(speed)]
        gaps, rates = (_slope([told[k] for told in later], speed) for k in (0, 2))
        for k, name in enumerate(names):
            where = f"closing {name}"
            for what, got, (expected, size) in (
                ("gap rate", rate[k, :1], (gaps[0][k : k + 1], gaps[1][k : k + 1])),
                ("bias", bias[k], (rates[0][4 * k : 4 * k + 4], rates[1][4 * k : 4 * k + 4])),
            ):
                size = 1.0 + np.abs(expected) + size
                error = max(map(largest, got, expected, size))
                yield Comparison(f"{what} of {name}", state.label, error, ALLOWED, where)
            if rate[k, 1:].any():
                error = largest(along[k], rate[k, 0], 1.0 + abs(rate[k, 0]))
                yield Comparison(f"slip of {name}", state.label, error, ALLOWED, where)
        assert gap.shape == (n,)


def _declared(subject: Subject, state: TestState, names: Sequence[str]) -> Iterator[Comparison]:
    """Contacts, stops and tethers of kinds that are known here."""
    rng = np.random.default_rng(subject.seed)
    expected = closings(subject.reference(state))
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
        for what, got, first, second in zip(
            _PARTS, parts, expected[name].parts, moved[name].parts, strict=True
        ):
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


def _steps(speed: float) -> list[float]:
    """Of both differences."""
    h = _STEP / speed
    return [k * step for step in (h, h / 2) for k in (-2, -1, 1, 2)]


def _slope(values: list[Array], speed: float) -> tuple[Array, Array]:
    """d/dh at 0 from the values at the steps, and how much both differences differ by."""

    def fourth(at: list[Array], h: float) -> Array:
        return np.asarray((8 * (at[2] - at[1]) - (at[3] - at[0])) / (12 * h))

    h = _STEP / speed
    wide, fine = fourth(values[:4], h), fourth(values[4:], h / 2)
    return fine + (fine - wide) / 15, np.abs(fine - wide) * 1e3
