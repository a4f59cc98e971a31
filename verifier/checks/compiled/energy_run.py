"""Energy along a simulated run: what is put in by power is what is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from scipy.integrate import DOP853

from eomc.binding.arrays import Array
from eomc.verifier.subject.check import Absent, Comparison, NotApplicable, check
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED = 1e-8
_TOLERANCES = ((1e-11, 1e-13), (1e-13, 1e-15))
"""Relative and absolute, of the integrator: the finer where the balance is missed, as it may be
across a kink of a force, over which the method has no such order. A fault stays as it is."""
_FINER = 4
"""Times the evaluations that a finer run may take."""
_DURATION, _QUICK_DURATION = 2.0, 0.5
# A run ends where the condition number of M has grown so many times: a singularity is near.
_SINGULAR = 100.0
# Stiff losses make steps short; the run then ends earlier, and the balance holds as well.
_MOST_EVALUATIONS, _QUICK_EVALUATIONS = 15_000, 4_000


@check(
    "energy of a run",
    compares="T + V at each step of a run under constant forces with T + V at its start plus the "
    "integral of power",
    reference="d/dt (T + V) = power(q, u, tau); Dormand and Prince's method of order 8 on q, u and "
    "the work, relative tolerance 1e-11",
    tolerance=f"{ALLOWED:.0e} of the greatest energy exchanged: a thousand times the integrator's "
    "tolerance a step, for hundreds of steps; a run that misses it, as across a kink of a force, "
    "is made again at 1e-13",
    needs=("forward_dynamics", "coordinate_rates", "power", "kinetic_energy", "potential_energy"),
)
def energy_run(subject: Subject) -> Iterator[Comparison]:
    """From the first two random states; prescribed coordinates are held."""
    if not subject.is_natural:
        raise NotApplicable("the kinetic energy has parts beside u^T M u / 2")
    if subject.freedoms == 0:
        raise Absent("free motion")
    regular = [state.label for state in subject.regular]
    starts = [state for state in subject.held if state.is_random and state.label in regular]
    if not starts:
        raise NotApplicable("no random state to start from")
    for state in starts[: 1 if subject.quick else 2]:
        weights = subject.mass_weights(state)
        pushed = state.with_values(tau=state["tau"] * weights)
        most = _QUICK_EVALUATIONS if subject.quick else _MOST_EVALUATIONS
        usual, finer = _TOLERANCES
        found, record = _run(subject, pushed, *usual, most)
        if not found.error <= ALLOWED:
            found, record = _run(subject, pushed, *finer, _FINER * most)
        subject.figures.setdefault("energy", []).append(record)
        yield found


def _of_constraints(subject: Subject, state: TestState, at: Mapping[str, Any]) -> float:
    """Power of constraints that move with time: lambda^T G u; all others do no work."""
    if not subject.model.is_constrained:
        return 0.0
    now = {**at, "stabilization": np.zeros(1)}
    _, multipliers = subject.call("constrained_dynamics", state, **now)
    return float(multipliers @ (subject.gradients(state, **at) @ at["u"]))


def _run(
    subject: Subject, state: TestState, rtol: float, atol: float, most: int
) -> tuple[Comparison, dict[str, Any]]:
    """The balance at the end, and the record of the run."""
    nq, nu, has_states = subject.model.nq, subject.nu, bool(subject.model.element_states)

    def named(t: float, y: Array) -> dict[str, Any]:
        own = {"z": y[nq + nu : -2]} if has_states else {}
        return {"q": y[:nq], "u": y[nq : nq + nu], "t": t, **own}

    def rates(t: float, y: Array) -> Array:
        at = named(t, y)
        qdot = subject.call("coordinate_rates", state, **at)
        a = subject.call("forward_dynamics", state, **at)
        power = float(subject.call("power", state, **at)) + _of_constraints(subject, state, at)
        own = [subject.call("element_state_rates", state, **at)] if has_states else []
        return np.concatenate([qdot, a, *own, [power, abs(power)]])

    def energies(t: float, y: Array) -> tuple[float, float]:
        at = named(t, y)
        kinetic = float(subject.call("kinetic_energy", state, **at))
        return kinetic, float(subject.call("potential_energy", state, **at))

    start = float(state["t"])
    duration = _QUICK_DURATION if subject.quick else _DURATION
    own = [state["z"]] if has_states else []
    y = np.concatenate([state["q"], state["u"], *own, [0.0, 0.0]])
    record = [(start, *energies(start, y), 0.0, 0.0)]
    condition = subject.condition(state)
    try:
        solver = DOP853(rates, start, y, start + duration, rtol=rtol, atol=atol)
        while solver.status == "running" and solver.nfev < most:
            solver.step()
            here = subject.condition(state.with_values(q=solver.y[:nq], t=np.array(solver.t)))
            if here > _SINGULAR * condition:
                break
            record.append((solver.t, *energies(solver.t, solver.y), *solver.y[-2:]))
    except FloatingPointError:
        pass  # the run met a singular configuration; what was run counts
    t, kinetic, potential, work, exchanged = np.array(record).T
    drift = kinetic + potential - (kinetic[0] + potential[0]) - work
    size = kinetic.max() + np.abs(potential - potential[0]).max() + exchanged.max()
    told = {
        "label": state.label,
        "t": t - start,
        "kinetic": kinetic,
        "potential": potential,
        "work": work,
        "drift": drift,
    }
    error = float(np.abs(drift).max() / size) if size > 0 and len(t) > 1 else float("nan")
    what = f"run of {t[-1] - start:.3g} s, {len(t) - 1} steps"
    return Comparison(what, state.label, error, ALLOWED), told
