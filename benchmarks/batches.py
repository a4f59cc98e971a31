"""Batches: states side by side on vectors, and whole simulations in one call, beside the floor.

python -m benchmarks --section batches
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from benchmarks.casadi_peer import casadi
from benchmarks.cases import panda
from benchmarks.contender import Array, Unavailable
from benchmarks.floor import lane_function, peak
from benchmarks.mechanism import mechanism
from benchmarks.section import Section, Target
from benchmarks.timing import ROUNDS, Timer
from eomc.codegen.compiler import native_vector_bytes
from eomc.derive.model import Model

STATES = 4096
STEPS = 100
FUNCTIONS = ("forward_dynamics", "coordinate_rates", "normalize", "inverse_dynamics", "difference")
TIMES_FLOOR = 1.35


@dataclass(frozen=True)
class Batch:
    """One way to evaluate many states: nanoseconds a state (and step), median of the rounds.

    floor : of the same arithmetic, measured in the same rounds
    """

    model: str
    way: str
    state: float
    floor: float | None = None


def section(models: Sequence[tuple[str, Callable[[], Model]]], build: Path) -> Section:
    """Forward dynamics in C and from Python, and Runge-Kutta steps."""
    rows: list[Batch] = []
    targets = []
    for name, make in models:
        model = make()
        place = build / f"batches_{make.__name__}"
        in_c = floor_and_lanes(name, model, place)
        rows += in_c + from_python(name, model)
        if make is panda:
            bare, whole, in_lanes = (row.state for row in in_c[:3])
            words = f"{name}: batch in C, times the floor"
            floors = {words: whole, f"{words} without sines and cosines": bare}
            targets += [
                Target(words, in_lanes / floor, TIMES_FLOOR, at_most=True)
                for words, floor in floors.items()
            ]
    return Section(
        "Batches",
        "`python -m benchmarks --section batches`: nanoseconds a state on one core, of Runge-Kutta "
        "a state and step. The floor is the arithmetic of the emitted function at the rate of a "
        "kernel of independent additions and multiplications in equal parts on the same vectors, "
        "measured in the same rounds, "
        "without and with that of its sines and cosines; fused operations could go below it. In C: "
        "states packed for the vectors; from Python: rows of NumPy arrays, which are transposed, "
        f"{STATES} states a call.",
        ("model", "way", "ns", "times the floor"),
        [_row(row) for row in rows],
        [asdict(row) for row in rows],
        targets=targets,
    )


def _row(row: Batch) -> tuple[str, ...]:
    times = "" if row.floor is None else f"{row.state / row.floor:.2f}"
    return (row.model, row.way, f"{row.state:.1f}", times)


def floor_and_lanes(name: str, model: Model, place: Path) -> list[Batch]:
    """The floor, and the function for lanes called in C; the widest vectors of the machine."""
    lanes = max(native_vector_bytes() // 8, 2)
    made = lane_function(model, "forward_dynamics", lanes, place / "lanes")
    kernel, rounds = peak(lanes, place / "peak")
    states = random_states(len(model.speeds), 64 * lanes)
    check = eomc.build(model, functions=["forward_dynamics"], name="one")
    made.check(states, np.asarray(check.forward_dynamics(*np.split(states, 3, axis=1))))
    race = Timer(place / "timer").race(
        [kernel, made.contender], made.packed(states), made.size * lanes
    )
    rate = race[0].median / rounds / lanes
    beside = _casadi(model, place / "casadi", Timer(place / "timer"), states)
    bare, whole = made.operations * rate, (made.operations + made.turning) * rate
    return [
        Batch(name, f"floor: {made.operations} operations at {1 / rate:.1f} a ns", bare),
        Batch(name, f"floor: and {made.turning} of sines and cosines", whole),
        Batch(name, f"in C, {lanes} at once", race[1].median / lanes, whole),
        *(Batch(name, "CasADi in C, one after the other", ns, whole) for ns in beside),
    ]


def _casadi(model: Model, place: Path, timer: Timer, states: Array) -> list[float]:
    """Nanoseconds a state of CasADi's function, whose C has no vectors of states."""
    try:
        contenders = casadi(mechanism(model), "forward_dynamics", place)
    except Unavailable:
        return []
    return [min(timing.median for timing in timer.race(contenders, states, len(model.speeds)))]


def random_states(size: int, count: int) -> Array:
    """Rows of q, u, tau."""
    return np.random.default_rng(0).uniform(-1.5, 1.5, (count, 3 * size))


def from_python(name: str, model: Model) -> list[Batch]:
    """Forward dynamics and Runge-Kutta steps of many states, called from Python."""
    lanes = [n for n in (1, 2, 4, 8) if n <= native_vector_bytes() // 8]
    built = {
        n: eomc.build(model, functions=FUNCTIONS, march_native=True, lanes=n, name=f"batch{n}")
        for n in lanes
    }
    ways = _dynamics(name, built)
    ways |= _steps(built[1], built[lanes[-1]], lanes[-1])
    return [Batch(name, way, ns) for way, ns in _race(ways).items()]


Way = tuple[Callable[[], object], int]


def _dynamics(name: str, built: dict[int, Any]) -> dict[str, Way]:
    """Forward dynamics on vectors of each width; the results agree before they are timed."""
    q, u, tau = np.split(random_states(built[1].nu, STATES), 3, axis=1)
    q, u, tau = map(np.ascontiguousarray, (q, u, tau))
    out = np.empty_like(q)
    expected = built[1].forward_dynamics(q, u, tau)
    for module in built.values():
        error = np.abs(module.forward_dynamics(q, u, tau) - expected).max()
        if not error < 1e-9 * np.abs(expected).max():
            raise ArithmeticError(f"{name}: batches of {module.name} are off by {error:.1e}")

    def each(module: Any) -> Callable[[], object]:
        return lambda: module.forward_dynamics(q, u, tau, out=out, threads=1)

    return {
        f"from Python, {n} at once" if n > 1 else "from Python, one by one": (each(module), STATES)
        for n, module in built.items()
    }


def _steps(one: Any, fast: Any, lanes: int) -> dict[str, Way]:
    """Runge-Kutta steps of one state, and of many in one call, free and controlled."""
    few = STATES // 16
    start = random_states(one.nu, few)[:, : one.nu].copy()
    rest = np.zeros(one.nu)
    ways: dict[str, Way] = {
        "Runge-Kutta step, one by one": (
            lambda: one.rk4(start[0], 0 * start[0], rest, 1e-4, few),
            few,
        )
    }
    if lanes > 1:
        held: dict[str, Any] = {"every": STEPS, "threads": 1}
        torque = {"q_ref": rest, "kp": 100.0, "kd": 20.0, "computed_torque": True}
        run = (start, 0 * start, rest, 1e-4, STEPS)
        count = few * STEPS
        ways[f"Runge-Kutta step, {lanes} at once"] = (
            lambda: fast.rk4_rollouts(*run, **held),
            count,
        )
        ways[f"the same under computed torque, {lanes} at once"] = (
            lambda: fast.rk4_rollouts(*run, **held, **torque),
            count,
        )
    return ways


def _race(ways: dict[str, Way]) -> dict[str, float]:
    """Thread CPU time, all ways in turn."""
    rounds: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, (call, count) in ways.items():
            start = time.thread_time_ns()
            call()
            rounds[way].append((time.thread_time_ns() - start) / count)
    return {way: float(np.median(times)) for way, times in rounds.items()}
