"""Runs of many states in steps with rigid contacts, against single runs: part of `lanes`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.runtime.model.needed_functions import CONTACT_METHODS
from eomc.verifier.subject.check import Comparison, largest
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState

STEPS, EVERY, MOST, SAME = 4, 2, 7, 1e-8
_SETTINGS = [200.0, 1e-13, np.inf, 1.0, 0.0]
_SOLVED = 1e-10
_STEP = 1e-3


def contact_lanes(other: DerivedSubject) -> Iterator[Comparison]:
    """Of a module with lanes, some of them left over; one run is without numbers."""
    for method in CONTACT_METHODS:
        found, entry = other.model.integrator(method), other.model.integrator_record(method)
        if found is None or entry is None or not entry["nq"]:
            continue
        own = {"z": np.zeros(entry["nz"]), "settings": np.array(_SETTINGS)}
        own |= {"t": other.states[0]["t"]} if "t" in found[1] else {}
        states = [state.with_values(**own) for state in other.states[: MOST - 1]]
        broken = states[-1].with_values(q=np.full(entry["nq"], np.nan))
        yield from _runs(other, [*states, broken], method, found)


def _runs(
    subject: DerivedSubject,
    states: list[TestState],
    method: str,
    found: tuple[Any, tuple[str, ...]],
) -> Iterator[Comparison]:
    call, names = found
    rows: list[Any] = []
    for name in names:
        values = np.array([state[name] for state in states])
        rows.append(values if name in ("q", "u", "z") else values[:, None])
        rows[-1] = float(values[0]) if name == "t" else rows[-1]
    q, u, z = getattr(subject.model, f"{method}_rollouts")(*rows, _STEP, STEPS, every=EVERY)
    count = len((subject.model.integrator_record(method) or {})["rows"])
    of = f"integrator {method}"
    for k, state in enumerate(states):
        try:
            single = call(*(state[name] for name in names), _STEP, STEPS)
        except FloatingPointError:
            single = None
        if single is None or not np.isfinite(np.hstack(single[:2])).all():
            lost = np.inf if np.isfinite(np.concatenate([q[k, -1], u[k, -1]])).all() else 0.0
            yield Comparison("run that fails", state.label, lost, SAME, of)
            continue
        if not single[2][1:, count].max() < _SOLVED:
            continue
        for name, part, rows_of in (("q", q, single[0]), ("u", u, single[1])):
            size = 1.0 + float(np.abs(rows_of).max(initial=0.0))
            error = largest(part[k], rows_of[::EVERY], size)
            yield Comparison(f"{name} of runs", state.label, error, SAME, of)
        yield Comparison("residual of runs", state.label, float(z[k, 1:, count].max()), 1e-9, of)
