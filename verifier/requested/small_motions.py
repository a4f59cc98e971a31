"""Linearized equations, from Jacobians by a complex step.

A motion beside q(t) is integrate(q, xi). With q' = G u + g, and to first order q + G xi for
integrate, what differs between the two motions tells the rate of the displacements:

    xi' = du + W xi,   G W xi = d(G u + g)[G xi] - d(G xi)[q']

the bracket of the two fields. Then M xi'' + C xi' + K xi is d tau, with du = xi' - W xi and
da = xi'' - W' xi - W xi' put in.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.requested.products import Expected, Judge
from eomc.verifier.requested.slopes import FunctionDerivatives

_RATES = "coordinate_rates"


def transport(slopes: FunctionDerivatives) -> Array:
    """W (nu, nu)."""
    nu = slopes.subject.nu
    fields = slopes.by(_RATES, "q")
    along = slopes.motion()
    moved: dict[str, Array] = {name: along[name] for name in ("q entries", "s") if name in along}
    at = [_at(slopes, u).change(_RATES, moved)[:, 0] for u in (*np.eye(nu), np.zeros(nu))]
    turned = np.reshape(at[:-1], (nu, -1)).T - at[-1][:, None]
    return np.array(np.linalg.lstsq(slopes.tangents, fields - turned, rcond=None)[0], dtype=float)


def _at(slopes: FunctionDerivatives, u: Array) -> FunctionDerivatives:
    """The same at other speeds, the rates q' of the motion kept."""
    return FunctionDerivatives(slopes.subject, slopes.state.with_values(u=u))


def rate_of_transport(slopes: FunctionDerivatives) -> Array:
    """W', of the W that `linearization` gives, along the motion."""
    n, outputs = slopes.subject.nu, slopes.subject.derived("linearization").outputs
    entries = next(output.entries for output in outputs if output.name == "W")
    return slopes.change_of(entries, slopes.motion())[:, 0].reshape(n, n)


def _linearization(slopes: FunctionDerivatives) -> Expected:
    by_q, by_u, mass = (slopes.by("inverse_dynamics", name) for name in ("q", "u", "a"))
    w, w_rate = transport(slopes), rate_of_transport(slopes)
    damping = by_u - mass @ w
    stiffness = by_q - by_u @ w - mass @ w_rate
    return {"M": mass, "C": damping, "K": stiffness, "W": w, "W_rate": w_rate}


def _linearization_change(slopes: FunctionDerivatives) -> Expected:
    arrays = [name for name in ("q", "u", "a", "p") if slopes.size(name)]
    along = {name: np.reshape(slopes.state[f"along_{name}"], (-1, 1)) for name in arrays}
    outputs = slopes.subject.derived("linearization").outputs
    change = slopes.change("linearization", along)[:, 0]
    parts = np.split(change, len(outputs))
    shape = slopes.subject.nu, slopes.subject.nu
    return {f"d{o.name}": part.reshape(shape) for o, part in zip(outputs, parts, strict=True)}


def _state_space(slopes: FunctionDerivatives) -> Expected:
    """x = (xi, w, z), v = (tau, r), y = (x, w')."""
    n, nz, nr = slopes.subject.nu, slopes.size("z"), slopes.size("r")
    name, own = "forward_dynamics", "element_state_rates"
    by_state = np.hstack([slopes.by(name, x) for x in ("q", "u", *(["z"] if nz else []))])
    by_force = np.hstack([slopes.by(name, x) for x in ("tau", *(["r"] if nr else []))])
    rows = [np.hstack([transport(slopes), np.eye(n), np.zeros((n, nz))]), by_state]
    forced = [np.zeros((n, n + nr)), by_force]
    if nz:
        rows.append(np.hstack([slopes.by(own, x) for x in ("q", "u", "z")]))
        by_r = slopes.by(own, "r") if nr else np.zeros((nz, 0))
        forced.append(np.hstack([np.zeros((nz, n)), by_r]))
    states = 2 * n + nz
    return {
        "A": np.vstack(rows),
        "B": np.vstack(forced),
        "C": np.vstack([np.eye(states), by_state]),
        "D": np.vstack([np.zeros((states, n + nr)), by_force]),
    }


JUDGES: dict[str, Judge] = {
    "linearization": _linearization,
    "linearization_derivative": _linearization_change,
    "state_space": _state_space,
}
"""By function: what its outputs must be."""
