"""The midpoint step by the equations that it solves, and its derivatives by a complex step.

With v from q to q_next in h and q_m half way, on the functions that other checks judge,

    2 M(q_m) v = p + p_next,    p_next = A^T (A^T p + h g),    g = (dM/dt) v + W^T M v + M a

where A is the derivative of q_m Exp(-h v/2) by q_m, and W twice that of the rates of displacements.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.requested.products import Expected, Judge
from eomc.verifier.requested.runge_kutta import step_hessian
from eomc.verifier.requested.slopes import FunctionDerivatives

_STEP = "midpoint_step"


def _tangent(slopes: FunctionDerivatives, q: Array) -> Array:
    """Displacements by the entries of the coordinates."""
    there = FunctionDerivatives(slopes.subject, slopes.state.with_values(q=q))
    return np.asarray(np.linalg.pinv(there.tangents), dtype=float)


def _transport(slopes: FunctionDerivatives, half: Array, middle: Array) -> Array:
    back = FunctionDerivatives(slopes.subject, slopes.state.with_values(q=middle, du=-half))
    return _tangent(slopes, slopes.state["q"]) @ back.by("integrate", "q")


def _step(slopes: FunctionDerivatives) -> Expected:
    """The claimed values less the residual of the equations."""
    subject, state, nu = slopes.subject, slopes.state, slopes.subject.nu
    h, found = float(state["h"]), slopes.outputs(_STEP)
    v = subject.call("difference", state, q0=state["q"], q1=found["q_next"]) / h
    q = subject.call("integrate", state, du=h / 2 * v)
    given = {"q": q, "u": v, "t": state["t"] + h / 2}
    if "z_next" in found:
        given["z"] = (state["z"] + found["z_next"]) / 2
    at = FunctionDerivatives(subject, state.with_values(**given, du=np.zeros(nu)))
    mass = subject.call("mass_matrix", at.state)
    momentum, start = mass @ v, subject.call("mass_matrix", state) @ state["u"]
    along = {"q": v[:, None]} | ({"s": state["s_rate"][:, None]} if at.size("s") else {})
    rate = np.reshape(at.change("mass_matrix", along), (nu, nu)) @ v
    turn = 2 * at.by("displacement_rates", "du") if nu else np.zeros((nu, nu))
    kick = rate + turn.T @ momentum + mass @ subject.call("forward_dynamics", at.state)
    transport = _transport(slopes, h / 2 * v, q)
    left = 2 * momentum - start - transport.T @ (transport.T @ start + h * kick)
    ended = subject.call("mass_matrix", state, q=found["q_next"])
    expected = {
        "q_next": subject.call("integrate", state, du=h * (v - np.linalg.solve(2 * mass, left))),
        "u_next": np.linalg.solve(ended, 2 * momentum - start),
    }
    if "z_next" in found:
        expected["z_next"] = state["z"] + h * subject.call("element_state_rates", at.state)
    return expected


def _derivatives(slopes: FunctionDerivatives) -> Expected:
    found, nq = slopes.outputs(_STEP), slopes.subject.model.nq
    tangent = _tangent(slopes, found["q_next"])

    def by(*arrays: str) -> Array:
        columns = np.hstack([slopes.by(_STEP, name) for name in arrays if slopes.size(name)])
        moved: Array = np.vstack([tangent @ columns[:nq], columns[nq:]])
        return moved

    expected = {**_step(slopes), "A": by("q", "u", "z"), "B": by("tau", "r")}
    expected["b_h"] = by("h")[:, 0]
    return expected | ({"B_p": by("p")} if slopes.size("p") else {})


def _vjp(slopes: FunctionDerivatives) -> Expected:
    state, nu = slopes.state, slopes.subject.nu
    weights = np.concatenate([state["q_next_bar"], state["u_next_bar"]])
    found, nq = {}, slopes.subject.model.nq
    for name in ("q", "u", "tau", "r", "p"):
        size = {"q": nq, "u": nu}.get(name, slopes.size(name))
        if size:
            array = f"{name} entries" if name == "q" else name
            found[f"{name}_bar"] = weights @ slopes.change(_STEP, {array: np.eye(size)})
    return found


JUDGES: dict[str, Judge] = {
    _STEP: _step,
    f"{_STEP}_derivatives": _derivatives,
    f"{_STEP}_vjp": _vjp,
    f"{_STEP}_hessian": partial(step_hessian, step=_STEP),
}
"""By function: what its outputs must be."""
