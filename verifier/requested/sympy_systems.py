"""Functions of systems given in SymPy, from the equations of motion and from what was given."""

from __future__ import annotations

import numpy as np

from eomc.verifier.requested.products import Expected, Judge
from eomc.verifier.requested.slopes import FunctionDerivatives
from eomc.verifier.witness.given_equations import auxiliary_forces


def _forcing(slopes: FunctionDerivatives) -> Expected:
    """-c(q, u)"""
    return {"f": -np.asarray(slopes.subject.call("bias", slopes.state))}


def _constraint_forces(slopes: FunctionDerivatives) -> Expected:
    """lambda with G^T lambda = M a + c - tau; no numbers where G has dependent rows."""
    subject, state = slopes.subject, slopes.state
    gradients = subject.gradients(state)
    a = subject.call("forward_dynamics", state)
    pulled = subject.call("inverse_dynamics", state, a=a) - state["tau"]
    found, _, rank, _ = np.linalg.lstsq(gradients.T, pulled, rcond=1e-9)
    return {"multipliers": found if rank == len(gradients) else np.full(len(gradients), np.nan)}


def _auxiliary_forces(slopes: FunctionDerivatives) -> Expected:
    """By the auxiliary equations as they were given."""
    subject, state = slopes.subject, slopes.state
    moving = {**state.values, "a": subject.call("forward_dynamics", state)}
    return {"forces": auxiliary_forces(subject.given, moving)}


JUDGES: dict[str, Judge] = {
    "forcing": _forcing,
    "constraint_forces": _constraint_forces,
    "auxiliary_forces": _auxiliary_forces,
}
"""By function: what its outputs must be."""
