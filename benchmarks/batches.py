"""Batches: states side by side on vectors, all cores, and whole simulations in one call."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import eomc
from benchmarks.timing import ROUNDS
from eomc.codegen.compiler import native_vector_bytes
from eomc.derive.model import Model

STATES = 4096
STEPS = 100
FUNCTIONS = ("forward_dynamics", "coordinate_rates", "normalize", "inverse_dynamics", "difference")


@dataclass(frozen=True)
class Batch:
    """One way to evaluate many states: nanoseconds a state (and step), median of the rounds."""

    model: str
    way: str
    state: float


def batches(name: str, model: Model) -> list[Batch]:
    """Forward dynamics and Runge-Kutta steps of many states, called from Python."""
    widest = native_vector_bytes() // 8
    lanes = [n for n in (1, 2, 4, 8) if n <= widest]
    built = {
        n: eomc.build(model, functions=FUNCTIONS, march_native=True, lanes=n, name=f"batch{n}")
        for n in lanes
    }
    size = built[1].nu
    rng = np.random.default_rng(0)
    q, u, tau = rng.uniform(-1.5, 1.5, (3, STATES, size))
    out = np.empty((STATES, size))
    # The compiled functions agree before they are timed.
    expected = built[1].forward_dynamics(q, u, tau)
    for module in built.values():
        error = np.abs(module.forward_dynamics(q, u, tau) - expected).max()
        if not error < 1e-9 * np.abs(expected).max():
            raise ArithmeticError(f"{name}: batches of {module.name} are off by {error:.1e}")

    def each(module: Any) -> Callable[[], object]:
        return lambda: module.forward_dynamics(q, u, tau, out=out, threads=1)

    ways: dict[str, tuple[Callable[[], object], int]] = {
        f"forward dynamics, {n} at once" if n > 1 else "forward dynamics, one by one": (
            each(module),
            STATES,
        )
        for n, module in built.items()
    }
    few = STATES // 16
    rest = np.zeros(size)
    ways["Runge-Kutta step, one by one"] = (
        lambda: built[1].rk4(q[0], 0 * u[0], rest, 1e-4, few),
        few,
    )
    fast = built[lanes[-1]]
    held: dict[str, Any] = {"every": STEPS, "threads": 1}
    torque = {"q_ref": rest, "kp": 100.0, "kd": 20.0, "computed_torque": True}
    if len(lanes) > 1:
        words = f"{lanes[-1]} at once"
        start = (q[:few], 0 * u[:few], rest, 1e-4, STEPS)
        ways[f"Runge-Kutta step, {words}"] = (
            lambda: fast.rk4_rollouts(*start, **held),
            few * STEPS,
        )
        ways[f"the same under computed torque, {words}"] = (
            lambda: fast.rk4_rollouts(*start, **held, **torque),
            few * STEPS,
        )
    return [Batch(name, way, ns) for way, ns in _race(ways).items()]


def _race(ways: dict[str, tuple[Callable[[], object], int]]) -> dict[str, float]:
    """Thread CPU time, all ways in turn."""
    rounds: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, (call, count) in ways.items():
            start = time.thread_time_ns()
            call()
            rounds[way].append((time.thread_time_ns() - start) / count)
    return {way: float(np.median(times)) for way, times in rounds.items()}
