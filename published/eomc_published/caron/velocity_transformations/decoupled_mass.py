"""Decoupled mass matrix Mbar = diag(Mbar_1, ..., Mbar_N) and its derivative along a direction.

The velocity of an element is V qbar', V = [I, 0, v_1, v_2, v_3] with the place rho = r + Phi delta,

    v_1 = P T rho,   v_2 = T Phi,   v_3 = T (r^l + Phi^l delta)                          (2.27)
    Mbar_i = int V^T V dm + the actuator's mass and rotor inertia                 (2.28)-(2.31)

For the platform the orbital Jacobian O stands for I; it has neither rotor nor length.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc_published.caron.velocity_transformations.layout import (
    BlockLayout,
    Matrix,
    P,
    Vector,
    turn,
)
from eomc_published.caron.velocity_transformations.material import ElementBody, LengthElements


def orbital_jacobian(q: Vector) -> Matrix:
    """O = [[cos theta, -r_0 sin theta], [sin theta, r_0 cos theta]]: D_1' = O (r_0', theta')."""
    r, c, s = q[0], np.cos(q[1]), np.sin(q[1])
    return np.array([[c, -r * s], [s, r * c]])


def orbital_jacobian_rate(q: Vector, dq: Vector) -> Matrix:
    """Derivative of the orbital Jacobian along dq."""
    r, c, s = q[0], np.cos(q[1]), np.sin(q[1])
    dr, turned = dq[0], dq[1]
    return np.array(
        [[-s * turned, -dr * s - r * c * turned], [c * turned, dr * c - r * s * turned]]
    )


def mass_block(layout: BlockLayout, body: ElementBody, i: int, q: Vector) -> Matrix:
    """Mbar_i"""
    at = body.elements(_length(layout, i, q))
    v = _velocity(layout, at, i, q)
    block: Matrix = np.einsum("k,kai,kaj->ij", at.dm, v, v)
    if i == 1:
        return block
    unit = layout.manipulator.unit
    block[0, 0] += unit.joint_mass
    block[1, 1] += unit.joint_mass
    block[2, 2] += unit.rotor_inertia
    block[3, 3] += layout.manipulator.extra_inertia
    return block


def mass_block_rate(
    layout: BlockLayout, body: ElementBody, i: int, q: Vector, dq: Vector
) -> Matrix:
    """Derivative of Mbar_i along dq."""
    at = body.elements(_length(layout, i, q))
    v = _velocity(layout, at, i, q)
    half = np.einsum("k,kai,kaj->ij", at.dm, _velocity_rate(layout, at, i, q, dq), v)
    return np.asarray(half + half.T)


def _length(layout: BlockLayout, i: int, q: Vector) -> Any:
    return layout.manipulator.platform.length if i == 1 else q[layout.length(i)]


def _velocity(layout: BlockLayout, at: LengthElements, i: int, q: Vector) -> Matrix:
    """V of all elements (k, 2, n_i)."""
    t, delta = turn(q[layout.psi(i)]), q[layout.delta(i)]
    rho = place(at, delta)
    v1 = (P @ t @ rho.T).T[:, :, None]
    v2 = t[:, 1][None, :, None] * at.phi[:, None, :]
    if i == 1:
        first = np.broadcast_to(orbital_jacobian(q), (len(at.dm), 2, 2))
        return np.concatenate([first, v1, v2], axis=2)
    first = np.broadcast_to(np.eye(2), (len(at.dm), 2, 2))
    v3 = (t @ _stretch(at, delta).T).T[:, :, None]
    return np.concatenate([first, 0 * v1, v1, v2, v3], axis=2)


def _velocity_rate(
    layout: BlockLayout, at: LengthElements, i: int, q: Vector, dq: Vector
) -> Matrix:
    """Derivative of V along dq."""
    delta, d_delta = q[layout.delta(i)], dq[layout.delta(i)]
    t = turn(q[layout.psi(i)])
    dt = P @ t * dq[layout.psi(i)]
    dl = 0.0 if i == 1 else dq[layout.length(i)]
    rho, stretch = place(at, delta), _stretch(at, delta)
    d_rho = stretch * dl + _transverse(at.phi @ d_delta)
    v1 = ((P @ dt @ rho.T) + (P @ t @ d_rho.T)).T[:, :, None]
    v2 = dt[:, 1][None, :, None] * at.phi[:, None, :]
    v2 = v2 + t[:, 1][None, :, None] * at.phi_l[:, None, :] * dl
    if i == 1:
        first = np.broadcast_to(orbital_jacobian_rate(q, dq), (len(at.dm), 2, 2))
        return np.concatenate([first, v1, v2], axis=2)
    d_stretch = _transverse(at.phi_ll @ delta * dl + at.phi_l @ d_delta)
    v3 = (dt @ stretch.T + t @ d_stretch.T).T[:, :, None]
    first = np.broadcast_to(np.zeros((2, 2)), (len(at.dm), 2, 2))
    return np.concatenate([first, 0 * v1, v1, v2, v3], axis=2)


def place(at: LengthElements, delta: Vector) -> Matrix:
    """rho = r + Phi delta (k, 2) in the body's frame."""
    return np.asarray(at.r + _transverse(at.phi @ delta))


def _stretch(at: LengthElements, delta: Vector) -> Matrix:
    """d rho/dl along the element."""
    return np.asarray(at.r_l + _transverse(at.phi_l @ delta))


def _transverse(values: Vector) -> Matrix:
    return np.stack([0 * values, values], axis=1)
