"""Derivatives of dynamics, and products with them, from Jacobians by a complex step.

With J the Jacobian of inverse or forward dynamics by x = (q, u, a or tau, z, r, p): J d, J^T w,
and by a complex step of J^T w and of J themselves the second derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.requested.slopes import FunctionDerivatives

Expected = dict[str, Array]
"""Values by names of outputs."""
Judge = Callable[[FunctionDerivatives], Expected]

_THIRD = {"inverse_dynamics": "a", "forward_dynamics": "tau"}
_WEIGHTS = {"inverse_dynamics": "tau_bar", "forward_dynamics": "a_bar"}


def _arrays(slopes: FunctionDerivatives, function: str) -> list[str]:
    """Arrays by which the function is differentiated."""
    return [name for name in ("q", "u", _THIRD[function], "z", "r", "p") if slopes.size(name)]


def _direction(slopes: FunctionDerivatives, arrays: list[str]) -> dict[str, Array]:
    return {name: np.reshape(slopes.state[f"along_{name}"], (-1, 1)) for name in arrays}


def _jvp(function: str, output: str) -> Judge:
    def expected(slopes: FunctionDerivatives) -> Expected:
        along = _direction(slopes, _arrays(slopes, function))
        return {output: slopes.change(function, along)[:, 0]}

    return expected


def _vjp(function: str) -> Judge:
    def expected(slopes: FunctionDerivatives) -> Expected:
        weights = slopes.state[_WEIGHTS[function]]
        names = _arrays(slopes, function)
        return {f"{name}_bar": slopes.by(function, name).T @ weights for name in names}

    return expected


def _hvp(function: str) -> Judge:
    def expected(slopes: FunctionDerivatives) -> Expected:
        names = _arrays(slopes, function)
        change = slopes.change(f"{function}_vjp", _direction(slopes, names))[:, 0]
        ends = np.cumsum([slopes.size(name) for name in names])[:-1]
        parts = np.split(change, ends)
        return {f"d{name}_bar": part for name, part in zip(names, parts, strict=True)}

    return expected


def _hessian(function: str) -> Judge:
    def expected(slopes: FunctionDerivatives) -> Expected:
        names = _arrays(slopes, function)
        return {"H": np.hstack([slopes.by(f"{function}_vjp", name) for name in names])}

    return expected


def _tensors(function: str, output: str) -> Judge:
    def expected(slopes: FunctionDerivatives) -> Expected:
        n, third = slopes.subject.nu, _THIRD[function]
        by_q, by_u = (
            slopes.by(f"{function}_derivatives", name).reshape(3, n, n, n) for name in ("q", "u")
        )
        return {
            f"d2{output}_dqdq": by_q[0],
            f"d2{output}_dudq": by_q[1],
            f"d2{output}_dudu": by_u[1],
            f"d2{output}_d{third}dq": by_q[2],
        }

    return expected


def _matrices(function: str, outputs: dict[str, str]) -> Judge:
    """Derivatives of the rows of a function, by outputs."""

    def expected(slopes: FunctionDerivatives) -> Expected:
        return {
            name: slopes.by(function, array)
            for name, array in outputs.items()
            if slopes.size(array)
        }

    return expected


def _element_states(slopes: FunctionDerivatives) -> Expected:
    by = {f"f_{name}": slopes.by("element_state_rates", name) for name in ("q", "u", "z")}
    if slopes.size("r"):
        by["f_r"] = slopes.by("element_state_rates", "r")
    return by | {"Q_z": -slopes.by("inverse_dynamics", "z")}


def _input_matrix(slopes: FunctionDerivatives) -> Expected:
    return {"B_r": -slopes.by("inverse_dynamics", "r")}


def _constraints(slopes: FunctionDerivatives) -> Expected:
    """Of G^T lambda, G u + b and G a + g."""
    n, state = slopes.subject.nu, slopes.state
    gradients = slopes.by("constraint_jacobian", "q").reshape(-1, n, n)
    bias = "constraint_bias"
    return {
        "curvature": np.einsum("rij,r->ij", gradients, state["multipliers"]),
        "velocity_by_q": slopes.by("constraint_velocity", "q"),
        "acceleration_by_q": np.einsum("rij,i->rj", gradients, state["a"]) + slopes.by(bias, "q"),
        "acceleration_by_u": slopes.by(bias, "u"),
    }


def _closing_rates(slopes: FunctionDerivatives) -> Expected:
    """Rates of what closes loops; of rows on speeds alone nothing is known here."""
    program = slopes.subject
    rows = program.derived("closure_residual").outputs[0].rows
    rates = dict(zip(rows, slopes.change("closure_residual", slopes.motion())[:, 0], strict=True))
    names = program.derived("closure_velocity").outputs[0].rows
    return {"rate": np.array([rates.get(name, np.nan) for name in names])}


JUDGES: dict[str, Judge] = {
    "closure_jacobian": _matrices("closure_residual", {"G": "q"}),
    "closure_velocity": _closing_rates,
    "inverse_dynamics_jvp": _jvp("inverse_dynamics", "dtau"),
    "forward_dynamics_jvp": _jvp("forward_dynamics", "da"),
    "inverse_dynamics_second_derivatives": _tensors("inverse_dynamics", "tau"),
    "forward_dynamics_second_derivatives": _tensors("forward_dynamics", "a"),
    **{f"{name}_vjp": _vjp(name) for name in _THIRD},
    **{f"{name}_hvp": _hvp(name) for name in _THIRD},
    **{f"{name}_hessian": _hessian(name) for name in _THIRD},
    "forward_dynamics_input_derivatives": _matrices("forward_dynamics", {"da_dr": "r"}),
    "element_output_derivatives": _matrices(
        "element_outputs", {f"y_{name}": name for name in ("q", "u", "z", "r")}
    ),
    "element_state_derivatives": _element_states,
    "input_matrix": _input_matrix,
    "constraint_derivatives": _constraints,
}
"""By function: what its outputs must be."""


def frame_judges(frames: tuple[str, ...]) -> Iterator[tuple[str, Judge]]:
    """Of the derivatives of the velocities of frames."""
    for frame in frames:
        velocity = f"frame_{frame}_velocity"
        yield f"{velocity}_derivatives", _matrices(velocity, {"dv_dq": "q", "dv_du": "u"})
