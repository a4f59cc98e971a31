"""The residual of the equations of motion and its linearization (thesis, chapters 3 and 5).

g = B^T M B q'' + B^T (M B' q' + h - f)

M_l = B^T M B
C_l = B^T (M (dB'/dq') q' + M B' + dh/dq' - df/dq')
K_l[:, k] = B_k^T [M (B q'' + B' q') + h - f]
          + B^T [M_k (B q'' + B' q') + M (B_k q'' + B'_k q') + h_k - f_k]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc_published.trom.cartesian import derivatives as by
from eomc_published.trom.cartesian import forces as acting
from eomc_published.trom.cartesian.kinematics import Array, CartesianBody, CartesianMotion, motion

GRAVITY = (0.0, 0.0, -9.81)


def cartesian_forces(
    m: CartesianMotion,
    springs: Sequence[acting.Spring],
    gravity: Sequence[float],
    q: Array,
    rates: Array,
) -> Array:
    """f (6 bodies,): forces and torques at the mass centres."""
    f = acting.weight(m, gravity)
    for spring in springs:
        if isinstance(spring, acting.CartesianSpring):
            f = f + acting.point_forces(m, spring)
        else:
            f = f + acting.joint_forces(m, spring, q[spring.axis], rates[spring.axis])
    return f


def residual(
    bodies: Sequence[CartesianBody],
    springs: Sequence[acting.Spring],
    q: Any,
    rates: Any,
    accelerations: Any,
    gravity: Sequence[float] = GRAVITY,
) -> Array:
    """g(q'', q', q), (coordinates,)."""
    q, rates = np.asarray(q), np.asarray(rates)
    m = motion(bodies, q, rates)
    b, mass = m.B, m.M
    f = cartesian_forces(m, springs, gravity, q, rates)
    g: Array = b.T @ (mass @ (b @ np.asarray(accelerations) + m.B_rate @ rates) + m.h - f)
    return g


@dataclass(frozen=True)
class Linearized:
    """M_l, C_l, K_l, each (coordinates, coordinates)."""

    mass: Array
    damping: Array
    stiffness: Array


def linearized(
    bodies: Sequence[CartesianBody],
    springs: Sequence[acting.Spring],
    q: Any,
    rates: Any,
    accelerations: Any,
    gravity: Sequence[float] = GRAVITY,
) -> Linearized:
    """By the tables."""
    q, rates, a = (np.asarray(x, dtype=float) for x in (q, rates, accelerations))
    m = motion(bodies, q, rates)
    b, b_rate, mass = m.B, m.B_rate, m.M
    f = cartesian_forces(m, springs, gravity, q, rates)
    moving = b @ a + b_rate @ rates
    balance = mass @ moving + m.h - f
    damping, stiffness = [], []
    for k in range(m.size):
        b_k = by.B_by(m, k)
        on_q, on_rate = _force_derivatives(m, springs, q, rates, k)
        inner = by.M_by(m, k) @ moving + mass @ (b_k @ a + by.B_rate_by(m, k) @ rates)
        stiffness.append(b_k.T @ balance + b.T @ (inner + by.h_by(m, k) - on_q))
        column = mass @ (b_k @ rates + b_rate[:, k]) + by.h_by_rate(m, k) - on_rate
        damping.append(b.T @ column)
    return Linearized(b.T @ mass @ b, np.array(damping).T, np.array(stiffness).T)


def _force_derivatives(
    m: CartesianMotion, springs: Sequence[acting.Spring], q: Array, rates: Array, k: int
) -> tuple[Array, Array]:
    on_q, on_rate = np.zeros(6 * len(m.bodies)), np.zeros(6 * len(m.bodies))
    for spring in springs:
        if isinstance(spring, acting.CartesianSpring):
            on_q = on_q + acting.point_forces_by(m, spring, k)
            on_rate = on_rate + acting.point_forces_by_rate(m, spring, k)
        else:
            angle, rate = q[spring.axis], rates[spring.axis]
            on_q = on_q + acting.joint_forces_by(m, spring, angle, rate, k)
            on_rate = on_rate + acting.joint_forces_by_rate(m, spring, k)
    return on_q, on_rate


def differenced_stiffness(
    bodies: Sequence[CartesianBody],
    springs: Sequence[acting.Spring],
    q: Any,
    dither: float,
    gravity: Sequence[float] = GRAVITY,
) -> Array:
    """K_l at rest by (3.10) with dB/dq and df/dq differenced one-sidedly: the thesis's comparison.

    K_l[:, k] = -(dB/dq_k)^T f - B^T df/dq_k
    """
    q = np.asarray(q, dtype=float)
    rest = np.zeros_like(q)
    here = motion(bodies, q, rest)
    b, f = here.B, cartesian_forces(here, springs, gravity, q, rest)
    columns = []
    for k in range(len(q)):
        moved = q.copy()
        moved[k] += dither
        there = motion(bodies, moved, rest)
        b_k = (there.B - b) / dither
        f_k = (cartesian_forces(there, springs, gravity, moved, rest) - f) / dither
        columns.append(-b_k.T @ f - b.T @ f_k)
    return np.array(columns).T
