"""Case 28: sweeps of the solves of a quadruped that falls, lands and stands; their residual."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc_published.case import Case, CaseCheck, at_most
from eomc_published.steps.quadruped import built, start

MU, STIFFNESS, DAMPING = 0.8, 100.0, 3.0
LENGTHS, SHARE = (4e-3, 2e-3, 1e-3), 0.2
"""Steps, and the share of a depth that one of them takes back."""
_METHOD = "stewart_trinkle"


def problems(made: Any, h: float) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """States with impulses of the step before: 80 of two seconds, most of them about landing."""
    step, z0 = made.integrator(_METHOD)[0], np.zeros(made.integrator_record(_METHOD)["nz"])
    settings = [200, 1e-14, 1e-2, 1, 0]
    rows = step(start(made), np.zeros(made.nu), z0, np.zeros(made.nu), settings, h, round(2 / h))
    times = np.concatenate([np.linspace(0.1, 0.4, 60), np.linspace(0.45, 1.95, 20)])
    return [tuple(part[k] for part in rows) for k in np.round(times / h).astype(int)]


def residual(made: Any, q: np.ndarray, u: np.ndarray, after: np.ndarray, h: float) -> float:
    """Of the law of friction: impulses by the momentum of the speeds behind the step, projected
    onto the cones where they are moved against the rates."""
    gaps, jacobian = (np.asarray(part) for part in made.rigid_contacts(q, u)[:2])
    rows = jacobian.reshape(-1, 4, made.nu)[:, [0, 1, 2]]
    legs = np.concatenate([np.zeros(6), np.ones(made.nu - 6)])
    matrix = np.asarray(made.mass_matrix(q)) + np.diag(legs * (h * DAMPING + h * h * STIFFNESS))
    force = -np.asarray(made.bias(q, u)) - h * STIFFNESS * legs * u
    flat = rows.reshape(-1, made.nu)
    moved = matrix @ (after - u) - h * force
    p = np.linalg.lstsq(flat.T, moved, rcond=None)[0].reshape(-1, 3)
    response = flat @ np.linalg.solve(matrix, flat.T)
    pushes = h * flat @ np.linalg.solve(matrix, force)
    left, least = 0.0, 0.0
    for k, gap in enumerate(gaps):
        own = response[3 * k : 3 * k + 3, 3 * k : 3 * k + 3]
        s = rows[k] @ after + [max(gap, SHARE * gap) / h, 0, 0]
        s[0] += MU * np.hypot(s[1], s[2])
        moved_p = _on_cone(p[k] - 3 / np.trace(own) * s)
        left = max(left, float(np.linalg.norm(p[k] - moved_p)))
        least = max(least, abs(float(pushes[3 * k])) / float(own[0, 0]))
    return float(left / max(np.abs(p).max(), least))


def _on_cone(z: np.ndarray) -> np.ndarray:
    """The nearest point of Coulomb's cone."""
    slip = float(np.hypot(z[1], z[2]))
    if slip <= MU * z[0]:
        return z
    if MU * slip <= -z[0]:
        return np.zeros(3)
    pressing = (z[0] + MU * slip) / (1 + MU**2)
    return np.array([pressing, *(MU * pressing / slip * z[1:])])


def _sweeps() -> Iterator[CaseCheck]:
    made = built()
    step, off = made.integrator(_METHOD)[0], 0.0
    counts: dict[str, list[int]] = {"warm": [], "cold": []}
    for h in LENGTHS:
        for q, u, z in problems(made, h):
            for kind, before in (("warm", z), ("cold", 0 * z)):
                for sweeps in range(1, 60):
                    settings = [sweeps, 0, np.inf, 0, 0]
                    _, speeds, record = step(q, u, before, np.zeros(made.nu), settings, h, 1)
                    if sweeps <= 2:
                        own = residual(made, q, u, speeds[-1], h)
                        off = max(off, abs(own - record[-1, -3]))
                    if record[-1, -3] <= 1e-6:
                        break
                counts[kind].append(sweeps)
    for kind, found in counts.items():
        yield at_most(f"{kind}: most sweeps to 1e-6", max(found), 5)
    yield at_most("residual beside that of the momentum", off, 1e-12)


CASES = (
    Case(
        28,
        "Sweeps of a solve",
        "counts of a prototype on MuJoCo's matrices; the residual by the momentum of a step",
        "240 solves of a quadruped that lands and stands, warm and cold",
        _sweeps,
        slow=True,
    ),
)
