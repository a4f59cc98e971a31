"""Optima of the Panda arm: the Riccati recursion in C beside fatrop through CasADi.

    python -m benchmarks --section optimal

One problem (`eomc_published.control.reaches.panda`), one optimum for all; the best of ten, CPU time
of the thread. `arm.casadi` is a graph of CasADi over one compiled function a step.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.contender import Unavailable
from benchmarks.section import Section, Target
from eomc.building import build
from eomc.runtime.optimal import OptimalControl, ocp
from eomc.runtime.predictive import MPC
from eomc_published.control import reaches
from eomc_published.control.subjects import described

ROUNDS = 10


def _best(*contenders: Callable[[], Any]) -> list[float]:
    """Least seconds of each, in turn."""
    found = np.full(len(contenders), np.inf)
    for _ in range(ROUNDS):
        for k, run in enumerate(contenders):
            start = time.thread_time()
            run()
            found[k] = min(found[k], time.thread_time() - start)
    return found.tolist()


def _by_graph(casadi: Any, problem: OptimalControl, guess: dict[str, float]) -> Callable[[], Any]:
    """fatrop on a graph of CasADi that calls forward dynamics once a stage of a step."""
    model, n, h = problem.model, problem.nodes, problem.t_span / problem.nodes
    dynamics = model.casadi("forward_dynamics")
    w, f, g, start, low, high, equality = [], 0, [], [], [], [], []
    tau_0 = casadi.DM([*guess.values()])
    before = None
    for k in range(n + 1):
        x = casadi.MX.sym(f"x{k}", 14)
        if before is not None:
            g.append(x - before)
            equality += [True] * 14
        w.append(x)
        s = k / n
        q = problem.start[:7] * (1 - s) + s * np.array([*problem.target.values()][:7])
        start += [*q, *[0.0] * 7]
        fixed = {0: problem.start, n: np.array([*problem.target.values()])}.get(k)
        low += [-np.inf] * 14 if fixed is None else fixed.tolist()
        high += [np.inf] * 14 if fixed is None else fixed.tolist()
        if k == n:
            break
        tau = casadi.MX.sym(f"tau{k}", 7)
        w.append(tau)
        start += [*guess.values()]
        low += [-87.0] * 7
        high += [87.0] * 7
        f += 1e-3 * (casadi.sumsqr(tau - tau_0) + casadi.sumsqr(x[7:]))
        slopes, y = [], x
        for c in (0.5, 0.5, 1.0, 0.0):
            slopes.append(casadi.vertcat(y[7:], dynamics(y[:7], y[7:], tau)))
            y = x + c * h * slopes[-1]
        before = x + h / 6 * (slopes[0] + 2 * slopes[1] + 2 * slopes[2] + slopes[3])
    options = {"structure_detection": "auto", "equality": equality, "print_time": False}
    options |= {"fatrop.print_level": 0}
    nlp = {"x": casadi.vertcat(*w), "f": f, "g": casadi.vertcat(*g)}
    solver = casadi.nlpsol("reach", "fatrop", nlp, options)
    return lambda: solver(x0=start, lbx=low, ubx=high, lbg=0, ubg=0)


def _tracking(problem: OptimalControl) -> OptimalControl:
    """The same costs with weights of positions: what a controller follows."""
    aims = zip(problem.model.coordinates, problem.start[:7] + 0.1, strict=True)
    cost = {**problem.cost, **{name: (4.0, float(q)) for name, q in aims}}
    start = problem.start[:7]
    return ocp(
        problem.model, problem.t_span, problem.nodes, start, cost=cost, bounds=problem.bounds
    )


def section() -> Section:
    """The table."""
    try:
        import casadi
    except ImportError as reason:
        raise Unavailable("CasADi is not here: pip install 'eomc[casadi]'") from reason

    model = build(described("panda"), march_native=True)
    problem, guess = reaches.panda(model)
    graph = _by_graph(casadi, problem, guess)
    cost = problem.solve(guess, solver="riccati").cost
    if abs(float(graph()["f"]) - cost) > 1e-6 * cost:
        raise ArithmeticError("the optima differ; not timed")
    sample, q = MPC(_tracking(problem)).begin(), problem.start[:7]
    own, through, callbacks, step = _best(
        lambda: problem.solve(guess, solver="riccati"),
        graph,
        lambda: problem.solve(guess, solver="fatrop"),
        lambda: sample(q, 0 * q),
    )
    rows = {
        "`solve(solver='riccati')`": own,
        "`solve(solver='fatrop')`": callbacks,
        "`model.casadi(...)` in a graph, fatrop": through,
        "one real-time iteration of `MPC`": step,
    }
    return Section(
        "Optimal control",
        "`python -m benchmarks --section optimal`: a reach of the Panda arm over 40 Runge-Kutta "
        "steps, whole solves from Python, and one sample of a predictive controller of that "
        "horizon; CPU time, best of ten.",
        ("", "ms", "times the first"),
        [(name, f"{1e3 * t:.2f}", f"{t / own:.1f}") for name, t in rows.items()],
        [{"contender": name, "seconds": t} for name, t in rows.items()],
        targets=[
            Target("Panda reach, model.casadi + fatrop, times eomc", through / own, 8.0),
            Target("real-time iteration of the Panda, 40 nodes, ms", 1e3 * step, 0.5, True),
        ],
    )
