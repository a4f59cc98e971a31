"""Motions from rest to rest: a Panda arm, a crane with bounded sway."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.runtime.optimal import OptimalControl, ocp
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.control.subjects import MISSING, compiled

STEP = 0.025


def panda(model: Any = None) -> tuple[OptimalControl, dict[str, float]]:
    """A reach in 1 s; efforts are counted from those that hold the start, which are the guess."""
    model = model or compiled("panda")
    start = np.array([0, -0.785, 0, -2.356, 0, 1.571, 0.785])
    end = start + np.array([0.8, 0.4, -0.5, 0.6, 0.3, -0.4, 0.5])
    holding = dict(zip((f"tau({n})" for n in model.speeds), model.gravity(start), strict=True))
    cost = {name: (1e-3 / STEP, effort) for name, effort in holding.items()}
    cost |= {f"speed({name})": (1e-3 / STEP, 0.0) for name in model.speeds}
    limits = dict.fromkeys(holding, (-87.0, 87.0))
    return ocp(model, 1.0, 40, start, end, cost=cost, bounds=limits), holding


def case_9() -> Iterator[CaseCheck]:
    problem, guess = panda()
    model = problem.model
    for solver in ("riccati", "ipopt", "fatrop"):
        run = problem.solve(guess, solver=solver)
        yield agrees(f"{solver}: cost", 1.361762854174, run.cost, 1e-9, relative=True)
        known = (0.1137378873, -0.6743220411, -0.2590664961, 18.0292612258)
        yield agrees(f"{solver}: first efforts", known, run.tau[0, :4], 1e-7)
        yield at_most(f"{solver}: iterations", float(run.statistics["iterations"]), 12)
        yield at_most(f"{solver}: optimality", run.kkt, 1e-8)
    q, u = run.q[0], run.u[0]
    for tau in run.tau[:-1]:
        q, u = (ends[-1] for ends in model.rk4(q, u, tau, STEP, 1))
    yield agrees("played with the held efforts: end", run.q[-1], q, 1e-10)


def crane(sway: float) -> OptimalControl:
    """5 m in 6 s, the load at rest at both ends."""
    limits = {"tau(slider)": (-400.0, 400.0), "speed(slider)": (-1.2, 1.2), "sway": (-sway, sway)}
    return ocp(
        compiled("crane"), 6.0, 60, [0, 0], [5, 0], controls=["tau(slider)"],
        cost={"tau(slider)": 1e-4}, bounds=limits,
    )  # fmt: skip


def case_12() -> Iterator[CaseCheck]:
    for sway, cost in ((1.0, 2.649620589619), (0.08, 5.256766962841)):
        for solver in ("ipopt", "riccati"):
            run = crane(sway).solve(solver=solver, tolerance=1e-11)
            label = f"sway <= {sway:g}, {solver}"
            yield agrees(f"{label}: cost", cost, run.cost, 1e-8, relative=True)
            yield at_most(f"{label}: sway beyond", np.abs(run["sway"]).max() - sway, 1e-9)
            yield at_most(f"{label}: sway at the end", abs(run["sway"][-1]), 1e-9)
            yield at_most(f"{label}: optimality", run.kkt, 1e-8)
    yield agrees("first force", 343.018721, run.tau[0, 0], 1e-4)
    for nodes, least in ((60, 4.4361066201), (120, 4.4338328308)):
        limits = {"tau(slider)": (-200.0, 200.0), "speed(slider)": (-1.5, 1.5)}
        problem = ocp(
            compiled("crane"), (1.0, 10.0), nodes, [0, 0], [5, 0], controls=["tau(slider)"],
            time_cost=1.0, bounds=limits | {"sway": (-0.15, 0.15)},
        )  # fmt: skip
        run = problem.solve(tolerance=1e-11)
        yield agrees(f"least time, N = {nodes}", least, run.t[-1], 1e-8)


CASES = (
    Case(
        9,
        "a reach of the Panda",
        "optimum on Pinocchio's derivatives",
        "cost, efforts, iterations; played by the integrator",
        case_9,
        provenance="reconstructed",
        slow=True,
        unavailable=MISSING,
    ),
    Case(
        12,
        "a crane with bounded sway",
        "equations by hand in CasADi",
        "cost with and without the bound; least time",
        case_12,
        provenance="reconstructed",
        unavailable=MISSING,
    ),
)
