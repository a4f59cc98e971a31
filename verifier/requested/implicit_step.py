"""Functions of linearly implicit steps, from derivatives of the rates.

Rates of a displacement theta are those by which q0 Exp(theta) moves as the speeds say; the matrix
of a step is r m - dF/dw - (dF/dtheta) (r - d theta'/d theta)^-1 of m w' = F.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.requested.products import Expected, Judge
from eomc.verifier.requested.slopes import FunctionDerivatives

_SHORT = 1e-2
"""Of the displacement: terms beyond the fourth order, which the function leaves out, then round
away."""

_RATES = "displacement_rates"


def _displacement_rates(slopes: FunctionDerivatives) -> Expected:
    """G(q) u = (d integrate/d theta) theta'"""
    subject, state = slopes.subject, slopes.state
    near = FunctionDerivatives(subject, state.with_values(du=_SHORT * np.asarray(state["du"])))
    q = subject.call("integrate", near.state)
    exact = np.linalg.lstsq(
        near.by("integrate", "du"), subject.call("coordinate_rates", near.state, q=q), rcond=None
    )[0]
    got = subject.call(_RATES, near.state)
    return {"du_rate": subject.call(_RATES, state) + exact - got}


def _step_matrix(slopes: FunctionDerivatives) -> Expected:
    subject, state = slopes.subject, slopes.state
    rate, nu = float(state["rate"]), subject.nu
    a = subject.call("forward_dynamics", state)
    start = FunctionDerivatives(subject, state.with_values(a=a, du=np.zeros(nu)))
    turn = start.by(_RATES, "du") if start.size("du") else np.zeros((nu, nu))
    response = np.linalg.inv(rate * np.eye(nu) - turn)
    moving = ["forward_dynamics"] + ["element_state_rates"] * bool(start.size("z"))
    count = nu + start.size("z")
    mass = np.eye(count)
    if not subject.model.is_constrained:
        mass[:nu, :nu] = start.by("inverse_dynamics", "a")

    def by(array: str) -> Array:
        found: Array = mass @ np.vstack([start.by(name, array) for name in moving])
        return found

    carried = by("q") @ response
    matrix = rate * mass - np.hstack([by(name) for name in ("u", "z") if start.size(name)])
    matrix[:, :nu] -= carried
    found = {"E": matrix, "by_displacement": carried, "response": response}
    if not subject.model.is_constrained:
        found["mass"] = mass
    if start.entries("t"):
        found["by_time"] = by("t")[:, 0]
    return found


JUDGES: dict[str, Judge] = {_RATES: _displacement_rates, "step_matrix": _step_matrix}
"""By function: what its outputs must be."""
