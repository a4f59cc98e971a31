"""An optimal run: a motion to follow, a point that satisfies the conditions of optimality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from eomc.runtime import simulate
from eomc.runtime.control import ComputedTorque
from eomc.runtime.optimal import OptimalControl, ocp
from eomc.runtime.optimal.solution import kkt
from eomc.runtime.optimal.solvers import SOLVERS
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.control.closed_forms import fastest
from eomc_published.control.other_unknowns import four_bar
from eomc_published.control.subjects import MISSING, compiled


def swing() -> OptimalControl:
    """An acrobot with motors in both joints, from hanging to (1, 0.5) rad in 1 s."""
    model = compiled("acrobot")
    cost = {f"tau({name})": 1.0 for name in model.speeds}
    return ocp(model, 1.0, 40, [0, 0], [1, 0.5], cost=cost)


def case_17() -> Iterator[CaseCheck]:
    model, run = compiled("acrobot"), swing().solve()
    q, u = run.q[0], run.u[0]
    for tau in run.tau[:-1]:
        part = simulate(model, q=q, u=u, t_span=0.025, tau=tau, method="rk4", step=0.025)
        q, u = part.q[-1], part.u[-1]
    yield agrees("played with the held torques: end", [*run.q[-1], *run.u[-1]], [*q, *u], 1e-10)
    law = ComputedTorque(model, run.motion, 400.0)
    followed = simulate(model, q=run.q[0], t_span=1.0, controller=law, method="rk4", step=0.0025)
    yield agrees("computed torque: end", run.q[-1], followed.q[-1], 2e-3)
    led = simulate(
        model, q=run.q[0] + 1e-3, t_span=1.0, method="rk4", step=0.025,
        controller=run.feedback([100, 100, 1, 1], [0.01, 0.01]),
    )  # fmt: skip
    yield at_most("regulator from 1e-3 aside: end", np.abs(led.q[-1] - run.q[-1]).max(), 2e-4)


def case_18() -> Iterator[CaseCheck]:
    problem = swing()
    program, guess = problem.program, problem.guess()
    for name, solver in SOLVERS.items():
        found = solver(program, problem.phase, guess, 1e-10, 500)
        yield at_most(f"{name}: optimality", kkt(program, found), 1e-8)
        moved = found.w + 1e-4 * np.random.default_rng(1).normal(size=len(found.w))
        far = kkt(program, replace(found, w=moved))
        yield at_most(f"{name}: moved by 1e-4, one by its optimality", 1e-6 / far, 1.0)


def case_19() -> Iterator[CaseCheck]:
    run = fastest(40, [0], [1]).solve(solver="scipy")
    yield agrees("SciPy, least time of a mass on a line", 2.0, run.t[-1], 1e-6)
    run = four_bar(20).solve(solver="scipy")
    yield agrees("SciPy, four-bar linkage", 1.646142605280, run.cost, 1e-6)


CASES = (
    Case(
        17,
        "an optimal run is a motion",
        "Anderson and Moore 1990",
        "played, followed by computed torque, held by its regulator",
        case_17,
        provenance="reconstructed",
        unavailable=MISSING,
    ),
    Case(
        18,
        "conditions of optimality, recomputed",
        "Betts 2010, ch. 1",
        "at most 1e-8 of every solver, and more than 1e-6 nearby",
        case_18,
        provenance="reconstructed",
        unavailable=MISSING,
    ),
    Case(
        19,
        "SciPy without CasADi",
        "closed form; equations by hand",
        "least time of a mass on a line, effort of a four-bar linkage",
        case_19,
        provenance="reconstructed",
        slow=True,
    ),
)
