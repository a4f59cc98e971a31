"""M' - 2C is skew-symmetric with the velocity terms that the model has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from eomc.runtime.derivatives.differences import STEP, derivative
from eomc.verify.subject.check import Comparison, NotApplicable, check, largest
from eomc.verify.subject.states import TestState
from eomc.verify.subject.subject import Subject
from eomc.verify.witness.mechanism import Array

ALLOWED, UNCERTAIN = 1e-9, 1e-6
_ROUNDED = 64 * float(np.finfo(float).eps) / (STEP * ALLOWED)
"""Of M per radian or metre: what it changes by less, differences tell with its rounding."""
_STATES = 8


@check(
    "skew symmetry",
    compares="c(q, u) - c(q, 0) without losses and laws with C(q, u) u; M' - 2C with its negative "
    "transpose",
    reference="C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) u_k / 2, the Christoffel "
    "symbols of M by extrapolated differences (Murray, Li and Sastry 1994, sec. 4.2)",
    tolerance=f"{ALLOWED:.0e} of |dM/dq| |u|^2 and of the bias, or of the rounding of M, and four "
    f"times the differences' own estimate of their error, of which at most {UNCERTAIN:.0e} is "
    "accepted",
    needs=("mass_matrix", "bias", "coordinate_rates"),
)
def skew_symmetry(subject: Subject) -> Iterator[Comparison]:
    """For speeds that are rates of coordinates; passivity covers all others."""
    if subject.mechanism is None:
        raise NotApplicable("the losses and laws are not known here")
    if any(not _are_rates(subject, state) for state in subject.states):
        raise NotApplicable("some speeds are no rates of coordinates; see passivity")
    for state in [state for state in subject.held if state["u"].any()][:_STATES]:
        yield from _in_state(subject, state)


def _are_rates(subject: Subject, state: TestState) -> bool:
    """True if q' = u."""
    rates = np.asarray(subject.call("coordinate_rates", state))
    return rates.shape == state["u"].shape and bool(np.allclose(rates, state["u"], rtol=1e-14))


def _in_state(subject: Subject, state: TestState) -> Iterator[Comparison]:
    u, n = state["u"], subject.nu
    slopes, doubts = np.zeros((n, n, n)), np.zeros((n, n, n))
    for k, direction in enumerate(np.eye(n)):
        slopes[k], doubts[k] = derivative(partial(_mass, subject, state, direction))
    # slopes[k, i, j] = dM_ij / dq_k
    c = np.einsum("kij,k->ij", slopes, u) + np.einsum("jik,k->ij", slopes, u)
    c = (c - np.einsum("ijk,k->ij", slopes, u)) / 2
    doubt_c = _doubt(doubts, np.abs(u))
    # Over a displacement of 0.02, however slow the motion.
    step = STEP / float(np.abs(u).max())
    rate, doubt_rate = derivative(partial(_mass, subject, state, u), step)
    # Where axes almost meet a speed moves little mass, and differences of M see its rounding.
    weights = subject.typical_weights
    scaling = np.outer(weights, weights)
    size = float((np.abs(rate) / scaling).max()) + float((np.abs(c) / scaling).max())
    if size > 0:
        # A mass matrix that hardly changes is rounded, too.
        size += _ROUNDED * float(np.abs(u).max())
        skew = (rate - 2 * c) / scaling
        doubt = float(((doubt_rate + 2 * doubt_c) / scaling).max())
        yield Comparison(
            "M' - 2C", state.label, largest(skew, -skew.T, size), _allowed(doubt / size)
        )
    forces, terms = _velocity_terms(subject, state)
    size = float(((np.abs(c) @ np.abs(u) + terms) / weights).max())
    if size > 0:
        doubt = float(((doubt_c @ np.abs(u)) / weights).max())
        error = largest(forces / weights, (c @ u) / weights, size)
        yield Comparison("C u", state.label, error, _allowed(doubt / size))


def _allowed(doubt: float) -> float:
    return ALLOWED + min(4 * doubt, UNCERTAIN)


def _doubt(doubts: Array, u: Array) -> Array:
    """Of C, from those of the slopes; all terms positive."""
    total = np.einsum("kij,k->ij", doubts, u) + np.einsum("jik,k->ij", doubts, u)
    doubt: Array = (total + np.einsum("ijk,k->ij", doubts, u)) / 2
    return doubt


def _mass(subject: Subject, state: TestState, direction: Array, h: float) -> Array:
    """M(q + h direction)."""
    mass: Array = subject.call("mass_matrix", state, q=state["q"] + h * direction)
    return mass


def _velocity_terms(subject: Subject, state: TestState) -> tuple[Array, Array]:
    """(c(q, u) - c(q, 0) with the loads' share taken out, size of what it is made of)."""
    rest = np.zeros(subject.nu)
    moving, still = subject.call("bias", state), subject.call("bias", state, u=rest)
    loads = []
    for u in (state["u"], rest):
        kept, other, _ = subject.reference(state, u=u, a=rest).loads()
        loads.append((kept + other)[: subject.nu])
    terms = np.abs(moving) + np.abs(still) + np.abs(loads[0]) + np.abs(loads[1])
    return moving - still + loads[0] - loads[1], terms
