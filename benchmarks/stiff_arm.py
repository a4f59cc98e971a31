"""Implicit steps of 1 ms on a flexible arm with modes to 2 kHz, beside explicit ones.

    python -m benchmarks --section stiff_arm

A steel beam of 1 m with 13 modes and a load swings down for a second, with equal damping ratios of
all modes, and with damping of the material, which grows with the frequency. Explicit steps are the
longest that are stable; all tips must be within 1e-4 m of a run at tight tolerances. Times are CPU
time on one core, the best of several runs that take turns.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from benchmarks.section import Section, Target
from eomc.building import build
from eomc.derive.bodies import Beam
from eomc.derive.model import Model
from eomc.runtime.model.errors import SimulationError
from eomc.runtime.simulation.simulate import simulate

STEP, ERROR, ROUNDS = 1e-3, 1e-4, 5
METHODS = ("midpoint", "ros34pw2", "rodas4p", "generalized_alpha")
FIRST, RATIO = 26.33, 0.005
DAMPINGS: dict[str, dict[str, Any]] = {
    "equal ratios": {"damping": RATIO},
    "material": {"rayleigh": (0.0, 2 * RATIO / FIRST)},
}


def arm(damping: dict[str, Any]) -> Any:
    """The beam on a hinge, a load of 0.1 kg at its tip."""
    model = Model("stiff_arm", gravity=(0, -9.81, 0))
    beam = Beam(length=1, mass_per_length=0.78, EI=43.75, modes=(13, 0), **damping)
    model.deformable("link", beam)
    model.joint("hinge", "revolute", parent="world", child="link", axis=(0, 0, 1))
    model.body("load", mass=0.1, inertia=(1e-4,) * 3)
    model.joint("mount", "attachment", parent="link", child="load", at="tip")
    return build(model, frames=["load"])


def _tip(made: Any, method: str, step: float | None, **more: float) -> np.ndarray:
    q = np.zeros(made.nq)
    q[0] = 0.3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = simulate(made, q, t_span=[0, 1.0], method=method, step=step, **more)
    return np.asarray(made.frame("load").pose(run.q[-1])[0])


def _longest(made: Any, exact: np.ndarray) -> float:
    """Of stable steps of rk4, by tenths."""
    step = STEP
    while step > 1e-6:
        try:
            if np.abs(_tip(made, "rk4", step) - exact).max() < ERROR:
                return step
        except SimulationError:
            pass
        step *= 0.9
    raise SimulationError("no step of rk4 is short enough", 0.0)


def section() -> Section:
    """Milliseconds a second of motion, and errors of the tip."""
    rows, figures, targets = [], [], []
    for name, damping in DAMPINGS.items():
        made = arm(damping)
        exact = _tip(made, "rodas4p", None, rtol=1e-11, atol=1e-13)
        steps = dict.fromkeys(METHODS, STEP) | {"rk4": _longest(made, exact)}
        best, errors = dict.fromkeys(steps, np.inf), dict.fromkeys(steps, 0.0)
        for _ in range(ROUNDS):
            for method, step in steps.items():
                errors[method], taken = _timed(made, method, step, exact)
                best[method] = min(best[method], taken)
        for method, step in steps.items():
            ratio = best["rk4"] / best[method]
            rows.append(
                (name, method, f"{step * 1e3:.3g}", f"{best[method] * 1e3:.2f}",
                 f"{errors[method]:.1e}", f"{ratio:.1f}")
            )  # fmt: skip
            figures.append({"damping": name, "method": method, "ms": best[method] * 1e3})
        fastest = min(best[method] for method in METHODS if errors[method] < ERROR)
        if name == "material":
            targets.append(Target("rk4 / implicit, material damping", best["rk4"] / fastest, 10))
    return Section(
        "A flexible arm with modes to 2 kHz",
        "A beam of 13 modes with a load swings for a second: implicit steps of 1 ms, and the "
        "longest stable steps of rk4.",
        ("damping", "method", "step, ms", "ms a second", "error of the tip, m", "rk4 / this"),
        rows,
        figures,
        targets=targets,
    )


def _timed(made: Any, method: str, step: float, exact: np.ndarray) -> tuple[float, float]:
    """The error of the tip, and seconds."""
    begin = time.thread_time()
    tip = _tip(made, method, step)
    return float(np.abs(tip - exact).max()), time.thread_time() - begin
