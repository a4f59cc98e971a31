"""Swing-ups of least effort: cart-pole, acrobot, Furuta's pendulum."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.runtime.optimal import OptimalControl, ocp
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.control.subjects import MISSING, compiled


def cart_pole(nodes: int, transcription: str = "shooting") -> OptimalControl:
    """From hanging to upright, 1 m aside, in 2 s."""
    limits = {"slider": (-2.0, 2.0), "tau(slider)": (-20.0, 20.0)}
    return ocp(
        compiled("cart_pole"), 2.0, nodes, [0, 0], [1, np.pi], controls=["tau(slider)"],
        cost={"tau(slider)": 1.0}, bounds=limits, transcription=transcription,
    )  # fmt: skip


def case_5() -> Iterator[CaseCheck]:
    known = {40: (59.3171796417, 3.322112382), 100: (58.8883359879, 2.421930751)}
    for nodes, (cost, force) in known.items():
        for solver in ("riccati", "ipopt", "fatrop"):
            run = cart_pole(nodes).solve(solver=solver)
            yield agrees(f"N = {nodes}, {solver}: cost", cost, run.cost, 1e-8)
            yield agrees(f"N = {nodes}, {solver}: first force", force, run.tau[0, 0], 1e-7)
            yield at_most(f"N = {nodes}, {solver}: optimality", run.kkt, 1e-8)
    collocated = {
        ("trapezoid", 40): 59.325535993937,
        ("trapezoid", 100): 58.896710155904,
        ("hermite-simpson", 40): 58.807575897486,
        ("hermite-simpson", 100): 58.807666091950,
    }
    for (name, nodes), cost in collocated.items():
        run = cart_pole(nodes, name).solve()
        yield agrees(f"N = {nodes}, {name}: cost", cost, run.cost, 1e-8, relative=True)
        said = f"N = {nodes}" in run.transcription and "collocation" in run.transcription
        yield holds(f"N = {nodes}, {name}: its text", "method and N", run.transcription, said)
    # Of fifth order in the step, with another quadrature: the same limit, computed by another way.
    run = cart_pole(100, "radau").solve()
    yield agrees("N = 100, radau: near Hermite-Simpson", 58.80767, run.cost, 1e-4)


def case_10() -> Iterator[CaseCheck]:
    s = np.linspace(0, 1, 101)
    guess = {
        "shoulder": np.pi * s,
        "elbow": 1.5 * np.sin(2 * np.pi * s),
        "speed(shoulder)": np.full(101, np.pi / 4),
    }
    problem = ocp(
        compiled("acrobot"), 4.0, 100, [0, 0], [np.pi, 0], controls=["tau(elbow)"],
        cost={"tau(elbow)": 1.0}, bounds={"tau(elbow)": (-15.0, 15.0)},
    )  # fmt: skip
    run = problem.solve(guess, solver="fatrop")
    yield agrees("acrobot: cost", 73.681748631552, run.cost, 1e-8, relative=True)
    yield agrees("acrobot: first torque", -3.64127921, run.tau[0, 1], 1e-6)
    known = {50: (0.217350631462, -0.3409633639), 100: (0.215530007062, -0.1924047141)}
    for nodes, (cost, current) in known.items():
        motor, swing = compiled("furuta").coordinates
        problem = ocp(
            compiled("furuta"), 1.0, nodes, {swing: np.pi}, [0, 0], cost={"current": 1.0},
            bounds={"current": (-2.0, 2.0), motor: (-1.5, 1.5)},
        )  # fmt: skip
        for solver in ("riccati", "ipopt"):
            run, label = problem.solve(solver=solver), f"Furuta, N = {nodes}, {solver}"
            yield agrees(f"{label}: cost", cost, run.cost, 1e-8, relative=True)
            yield agrees(f"{label}: first current", current, run.r[0, 0], 1e-6)


CASES = (
    Case(
        5,
        "swing-up of a cart-pole",
        "Kelly, SIAM Review 59 (2017); optimum recomputed",
        "shooting by three solvers, trapezoid and Hermite-Simpson; SLSQP by single shooting agrees",
        case_5,
        provenance="reconstructed",
        unavailable=MISSING,
    ),
    Case(
        10,
        "swing-up of an acrobot and of Furuta's pendulum",
        "equations by hand in CasADi",
        "cost and first control",
        case_10,
        provenance="reconstructed",
        slow=True,
        unavailable=MISSING,
    ),
)
