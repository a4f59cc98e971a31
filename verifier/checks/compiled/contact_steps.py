"""Steps with rigid contacts: momentum, cones and complementarity of what a step returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.subject.check import Comparison, check, largest
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED, METHODS = 1e-8, ("moreau", "stewart_trinkle")
_SETTINGS = [200.0, 1e-13, np.inf, 1.0, 0.0]
_SOLVED = 1e-10
_LONGEST, _SHORT = 0.1, 1e-3


@check(
    "contact steps",
    compares="momentum A (v+ - v) = h f + J^T P of the steps; that impulses press, "
    "lie in the cones of friction and act on gaps that close or bounce by the restitution",
    reference="mass matrix, bias and rows of contacts in the middle of the step, by definition",
    tolerance=f"{ALLOWED:.0e} of the sizes of the terms",
    needs=("contact_equations", "rigid_contacts", "integrate", "mass_matrix", "bias"),
)
def contact_steps(subject: Subject) -> Iterator[Comparison]:
    """From every state, by a short step and by one in which the nearest gap closes."""
    model = subject.model
    for method in METHODS:
        found, entry = model.integrator(method), model.integrator_record(method)
        if found is None or entry is None:
            continue
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
    is_midpoint, of = entry["name"] == "moreau", f"integrator {entry['name']}"
    half = h / 2 if is_midpoint else 0.0
    middle = state.with_values(q=subject.call("integrate", state, du=half * state["u"]))
    if "t" in state.values:
        middle = middle.with_values(t=state["t"] + (half or h))
    mass, bias = (np.asarray(subject.call(name, middle)) for name in ("mass_matrix", "bias"))
    if not is_midpoint:
        mass, springs = _implicit(subject, middle, h, mass)
        bias = bias + h * springs @ state["u"]
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
        yield Comparison(f"push of {name}", state.label, max(0.0, -p[0]) / scale, ALLOWED, of)
        if size == 3:
            along += [row * p[0] for row in rows[k, 1:]] if p[0] > 0 else []
            over = np.hypot(*p[1:]) - max(laws[k, 2:]) * p[0]
            yield Comparison(f"cone of {name}", state.label, max(0.0, over) / scale, ALLOWED, of)
        if p[0] > 0 and is_midpoint:
            pushing = abs(rows[k, 0] @ np.linalg.solve(mass, forces))
            after_impact = _rates_behind(laws[k], rate[k, 0], pushing)
            error = np.abs(behind[k] - after_impact).min() / (1 + np.abs(rate[k]).max())
            yield Comparison(f"rate of {name}", state.label, error, ALLOWED, of)
        first += size
    if entry["rows"][first:]:
        return  # other rows carry some of it
    if along:
        basis = np.array(along).T
        left = left - basis @ np.linalg.lstsq(basis, left, rcond=1e-12)[0]
    weights = subject.mass_weights(middle)
    error = largest(left / weights, 0 * left, 1e-6 + float((sizes / weights).max()))
    yield Comparison(f"momentum by {entry['name']}", state.label, error, ALLOWED, of)


def _rates_behind(law: Array, before: float, pushing: float) -> Array:
    """Rates of a gap behind an impact, v = -e v0, or v = 0 below the speed of rest: both next to
    it, where the order of a sum decides."""
    least = max(law[1], 2 * pushing)
    rates = np.array([-law[0] * before, 0.0])
    chosen = np.array([before < -least * (1 - 1e-9), before > -least * (1 + 1e-9)])
    found: Array = rates[chosen]
    return found


def _implicit(subject: Subject, state: TestState, h: float, mass: Array) -> tuple[Array, Array]:
    """A = M + h D + h^2 K with what is local to joints, and K by A at h and 2 h."""

    def added(step: float) -> Array:
        lower, scale, *_ = subject.call("contact_equations", state, implicit_step=step)
        factor = np.eye(len(mass))
        places = subject.model.output_names("contact_equations")
        for place, entry in zip(places, np.ravel(lower), strict=True):
            row, column = map(int, place.split(", "))
            factor[row, column] = entry
        return np.asarray(factor.T @ (factor / np.ravel(scale)[:, None] ** 2) - mass)

    whole = added(h)
    return mass + whole, (added(2 * h) - 2 * whole) / (2 * h**2)


def _contacts(entry: Any) -> list[tuple[str, int]]:
    return list(zip(entry["contacts"], entry["contact_rows"], strict=True))
