"""Runs of regulators on the plants of the bench."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control import LQR, Sampled
from eomc.runtime.control.flexible import SlowFast
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.truss_crane.crane import EXTENSION
from eomc_published.robust.bench import ANGLE, BENCHES, PLACES, Bench, arm_model, crane_model

LAWS = {"arm": ("LQR", "LQG", "H-infinity"), "crane": ("LQG", "H-infinity")}
"""On each bench; LQR sees the full state of its model."""
SPAN, _SAMPLES, _PERIOD = 12.0, 2401, 0.005
_TARGET = {"arm": ANGLE, "crane": EXTENSION}
_BENT = {"arm": "unit2_y1", "crane": "boom_e1"}
_BEND = {"arm": 0.02, "crane": 0.5}


def bench_of(name: str) -> Bench:
    """The bench of a name, arm or crane."""
    return next(made for make in BENCHES if (made := make()).name == name)


@cache
def _slow_fast(name: str, modes: int) -> SlowFast:
    """The controller's or the plant's model as joint and amplitudes."""
    if name == "crane":
        return SlowFast(crane_model(modes), ["jack2"], actuators=["jack2_force"])
    fast = ["alpha2_twist", *(f"unit2_y{k}" for k in range(1, modes + 1))]
    return SlowFast(arm_model(modes), ["alpha2"], fast, prescribed=PLACES)


def controller(name: str, law: str) -> Any:
    """A sampled regulator of the output, or the LQR of the arm's first mode with its joint."""
    bench = bench_of(name)
    if law != "LQR":
        return Sampled(_output_law(bench, law), _PERIOD)
    own = arm_model(1)
    speeds = ["alpha2", *_slow_fast(name, 1).fast]
    weights = [1.0, *(0.0 for _ in speeds[1:]), *(1e-3 for _ in speeds)]
    return LQR(
        own,
        {"alpha2": ANGLE},
        weights,
        1e-9,
        speeds=speeds,
        actuators=["alpha2"],
        plant=StateMap(bench.model, own),
        prescribed=PLACES,
    )


def _output_law(bench: Bench, law: str) -> Any:
    made = bench.robust.regulator if law == "H-infinity" else bench.lqg()
    return made.law(bench.model, bench.q, bench.row[None], [bench.actuator])


@cache
def run(name: str, law: str) -> tuple[Array, Array, Array]:
    """Times, measured output off its place [rad or m], force of the actuator."""
    bench = bench_of(name)
    bent = np.zeros(len(_slow_fast(name, 4).fast))
    bent[_slow_fast(name, 4).fast.index(_BENT[name])] = _BEND[name]
    q = _slow_fast(name, 4).configuration(0.0, [_TARGET[name]], bent)
    t = np.linspace(0.0, SPAN, _SAMPLES)
    found = simulate(
        bench.model,
        q,
        t_span=t,
        controller=controller(name, law),
        prescribed=bench.prescribed,
        method="dopri",
        rtol=1e-6,
        atol=1e-8,
        progress=False,
    )
    off = np.array([bench.model.difference(bench.q, row) for row in found.q]) @ bench.row
    force = found.tau[:, bench.model.speeds.index(bench.actuator)]
    return found.t, off, force


def left(name: str, law: str) -> float:
    """Largest output of the last second by that of the first."""
    t, off, _ = run(name, law)
    size = np.abs(off)
    return float(size[t > SPAN - 1].max() / size[t < 1].max())
