"""The crane with two actuators in coordinates without constraints, along its maneuver.

The witness of `oracle` with a control law of its own: forces and quasi-static bending of the crane
that does not bend, looked up in a table; PD control of both extensions; the printed gains of Table
8.2 from a time on. SciPy integrates; no code of the product takes part but the profile of the
extensions.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

from eomc.binding.arrays import Array
from eomc.systems.truss_crane import maneuver
from eomc.systems.truss_crane.crane import DURATION
from eomc_published.boutin.oracle import Oracle, eigenvalues

_PD = 5000.0
_MODES = 2
_TABLE = np.linspace(0.0, DURATION, 401)
_UNBENT = np.zeros(_MODES)


@cache
def oracle() -> Oracle:
    """With two modes."""
    return Oracle(two=True, modes=_MODES)


def unbent(t: float, near: Array) -> tuple[Array, Array, Array]:
    """((theta, phi) where the extensions are those of time t, tau-, b-) without bending."""
    place, rate, acceleration = (float(part) for part in maneuver()(t))
    angles, still = near.copy(), np.zeros(2 + _MODES)
    for _ in range(20):
        _, _, d, along, _ = oracle().terms(np.append(angles, _UNBENT), still)
        step = np.linalg.solve(along[:, :2], place - d)
        angles = angles + step
        if np.abs(step).max() < 1e-14:
            break
    q = np.append(angles, _UNBENT)
    u = np.append(np.linalg.solve(along[:, :2], [rate] * 2), _UNBENT)
    mass, force, _, along, bias = oracle().terms(q, u)
    a = np.append(np.linalg.solve(along[:, :2], acceleration - bias), _UNBENT)
    needed = mass @ a + force
    tau = np.linalg.solve(along[:, :2].T, needed[:2])
    bending = along[:, 2:].T @ tau - needed[2:]
    return angles, np.asarray(tau, dtype=np.float64), bending / eigenvalues(_MODES)


@cache
def table() -> Array:
    """(times, 4): tau- and b- along the maneuver."""
    near, rows = np.zeros(2), []
    for t in _TABLE:
        near, tau, bent = unbent(float(t), near)
        rows.append(np.append(tau, bent))
    return np.array(rows)


def force(t: float, d: Array, rate: Array, b: Array, b_rate: Array, gains: Array) -> Array:
    """tau of both actuators; `gains` are F_p1, F_p2, F_d1, F_d2 of the second, in fast time."""
    k = min(int(t / _TABLE[1]), len(_TABLE) - 2)
    part = min(t / _TABLE[1] - k, 1.0)
    row = (1 - part) * table()[k] + part * table()[k + 1]
    goal = maneuver()(t)
    tau = row[:2] + _PD * (goal.position - d) + _PD * (goal.rate - rate)
    stiffness = eigenvalues(_MODES)
    epsilon = 1 / np.sqrt(stiffness[0])
    tau[1] -= gains[:2] @ (stiffness * (b - row[2:]))
    tau[1] -= gains[2:] @ (epsilon * stiffness * b_rate)
    return np.asarray(tau, dtype=np.float64)


def run(gains: Array, begin: float, end: float, rates_at: Array) -> Array:
    """b' (times, modes) of a run from rest, vibration control from `begin` on."""
    none = np.zeros(4)

    def flow(t: float, x: Array) -> Array:
        q, u = np.split(x, 2)
        mass, inner, d, along, _ = oracle().terms(q, u)
        acting = gains if t >= begin else none
        tau = force(t, d, along @ u, q[2:], u[2:], acting)
        return np.concatenate([u, np.linalg.solve(mass, along.T @ tau - inner)])

    x, found = np.append(unbent(0.0, np.zeros(2))[0], np.zeros(_MODES + 4)), []
    spans = [(0.0, begin), (begin, end)] if 0 < begin < end else [(0.0, end)]
    for start, stop in spans:
        inside = rates_at[(rates_at > start) & (rates_at <= stop)]
        made = solve_ivp(
            flow,
            (start, stop),
            x,
            "LSODA",
            np.union1d(inside, stop),
            rtol=1e-5,
            atol=1e-7,
            max_step=0.05,
        )
        x = made.y[:, -1]
        found.append(made.y[-_MODES:, : len(inside)].T)
    return np.concatenate(found)
