"""Steps with contacts beside MuJoCo: a quadruped that falls on its feet and stands.

    python -m benchmarks --section contact

All take steps of 2 ms for a second, from the same start; times are CPU time on one core, the best
of several runs that take turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.contender import Unavailable
from benchmarks.mujoco_peer import NAME
from benchmarks.section import Section, Target
from eomc.runtime import contact_rollouts
from eomc_published.steps.quadruped import HEIGHT, LEGS, built, start

STEP, STEPS, ROUNDS, RUNS = 2e-3, 500, 7, 512
SOLVERS = (("Newton", "elliptic"), ("Newton", "pyramidal"), ("PGS", "elliptic"), ("CG", "elliptic"))
_SETTINGS = [100, 1e-6, 1e-2, 1, 0]


def mjcf(solver: str, cone: str) -> str:
    """The quadruped of `eomc_published.steps.quadruped`, its springs and dampers in the joints."""

    def joint(axis: str, rest: float) -> str:
        reference = f'springref="{float(np.degrees(rest))!r}"'
        return f'<joint type="hinge" axis="{axis}" damping="3" stiffness="100" {reference}/>'

    def inertial(com: str, mass: float, inertia: str) -> str:
        return f'<inertial pos="{com}" mass="{mass}" diaginertia="{inertia}"/>'

    legs = ""
    for x, y in LEGS.values():
        side = 1 if y > 0 else -1
        legs += (
            f'<body pos="{x} {y} 0">{inertial(f"0 {0.02 * side} 0", 0.6, "6e-4 8e-4 6e-4")}'
            f'{joint("1 0 0", 0.0)}<body pos="0 {0.08 * side} 0">'
            f'{inertial("0 0 -.08", 1, "6e-3 6e-3 1e-3")}{joint("0 1 0", 0.8)}<body pos="0 0 -.2">'
            f"{inertial('0 0 -.1', 0.2, '8e-4 8e-4 4e-5')}{joint('0 1 0', -1.6)}"
            '<geom type="sphere" size=".02" pos="0 0 -.2" friction=".8"/></body></body></body>'
        )
    return (
        f'<mujoco><option timestep="{STEP}" integrator="implicitfast" cone="{cone}" '
        f'solver="{solver}"/><worldbody><geom type="plane" size="5 5 1" friction=".8"/>'
        f'<body pos="0 0 {HEIGHT}"><freejoint/>{inertial("0 0 0", 6, ".03 .09 .1")}{legs}'
        "</body></worldbody></mujoco>"
    )


def _peer(solver: str, cone: str) -> Callable[[], float]:
    """A second of MuJoCo; returns the height of the trunk."""
    try:
        import mujoco
    except ImportError:
        raise Unavailable(f"{NAME} is not installed") from None
    model = mujoco.MjModel.from_xml_string(mjcf(solver, cone))
    data = mujoco.MjData(model)

    def run() -> float:
        mujoco.mj_resetData(model, data)
        data.qpos[7:] = np.tile([0, 0.8, -1.6], 4)
        mujoco.mj_step(model, data, STEPS)
        return float(data.qpos[2])

    return run


def _ours(method: str) -> Callable[[], float]:
    made = built()
    step, record = made.integrator(method), made.integrator_record(method)
    assert step is not None
    assert record is not None
    q, rest, zero = start(made), np.zeros(made.nu), np.zeros(record["nz"])
    height = made.coordinates.index("free_z")

    def run() -> float:
        rows = step[0](q, rest, zero, rest, _SETTINGS, STEP, STEPS)
        return float(rows[0][-1, height])

    return run


def _rollouts(threads: int) -> tuple[float, float]:
    """Seconds of many runs of 100 steps by eomc and by MuJoCo."""
    import mujoco
    from mujoco import rollout

    made = built()
    q = np.repeat(start(made)[None], RUNS, 0)
    given: dict[str, Any] = {"step": STEP, "steps": 100, "every": 100, "threads": threads}
    model = mujoco.MjModel.from_xml_string(mjcf("Newton", "elliptic"))
    data = [mujoco.MjData(model) for _ in range(threads)]
    data[0].qpos[7:] = np.tile([0, 0.8, -1.6], 4)
    state = mujoco.mjtState.mjSTATE_FULLPHYSICS
    first = np.empty(mujoco.mj_stateSize(model, state))
    mujoco.mj_getState(model, data[0], first, state)
    best = [np.inf, np.inf]
    for _ in range(3):
        for k, run in enumerate(
            (
                lambda: contact_rollouts(
                    made,
                    q,
                    [np.zeros(made.nu)],
                    method="stewart_trinkle",
                    contacts={"tolerance": 1e-6},
                    **given,
                ),
                lambda: rollout.rollout(model, data, np.repeat(first[None], RUNS, 0), nstep=100),
            )
        ):
            begin = time.perf_counter()
            run()
            best[k] = min(best[k], time.perf_counter() - begin)
    return best[0], best[1]


def section() -> Section:
    """Microseconds a step, and the height of the trunk after a second."""
    runs = {f"eomc, {method}": _ours(method) for method in ("stewart_trinkle",)}
    runs |= {f"{NAME}, {solver}, {cone}": _peer(solver, cone) for solver, cone in SOLVERS}
    best, heights = dict.fromkeys(runs, np.inf), dict.fromkeys(runs, 0.0)
    for _ in range(ROUNDS):
        for name, run in runs.items():
            begin = time.thread_time()
            heights[name] = run()
            best[name] = min(best[name], (time.thread_time() - begin) / STEPS * 1e6)
    own = min(value for name, value in best.items() if name.startswith("eomc"))
    peer = min(value for name, value in best.items() if name.startswith(NAME))
    mine, theirs = _rollouts(2)
    return Section(
        "Steps with contacts",
        "A quadruped of 18 speeds falls on four feet and stands: a second in steps of 2 ms.",
        ("step", "µs", "height after 1 s, m"),
        [(name, f"{best[name]:.2f}", f"{heights[name]:.5f}") for name in runs],
        [{"step": name, "us": best[name], "height": heights[name]} for name in runs],
        [f"{RUNS} runs of 100 steps on two threads take {NAME} {theirs / mine:.1f} times as long"],
        [Target(f"contact: the cheapest step of {NAME} over that of eomc", peer / own, 3.0)],
    )
