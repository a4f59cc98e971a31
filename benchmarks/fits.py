"""Jacobians of fits: sensitivities in the steps beside forward differences of rollouts.

python -m benchmarks --section fit
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.cases import panda
from benchmarks.contender import Unavailable
from benchmarks.mechanism import Mechanism, mechanism
from benchmarks.mujoco_peer import mjcf
from benchmarks.section import Section, Target
from benchmarks.tunable import arm
from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.dynamics.regressor import INERTIAL
from eomc.derive.model import Model
from eomc.runtime.fit import Run
from eomc.runtime.fit.fit import prepared
from eomc.runtime.fit.problem import Problem

SAMPLES, INTERVAL, SUBSTEPS = 401, 0.01, 4
ROUNDS = 9
NUMBERS = tuple(f"link{k}.{entry}" for k in reversed(range(7)) for entry in INERTIAL)
"""Of the bodies, from the hand to the base: mass, first moment and inertia."""


def _problem(model: Model, free: Sequence[str]) -> Problem:
    """Recorded torques and angles of an arm, with free numbers."""
    made = build(model)
    t = INTERVAL * np.arange(SAMPLES)
    channels: dict[str, Any] = {"t": t}
    for k, name in enumerate(made.speeds):
        channels[f"tau({name})"] = np.sin((1 + 0.3 * k) * t)
        channels[made.coordinates[k]] = np.zeros(SAMPLES)
    run = Run(channels, q=dict.fromkeys(made.coordinates, 0.3), u=dict.fromkeys(made.speeds, 0.0))
    return prepared(made, run, free, sigma=1e-3, substeps=SUBSTEPS)


def _differences(problem: Problem, theta: Array) -> Array:
    """Forward differences of the residuals."""
    first = problem.residuals(theta)
    columns = []
    for k, value in enumerate(theta):
        moved = theta.copy()
        moved[k] += 1e-7 * max(abs(value), 1e-3)
        columns.append((problem.residuals(moved) - first) / (moved[k] - value))
    return np.stack(columns, axis=1)


def _peer(numbers: Mechanism) -> Callable[[], None]:
    """A rollout of MuJoCo's steps of the same method; raises Unavailable without it."""
    try:
        import mujoco
        from mujoco import rollout
    except ImportError:
        raise Unavailable("install the package mujoco for MuJoCo") from None
    model = mujoco.MjModel.from_xml_string(mjcf(numbers))
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = INTERVAL / SUBSTEPS
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data, state = mujoco.MjData(model), mujoco.mjtState.mjSTATE_FULLPHYSICS
    data.qpos[:] = 0.3
    first = np.empty(mujoco.mj_stateSize(model, state))
    mujoco.mj_getState(model, data, first, state)
    steps = (SAMPLES - 1) * SUBSTEPS
    return lambda: rollout.rollout(model, [data], first[None], nstep=steps)


def _least(runs: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Thread seconds of the fastest of interleaved rounds."""
    best = dict.fromkeys(runs, np.inf)
    for _ in range(ROUNDS):
        for name, run in runs.items():
            begin = time.thread_time()
            run()
            best[name] = min(best[name], time.thread_time() - begin)
    return best


def section() -> Section:
    """Milliseconds of Jacobians and rollouts of the Panda arm, 4 s in 1600 steps."""
    numbers = mechanism(panda())
    rows, figures, targets = [], list[dict[str, Any]](), list[Target]()
    peer = _peer(numbers)
    for count, own, other in ((10, 3, 10), (43, 8, 30)):
        free = NUMBERS[:count]
        problem = _problem(arm(numbers, (), damping=5.0), free)
        theta = problem.unknowns.start()
        J, D = problem.jacobian(theta), _differences(problem, theta)
        error = float(np.abs(J - D).max() / np.abs(J).max())
        if not error < 1e-4:
            raise ArithmeticError(f"{count} parameters: differences are off by {error:.1e}")
        runs: dict[str, Callable[[], object]] = {
            "rollout": lambda p=problem, x=theta: p.residuals(x),  # type: ignore[misc]
            "jacobian": lambda p=problem, x=theta: p.jacobian(x),  # type: ignore[misc]
            "peer": peer,
        }
        best = _least(runs)
        differences = (count + 1) * best["rollout"] / best["jacobian"]
        beside = (count + 1) * best["peer"] / best["jacobian"]
        cost = best["jacobian"] / best["rollout"]
        figures.append({"parameters": count, **best})
        rows.append(
            (
                str(count),
                *(f"{1e3 * best[name]:.2f}" for name in runs),
                f"{cost:.2f}",
                f"{differences:.1f}",
                f"{beside:.0f}",
            )
        )
        targets += [
            Target(f"fit: differences over sensitivities, {count} parameters", differences, own),
            Target(f"fit: MuJoCo's differences, {count} parameters", beside, other),
        ]
    head = ("parameters", "rollout, ms", "Jacobian, ms", "MuJoCo's rollout, ms")
    return Section(
        "Jacobians of fits",
        "Derivatives of the angles of the Panda arm by numbers of its bodies along 4 s, 1600 steps "
        "of the classical Runge-Kutta method. Forward differences take a rollout for each number "
        "and one more.",
        (*head, "rollouts a Jacobian", "differences / Jacobian", "MuJoCo's / Jacobian"),
        rows,
        figures,
        targets=targets,
    )
