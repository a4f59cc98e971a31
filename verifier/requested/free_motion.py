"""Small motions on constraints, in independent displacements and speeds.

Of z and w, the independent entries of displacements xi and of changes of speeds du, all others
follow from the constraints differentiated, G the gradients, of which H are those of positions:

    H xi = 0,   G du + (G u + b)_q xi = 0,   G da + (G a + g)_q xi + (G a + g)_u du = 0

and the accelerations w' of the independent ones from d'Alembert's principle, K a basis of what G
allows, the identity in the independent speeds:

    K^T (M da + tau_u du + tau_q xi - (G^T lambda)_q xi) = K^T (1, B_r) v,   xi' = du + W xi
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.requested.slopes import FunctionDerivatives
from eomc.verifier.requested.small_motions import rate_of_transport, transport

Found = Iterator[tuple[str, Array, Array]]
"""Names of matrices, what is found, and what they are to be."""


@dataclass(frozen=True)
class FreeMotionRates:
    """xi, du, da and the rates of xi by x = (z, w), and by forces v."""

    xi: Array
    du: Array
    da: Array
    da_by_forces: Array
    xi_rate: Array
    displacements: Array
    speeds: Array


def _dependent(gradients: Array, independent: Array, right: Array, own: Array) -> Array:
    """y with gradients y = right and y = own in the independent entries."""
    picked = np.eye(gradients.shape[1])[independent]
    system = np.vstack([gradients, picked])
    found: Array = np.linalg.solve(system, np.vstack([right, own]))
    return found


def free_motion(slopes: FunctionDerivatives, order: Array) -> FreeMotionRates:
    """By independent entries, the first of `order`."""
    subject, state, nu = slopes.subject, slopes.state, slopes.subject.nu
    names = subject.model.output_names("constraint_jacobian")
    held = set(subject.model.output_names("constraint_residual"))
    gradients = subject.gradients(state)
    positions = gradients[[name in held for name in names]]
    nz, nw = nu - len(positions), nu - len(gradients)
    z, w = np.eye(nz + nw)[:nz], np.eye(nz + nw)[nz:]
    rows = slopes.by("constraint_jacobian", "q").reshape(-1, nu, nu)
    bias_by_q, bias_by_u = (slopes.by("constraint_bias", name) for name in ("q", "u"))
    by_q = np.einsum("rij,i->rj", rows, state["a"]) + bias_by_q
    curvature = np.einsum("rij,r->ij", rows, state["multipliers"])
    xi = _dependent(positions, order[:nz], np.zeros((len(positions), nz + nw)), z)
    du = _dependent(gradients, order[:nw], -slopes.by("constraint_velocity", "q") @ xi, w)
    nothing = np.zeros((len(gradients), nw))
    basis = _dependent(gradients, order[:nw], nothing, np.eye(nw))
    carried = _dependent(gradients, order[:nw], -by_q @ xi - bias_by_u @ du, 0 * w)
    tau_q, tau_u, mass = (slopes.by("inverse_dynamics", name) for name in ("q", "u", "a"))
    forces = np.eye(nu)
    if slopes.size("r"):
        forces = np.hstack([forces, -slopes.by("inverse_dynamics", "r")])
    own = basis.T @ mass @ basis
    taken = mass @ carried + tau_u @ du + (tau_q - curvature) @ xi
    w_rate = -np.linalg.solve(own, basis.T @ taken)
    pushed = np.linalg.solve(own, basis.T @ forces)
    rate = du + transport(slopes) @ xi
    return FreeMotionRates(
        xi, du, carried + basis @ w_rate, basis @ pushed, rate, order[:nz], order[:nw]
    )


def linearized(slopes: FunctionDerivatives) -> Found:
    """Matrices of the compiled solvers, and what they are to be."""
    subject, state = slopes.subject, slopes.state
    solvers = {entry["name"] for entry in subject.model.manifest.get("solvers", ())}
    if "state_space" not in solvers:
        return
    order = np.asarray(subject.solved("independent_speeds", state)[0])
    found = free_motion(slopes, order)
    at = state.with_values(order=order)
    a, b, c, d = map(np.asarray, subject.solved("state_space", at))
    z, w = found.displacements, found.speeds
    forces = found.da_by_forces.shape[1]
    yield "A", a, np.vstack([found.xi_rate[z], found.da[w]])
    yield "B", b, np.vstack([np.zeros((len(z), forces)), found.da_by_forces[w]])
    yield "C", c, np.vstack([found.xi, found.du, found.da])
    yield "D", d, np.vstack([np.zeros((2 * subject.nu, forces)), found.da_by_forces])
    if "reduced_linearization" in solvers:
        yield from _second_order(slopes, found, *subject.solved("reduced_linearization", at))


def _second_order(
    slopes: FunctionDerivatives, found: FreeMotionRates, m: Array, c: Array, k: Array, b: Array
) -> Found:
    """M z'' + C z' + K z = B v, in all x and v, with xi'' = da + W' xi + W xi'."""
    w, z = transport(slopes), found.displacements
    second = (found.da + rate_of_transport(slopes) @ found.xi + w @ found.xi_rate)[z]
    inertia = m @ second
    damping = c @ found.xi_rate[z]
    yield "reduced M, C, K", inertia + damping + k @ found.xi[z], np.zeros_like(inertia)
    yield "reduced B", b, m @ found.da_by_forces[z]
    gradients = slopes.subject.gradients(slopes.state)
    n = len(found.speeds)
    basis = _dependent(gradients, found.speeds, np.zeros((len(gradients), n)), np.eye(n))
    yield "reduced M", m, basis.T @ slopes.by("inverse_dynamics", "a") @ basis
