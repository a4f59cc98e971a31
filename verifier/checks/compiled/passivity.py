"""Inertial forces do no work: the instantaneous balance of power."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.differences import STEP, derivative
from eomc.verifier.subject.check import Comparison, NotApplicable, check
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

ALLOWED, UNCERTAIN = 1e-9, 1e-6
_REACTED = "forces_by_reactions"


@check(
    "passivity",
    compares="u^T M' u / 2 - u^T c + V' with the power of the forces without potential",
    reference="u^T (M' - 2C) u = 0 of the velocity terms, in any speeds, quasi-velocities too; M' "
    "and V' by extrapolated differences along the motion (Siciliano et al., Robotics, sec. 7.2)",
    tolerance=f"{ALLOWED:.0e} of the sum of the terms (no less than |u| times the forces of random "
    "states), and four times the differences' own "
    f"estimate of their error, of which at most {UNCERTAIN:.0e} is accepted",
    needs=("mass_matrix", "bias", "power", "potential_energy", "integrate"),
)
def passivity(subject: Subject) -> Iterator[Comparison]:
    """Prescribed coordinates are held, so that they do no work."""
    if not subject.is_natural:
        raise NotApplicable("the kinetic energy has parts beside u^T M u / 2")
    for state in subject.held:
        u = state["u"]
        if not u.any():
            continue
        # Differences over a displacement of 0.02 at most, however slow the motion.
        inertia, lift, doubt = _rates(subject, state, STEP / float(np.abs(u).max()))
        bias = subject.call("bias", state)
        power = float(subject.call("power", state, tau=np.zeros(subject.nu)))
        if _REACTED in subject.functions:
            bias = bias + subject.call(_REACTED, state, a=np.zeros(subject.nu))
            power -= float(u @ _reacted(subject, state.with_values(tau=np.zeros(subject.nu))))
        size = abs(inertia) + abs(lift) + abs(power)
        size += float(np.abs(u) @ np.maximum(np.abs(bias), subject.typical_forces))
        if size == 0.0:
            continue
        error = abs(inertia - float(u @ bias) + lift - power) / size
        doubt = min(4 * doubt / size, UNCERTAIN)
        yield Comparison("balance of power", state.label, error, ALLOWED + doubt)


def _reacted(subject: Subject, state: TestState) -> Array:
    """Forces by reactions under tau."""
    if not subject.model.has_reaction_friction:
        a = subject.call("forward_dynamics", state)
        return np.asarray(subject.call(_REACTED, state, a=a))
    still = {"stabilization": np.zeros(1)}
    a, multipliers = subject.call("constrained_dynamics", state, **still)
    return np.asarray(subject.call(_REACTED, state, a=a, multipliers=multipliers))


def _rates(subject: Subject, state: TestState, step: float) -> tuple[float, float, float]:
    """(u^T M' u / 2, V', what the differences are uncertain by) along the motion."""
    u, t = state["u"], state["t"]

    def along(h: float) -> list[float]:
        q = subject.call("integrate", state, du=h * u)
        mass = subject.call("mass_matrix", state, q=q)
        return [float(u @ mass @ u) / 2, float(subject.call("potential_energy", state, q=q))]

    def later(h: float) -> float:
        return float(subject.call("potential_energy", state, t=t + h))

    (inertia, lift), doubts = derivative(along, step)
    if "t" in subject.model.inputs_of("potential_energy"):
        explicit, doubt = derivative(later)
        lift, doubts = lift + float(explicit), np.append(doubts, doubt)
    return float(inertia), float(lift), float(doubts.sum())
