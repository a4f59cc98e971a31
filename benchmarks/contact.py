"""Steps with contacts beside MuJoCo: machines that fall on their feet and stand.

    python -m benchmarks --section contact

All take steps of 2 ms for a second, from the same start; times are CPU time on one core, the best
of several runs that take turns. An accuracy is the largest error of a coordinate behind that second
against the contender's own run in steps of 0.01 ms.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.contender import Unavailable
from benchmarks.legged import Machine, built, humanoid, mjcf, quadruped
from benchmarks.mujoco_peer import NAME
from benchmarks.section import Section, Target
from eomc.runtime import contact_rollouts

STEP, STEPS, ROUNDS, RUNS = 2e-3, 500, 7, 2048
SOLVERS = (
    *(("implicitfast", "Newton", "elliptic"), ("implicitfast", "Newton", "pyramidal")),
    *(("implicitfast", "PGS", "elliptic"), ("implicitfast", "CG", "elliptic")),
    *(("Euler", "Newton", "elliptic"), ("RK4", "Newton", "elliptic")),
)
METHOD, SETTINGS = "stewart_trinkle", [100, 1e-6, 1e-2, 1, 0]
ACCURACY, FINE = 3e-4, 1e-5
LENGTHS = (10e-3, 5e-3, 4e-3, 2.5e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 2e-4, 1.25e-4, 1e-4, 5e-5, 4e-5)
WANTED = {"quadruped": 3.0, "humanoid": 2.2}

Run = Callable[[float], np.ndarray]
"""A second in steps of a length; returns the coordinates at its end."""


def _peer(machine: Machine, integrator: str, solver: str, cone: str) -> Run:
    try:
        import mujoco
    except ImportError:
        raise Unavailable(f"{NAME} is not installed") from None
    model = mujoco.MjModel.from_xml_string(mjcf(machine, STEP, integrator, solver, cone))
    data = mujoco.MjData(model)

    def run(step: float) -> np.ndarray:
        model.opt.timestep = step
        mujoco.mj_resetData(model, data)
        data.qpos[:] = machine.start()
        mujoco.mj_step(model, data, round(1 / step))
        return np.array(data.qpos)

    return run


def _ours(machine: Machine) -> Run:
    made = built(machine)
    integrator, record = made.integrator(METHOD), made.integrator_record(METHOD)
    assert integrator is not None
    assert record is not None
    q, rest, zero = machine.start(), np.zeros(made.nu), np.zeros(record["nz"])

    def run(step: float) -> np.ndarray:
        rows = integrator[0](q, rest, zero, rest, SETTINGS, step, round(1 / step))
        return np.asarray(rows[0][-1])

    return run


def _best(runs: dict[str, Run], steps: dict[str, float]) -> dict[str, float]:
    """CPU time of a second of each in its own steps [s]."""
    best = dict.fromkeys(steps, np.inf)
    for _ in range(ROUNDS):
        for name, step in steps.items():
            begin = time.thread_time()
            runs[name](step)
            best[name] = min(best[name], time.thread_time() - begin)
    return best


def _accurate(runs: dict[str, Run]) -> dict[str, tuple[float, float]]:
    """Of each the longest step that is accurate enough, and the CPU time of a second by it."""
    lengths = {}
    for name, run in runs.items():
        fine = run(FINE)
        errors = ((step, float(np.abs(run(step) - fine).max())) for step in LENGTHS)
        lengths[name] = next((step for step, error in errors if error <= ACCURACY), 0.0)
    found = {name: step for name, step in lengths.items() if step}
    return {name: (lengths[name], best) for name, best in _best(runs, found).items()}


def _rollouts(machine: Machine, threads: int) -> tuple[float, float]:
    """Seconds of many runs of 100 steps by eomc and by MuJoCo."""
    import mujoco
    from mujoco import rollout

    made = built(machine)
    q = np.repeat(machine.start()[None], RUNS, 0)
    given: dict[str, Any] = {"step": STEP, "steps": 100, "every": 100, "threads": threads}
    given |= {"method": METHOD, "contacts": {"tolerance": SETTINGS[1]}}
    model = mujoco.MjModel.from_xml_string(mjcf(machine, STEP, *SOLVERS[0]))
    data = [mujoco.MjData(model) for _ in range(threads)]
    data[0].qpos[:] = machine.start()
    state = mujoco.mjtState.mjSTATE_FULLPHYSICS
    first = np.empty(mujoco.mj_stateSize(model, state))
    mujoco.mj_getState(model, data[0], first, state)
    starts, rest = np.repeat(first[None], RUNS, 0), [np.zeros(made.nu)]
    best = [np.inf, np.inf]
    for _ in range(3):
        for k, run in enumerate(
            (
                lambda: contact_rollouts(made, q, rest, **given),
                lambda: rollout.rollout(model, data, starts, nstep=100),
            )
        ):
            begin = time.perf_counter()
            run()
            best[k] = min(best[k], time.perf_counter() - begin)
    return best[0], best[1]


def _ratio(times: dict[str, float]) -> float:
    """Of the cheapest of MuJoCo to that of eomc."""
    peers = (value for name, value in times.items() if name.startswith(NAME))
    return min(peers) / min(value for name, value in times.items() if name.startswith("eomc"))


def section() -> Section:
    """Microseconds a step, heights after a second, cost of an accuracy, and many runs at once."""
    rows, figures, targets = [], [], []
    for machine in (quadruped(), humanoid()):
        runs = {f"eomc, {METHOD}": _ours(machine)}
        runs |= {f"{NAME}, {', '.join(how)}": _peer(machine, *how) for how in SOLVERS}
        best = _best(runs, dict.fromkeys(runs, STEP))
        accurate = _accurate(runs) if machine.name == "quadruped" else {}
        for name, run in runs.items():
            us, height = best[name] / STEPS * 1e6, float(run(STEP)[2])
            step, cost = accurate.get(name, (0.0, np.inf))
            figure = {"us": us, "height": height}
            figure |= {"step": step, "accurate_ms": cost * 1e3} if step else {}
            figures.append({"machine": machine.name, "method": name, **figure})
            second = (f"{step * 1e3:g}", f"{cost * 1e3:.2f}") if name in accurate else ("", "")
            shown = f"{us:.2f}", f"{height:.5f}", *second
            rows.append((machine.name, name, *shown))
        what = f"contact, {machine.name}: the cheapest step of {NAME} over that of eomc"
        targets.append(Target(what, _ratio(best), WANTED[machine.name]))
        if machine.name == "quadruped":
            what = f"contact, {machine.name}: a second to {ACCURACY:g}, {NAME} over eomc"
            costs = {name: cost for name, (_, cost) in accurate.items()}
            targets.append(Target(what, _ratio(costs), 2.0))
    mine, theirs = _rollouts(quadruped(), 2)
    what = f"contact: {RUNS} quadrupeds on two threads, {NAME} over eomc"
    targets.append(Target(what, theirs / mine, 6.0))
    return Section(
        "Steps with contacts",
        "A quadruped (18 speeds) and a humanoid (23) fall on four and eight points and stand: a "
        f"second in steps of {STEP * 1e3:g} ms. Then the longest step by which the quadruped's "
        f"coordinates end within {ACCURACY:g} of the contender's own fine run, and the CPU time of "
        "a second by it.",
        ("machine", "step", "µs", "height after 1 s, m", "accurate step, ms", "its second, ms"),
        rows,
        figures,
        [f"{RUNS} quadrupeds, 100 steps on two threads: {mine:.3f} s, {NAME} {theirs:.3f} s"],
        targets,
    )
