"""Steps with rigid contacts: momentum, cones and complementarity of what a step returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verify.subject.check import Comparison, check, largest
from eomc.verify.subject.states import TestState
from eomc.verify.subject.subject import Subject

ALLOWED, METHOD = 1e-8, "moreau"
_SETTINGS = [200.0, 1e-13, np.inf, 1.0, 0.0]
_SOLVED = 1e-10
_LONGEST, _SHORT = 0.1, 1e-3


@check(
    "contact steps",
    compares="momentum M (v+ - v) = h (tau - c) + J^T P of steps of Moreau; that impulses press, "
    "lie in the cones of friction and act on gaps that close or bounce by the restitution",
    reference="mass matrix, bias and rows of contacts in the middle of the step, by definition",
    tolerance=f"{ALLOWED:.0e} of the sizes of the terms",
    needs=("contact_equations", "rigid_contacts", "integrate", "mass_matrix", "bias"),
)
def contact_steps(subject: Subject) -> Iterator[Comparison]:
    """From every state, by a short step and by one in which the nearest gap closes."""
    model = subject.model
    found, entry = model.integrator(METHOD), model.integrator_record(METHOD)
    if found is None or entry is None:
        return
    for state in subject.states:
        gap, _, rate, *_ = (np.ravel(part) for part in subject.call("rigid_contacts", state))
        closing = -rate.reshape(-1, 4)[:, 0]
        times = [4 * g / r for g, r in zip(gap, closing, strict=True) if g > 0 and r > 0]
        for h in {_SHORT, min([_LONGEST, *times])}:
            given = {**state.values, "z": np.zeros(entry["nz"]), "settings": _SETTINGS}
            try:
                q, u, z = found[0](*(given[name] for name in found[1]), h, 1)
            except FloatingPointError:
                continue
            told = len(entry["rows"])
            if np.isfinite(q).all() and np.isfinite(u).all() and z[1, told] < _SOLVED:
                yield from _step(subject, state, h, u[1], z[1, :told], entry)


def _step(
    subject: Subject, state: TestState, h: float, after: Array, impulses: Array, entry: Any
) -> Iterator[Comparison]:
    middle = state.with_values(q=subject.call("integrate", state, du=h / 2 * state["u"]))
    if "t" in state.values:
        middle = middle.with_values(t=state["t"] + h / 2)
    mass, bias = (np.asarray(subject.call(name, middle)) for name in ("mass_matrix", "bias"))
    nu = len(after)
    parts = [np.ravel(part) for part in subject.call("rigid_contacts", middle)]
    n = len(parts[0])
    rows, rate, laws = parts[1].reshape(n, 4, nu), parts[2].reshape(n, 4), parts[5].reshape(n, 4)
    behind = np.ravel(subject.call("rigid_contacts", middle, u=after)[2]).reshape(n, 4)[:, 0]
    inertia, forces = mass @ (after - state["u"]), h * (np.asarray(state["tau"]) - bias)
    left, sizes, along = inertia - forces, np.abs(inertia) + np.abs(forces), []
    first = 0
    for k, (name, size) in enumerate(_contacts(entry)[:n]):
        p = impulses[first : first + size]
        push = rows[k, 0] * p[0]
        left, sizes = left - push, sizes + np.abs(push)
        scale = 1.0 + np.abs(impulses).max()
        where = f"step at {name}"
        yield Comparison(f"push of {name}", state.label, max(0.0, -p[0]) / scale, ALLOWED, where)
        if size == 3:
            along += [row * p[0] for row in rows[k, 1:]] if p[0] > 0 else []
            over = np.hypot(*p[1:]) - max(laws[k, 2:]) * p[0]
            yield Comparison(f"cone of {name}", state.label, max(0.0, over) / scale, ALLOWED, where)
        if p[0] > 0:
            bounce = -laws[k, 0] * rate[k, 0]
            error = min(abs(behind[k]), abs(behind[k] - bounce)) / (1 + np.abs(rate[k]).max())
            yield Comparison(f"rate of {name}", state.label, error, ALLOWED, where)
        first += size
    if entry["rows"][first:]:
        return  # other rows carry some of it
    if along:
        basis = np.array(along).T
        left = left - basis @ np.linalg.lstsq(basis, left, rcond=1e-12)[0]
    weights = subject.mass_weights(middle)
    error = largest(left / weights, 0 * left, 1e-6 + float((sizes / weights).max()))
    yield Comparison("momentum", state.label, error, ALLOWED, "momentum of a step")


def _contacts(entry: Any) -> list[tuple[str, int]]:
    return list(zip(entry["contacts"], entry["contact_rows"], strict=True))
