"""Derivatives of axes, distances, B and its rate by coordinates: tables 3.2 to 3.4, section 6.

In cross products throughout. Where the thesis and its corrections differ (rates of distances at
slides, symmetric pairs in dJ, the terms of dh) the derivative is the true one; see the page on
these systems.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eomc_published.trom.cartesian.kinematics import Array, CartesianMotion, cross_matrix


def _inboard(m: CartesianMotion, k: int, j: int) -> bool:
    """True if axis k stands before axis j on the way from the base."""
    path = m.path[m.body_of[j]]
    return k in path and path.index(k) < path.index(j) if j in path else False


def u_by(m: CartesianMotion, j: int, k: int) -> Array:
    """du_j/dq_k: only a turn strictly inboard moves an axis (table 3.2)."""
    if m.kinds[k] == "turn" and _inboard(m, k, j):
        return np.asarray(np.cross(m.u[k], m.u[j]))
    return np.zeros_like(m.u[j])


def u_rate_by(m: CartesianMotion, j: int, k: int) -> Array:
    """d(u_j')/dq_k of u' = w* x u, w* of the frame that carries the axis."""
    return np.asarray(np.cross(before_by(m, j, k), m.u[j]) + np.cross(m.before[j], u_by(m, j, k)))


def before_by(m: CartesianMotion, j: int, k: int) -> Array:
    """dw*_j/dq_k: what outboard of turn k was generated turns with it."""
    if m.kinds[k] == "turn" and _inboard(m, k, j):
        return np.asarray(np.cross(m.u[k], m.before[j] - m.after[k]))
    return np.zeros_like(m.u[j])


def omega_by(m: CartesianMotion, i: int, k: int) -> Array:
    """d omega_i / dq_k of body i (5.6 to 5.9)."""
    if m.kinds[k] == "turn" and k in m.path[i]:
        return np.asarray(np.cross(m.u[k], m.omega[i] - m.after[k]))
    return np.zeros_like(m.omega[i])


def _moved(m: CartesianMotion, i: int, j: int, k: int) -> int | None:
    """The axis whose distance to body j turn k sweeps: k itself or i; None if it sweeps none."""
    if k not in m.path[j]:
        return None
    return i if _inboard(m, k, i) else k


def d_by(m: CartesianMotion, i: int, j: int, k: int) -> Array:
    """d(d_ij)/dq_k, from axis i to body j (table 3.2)."""
    swept = _moved(m, i, j, k)
    if swept is None:
        return np.zeros_like(m.u[k])
    if m.kinds[k] == "turn":
        return np.cross(m.u[k], m.d(swept, j))
    # A slide lengthens the distance only from further in; an axis behind it slides along.
    return np.zeros_like(m.u[k]) if _inboard(m, k, i) else np.array(m.u[k])


def d_rate_by(m: CartesianMotion, i: int, j: int, k: int) -> Array:
    """d(d_ij')/dq_k = (d(d_ij)/dq_k)'"""
    swept = _moved(m, i, j, k)
    if swept is None:
        return np.zeros_like(m.u[k])
    if m.kinds[k] == "turn":
        swept_rate = m.d_rate(swept, j)
        return np.cross(m.u_rate[k], m.d(swept, j)) + np.cross(m.u[k], swept_rate)
    return np.zeros_like(m.u[k]) if _inboard(m, k, i) else np.array(m.u_rate[k])


def block_by(m: CartesianMotion, i: int, j: int, k: int) -> Array:
    """dB_ij/dq_k (tables 3.3, 3.4)."""
    du = u_by(m, j, k)
    if m.kinds[j] == "slide":
        return np.concatenate([du, 0 * du])
    moved = np.cross(du, m.d(j, i)) + np.cross(m.u[j], d_by(m, j, i, k))
    return np.concatenate([moved, du])


def block_rate_by(m: CartesianMotion, i: int, j: int, k: int) -> Array:
    """dB'_ij/dq_k, from table 2.3."""
    du, du_rate = u_by(m, j, k), u_rate_by(m, j, k)
    if m.kinds[j] == "slide":
        return np.concatenate([du_rate, 0 * du_rate])
    moved = (
        np.cross(du_rate, m.d(j, i))
        + np.cross(m.u_rate[j], d_by(m, j, i, k))
        + np.cross(du, m.d_rate(j, i))
        + np.cross(m.u[j], d_rate_by(m, j, i, k))
    )
    return np.concatenate([moved, du_rate])


def B_by(m: CartesianMotion, k: int) -> Array:
    """dB/dq_k; also dB'/dq'_k."""
    return _assembled(m, lambda i, j: block_by(m, i, j, k))


def B_rate_by(m: CartesianMotion, k: int) -> Array:
    """dB'/dq_k"""
    return _assembled(m, lambda i, j: block_rate_by(m, i, j, k))


def _assembled(m: CartesianMotion, block: Callable[[int, int], Array]) -> Array:
    b = np.zeros((6 * len(m.bodies), m.size), m.u.dtype)
    for i, path in enumerate(m.path):
        for j in path:
            b[6 * i : 6 * i + 6, j] = block(i, j)
    return b


def inertia_by(m: CartesianMotion, i: int, k: int) -> Array:
    """dJ_i/dq_k = u~ J - J u~ for a turn on the path (5.3 to 5.5)."""
    if m.kinds[k] != "turn" or k not in m.path[i]:
        return np.zeros((3, 3), m.u.dtype)
    j = m.inertia(i)
    tilde = cross_matrix(m.u[k])
    turned: Array = tilde @ j - j @ tilde
    return turned


def M_by(m: CartesianMotion, k: int) -> Array:
    """dM/dq_k"""
    n = len(m.bodies)
    found = np.zeros((6 * n, 6 * n), m.u.dtype)
    for i in range(n):
        found[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = inertia_by(m, i, k)
    return found


def h_by(m: CartesianMotion, k: int) -> Array:
    """dh/dq_k (5.13, 5.14)."""
    parts = []
    for i in range(len(m.bodies)):
        j, w, dw = m.inertia(i), m.omega[i], omega_by(m, i, k)
        moved = np.cross(w, inertia_by(m, i, k) @ w) + np.cross(dw, j @ w) + np.cross(w, j @ dw)
        parts.append(np.concatenate([0 * moved, moved]))
    return np.concatenate(parts)


def h_by_rate(m: CartesianMotion, k: int) -> Array:
    """dh/dq'_k (5.24, 5.25)."""
    parts = []
    for i in range(len(m.bodies)):
        if m.kinds[k] != "turn" or k not in m.path[i]:
            parts.append(np.zeros(6, m.u.dtype))
            continue
        j, w, u = m.inertia(i), m.omega[i], m.u[k]
        moved = np.cross(u, j @ w) + np.cross(w, j @ u)
        parts.append(np.concatenate([0 * moved, moved]))
    return np.concatenate(parts)
