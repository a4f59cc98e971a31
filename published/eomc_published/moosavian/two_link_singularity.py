"""Case of the two-link arm that is stretched out: 57."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime import Trajectory, simulate
from eomc.runtime.control.task_space import Position, ResolvedAcceleration, Task, TransposeJacobian
from eomc.runtime.model.errors import SimulationError
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.moosavian.two_link import arm

REACH, _NEAR, _BEYOND, DURATION = 2.0, 1.6, 0.1, 8.0
"""Of the arm, and of the path: where it starts and how far it leaves the reach [m]; [s]."""
_KP, _KD = 150.0, 300.0
_DIRECTION = np.array([1.0, 1.0]) / np.sqrt(2.0)


class SingularRun(NamedTuple):
    """A run, its errors e (times,) [m], the time at which it ended [s], and why early."""

    run: Trajectory
    error: Array
    ended: float
    fault: str


def radial_path(t: float) -> tuple[Array, Array, Array]:
    """Out along a ray to 2.1 m and back: r = 1.6 + 0.25 (1 - cos(2 pi t/T))."""
    half, w = (REACH + _BEYOND - _NEAR) / 2, 2 * np.pi / DURATION
    c, s = np.cos(w * t), np.sin(w * t)
    radius = _NEAR + half * (1 - c), half * w * s, half * w**2 * c
    return radius[0] * _DIRECTION, radius[1] * _DIRECTION, radius[2] * _DIRECTION


@cache
def stretched(name: str) -> SingularRun:
    """A law on the path from a start without error, until it fails."""
    task = Task(arm(), [Position("tip", "xy")])
    laws = {
        "TJ": TransposeJacobian(task, [radial_path], _KP, _KD),
        "MB1": ResolvedAcceleration(task, [radial_path], 8.0, 4.0),
        "MB1, damped": ResolvedAcceleration(task, [radial_path], 8.0, 4.0, damping=0.05),
    }
    bend = 2 * np.arccos(_NEAR / REACH)
    start, times = [np.pi / 4 - bend / 2, bend], np.linspace(0.0, DURATION, 401)
    more: Any = {"method": "LSODA", "rtol": 1e-7, "atol": 1e-9, "progress": False}
    law, ended, fault = laws[name], DURATION, ""
    try:
        run = simulate(arm(), start, t_span=times, controller=law, **more)
    except SimulationError as stopped:
        run, ended, fault = stopped.until(), stopped.time, str(stopped)
    rows = zip(run.t, run.q, run.u, strict=True)
    error = np.array([np.linalg.norm(law.error(*row)) for row in rows])
    return SingularRun(run, error, ended, fault)


def _singularity() -> Iterator[CaseCheck]:
    found = stretched("TJ")
    run, error = found.run, found.error
    J = arm().frame("tip").jacobian(run.q)[:, :2]
    least = float(np.linalg.svd(J)[1][:, -1].min())
    yield at_most("TJ: smallest singular value of J along the run [m]", least, 0.01)
    yield agrees("TJ: end of the run [s]", DURATION, run.t[-1], 1e-9)
    yield holds("TJ: fault", "none", found.fault or "none", not found.fault)
    beyond = float(error[np.argmin(abs(run.t - DURATION / 2))])
    yield holds(
        f"TJ: error where the path is {_BEYOND:g} m out of reach [m]",
        f"{_BEYOND:g} to {1.2 * _BEYOND:g}",
        f"{beyond:.4g}",
        _BEYOND <= beyond <= 1.2 * _BEYOND,
    )
    yield at_most("TJ: largest error before 1 s [m]", error[run.t < 1.0].max(), 0.01)
    yield at_most("TJ: largest torque [N m]", float(np.abs(run.tau).max()), 20.0)
    half = (REACH + _BEYOND - _NEAR) / 2
    border = DURATION / (2 * np.pi) * float(np.arccos(1 - (REACH - _NEAR) / half))
    # Within reach again errors decay as K_d e' + K_p e = 0, as far as the arm has no inertia.
    left = float(np.exp(-border * _KP / _KD))
    yield at_most("TJ: error at the end over the largest", error[-1] / error.max(), left)
    exact = stretched("MB1")
    yield at_most("MB1: error until it stops [m]", exact.error.max(), 1e-6)
    yield agrees("MB1: time at which it fails, at the border [s]", border, exact.ended, 1e-4)
    singular = "singular" in exact.fault and "cannot move independently" in exact.fault
    yield holds("MB1: fault", "J singular", exact.fault or "none", singular)
    damped = stretched("MB1, damped")
    yield holds("MB1, damped: fault", "none", damped.fault or "none", not damped.fault)
    yield at_most("MB1, damped: error at the end [m]", damped.error[-1], 1e-3)


CASES = (
    Case(
        57,
        "Two-link arm: the transpose Jacobian at a physical singularity errs, but does not fail",
        "sections 4.3.2 and 5.2.1",
        "a ray out of the reach and back under TJ, MB1 and MB1 with a damped inverse",
        _singularity,
        provenance="reconstructed",
    ),
)
