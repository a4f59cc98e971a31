"""Problems whose optima are known in closed form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.runtime.equilibria import equilibrium
from eomc.runtime.linearization.discretization import zero_order_hold
from eomc.runtime.optimal import JoinedPhases, OptimalControl, ocp
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.control.subjects import MISSING, compiled


def bryson_denham(limit: float, nodes: int, transcription: str = "shooting") -> OptimalControl:
    """x'' = v from (0, 1) to (0, -1) in 1 s, x <= limit, least int v^2 / 2."""
    return ocp(
        compiled("slide"), 1.0, nodes, {"speed(x)": 1.0}, {"x": 0.0, "speed(x)": -1.0},
        cost={"tau(x)": 0.5}, bounds={"x": (-10.0, limit)},
        transcription=transcription,
    )  # fmt: skip


def case_8() -> Iterator[CaseCheck]:
    held = {(1 / 9, 45): 4.004454342984, (1 / 9, 90): 4.001111728738, (0.2, 90): 2.240118577075}
    for (limit, nodes), cost in held.items():
        for solver in ("riccati", "ipopt"):
            run = bryson_denham(limit, nodes).solve(solver=solver, tolerance=1e-11)
            label = f"x <= {limit:.4g}, N = {nodes}, v held, {solver}"
            yield agrees(f"{label}: cost", cost, run.cost, 1e-8)
    closed = 4 / (9 * (1 / 9))
    errors = [bryson_denham(1 / 9, n).solve(solver="ipopt").cost - closed for n in (45, 90)]
    yield at_most("closed form 4 at N = 90", abs(errors[1]), 2e-3)
    yield agrees("the error falls with h^2: ratio", 4.0, errors[0] / errors[1], 0.05)
    exact = {(1 / 9, 45): 4.0, (1 / 9, 90): 4.0, (0.2, 90): 2.24}
    for (limit, nodes), cost in exact.items():
        run = bryson_denham(limit, nodes, "hermite-simpson").solve(tolerance=1e-11)
        yield agrees(f"x <= {limit:.4g}, N = {nodes}, collocation: cost", cost, run.cost, 1e-8)
    free = bryson_denham(1.0, 90).solve(solver="fatrop").cost
    yield agrees("no bound reached: 2 + O(h^2)", 2.0, free, 1e-3)


def fastest(nodes: int, start: Any, target: Any, **more: Any) -> OptimalControl:
    """A mass of 1 kg on a line, |force| <= 1 N, in least time."""
    bounds = {"tau(x)": (-1.0, 1.0), **more}
    span = (0.1, 10.0)
    return ocp(compiled("slide"), span, nodes, start, target, time_cost=1.0, bounds=bounds)


def case_6() -> Iterator[CaseCheck]:
    speedy = {"x": 1.0, "speed(x)": 1.0}
    slow = {"speed(x)": (-0.5, 0.5)}
    for what, problem, known, near in (
        ("rest to rest, N = 40", fastest(40, [0], [1]), 2.0, 1e-9),
        ("rest to rest, N = 41", fastest(41, [0], [1]), 2.00059514955, 1e-8),
        ("bounded speed, N = 40", fastest(40, [0], [1], **slow), 2.5, 1e-9),
        ("bounded speed, N = 41", fastest(41, [0], [1], **slow), 2.5011735926, 1e-8),
        ("from (1, 1), N = 100", fastest(100, speedy, [0]), 3.4497326154, 1e-8),
        ("from (1, 1), N = 400", fastest(400, speedy, [0]), 3.4494909581, 1e-8),
    ):
        run = problem.solve(solver="ipopt", tolerance=1e-12)
        yield agrees(f"{what}: T", known, run.t[-1], near)
        yield at_most(f"{what}: optimality", run.kkt, 1e-8)


def case_13() -> Iterator[CaseCheck]:
    model, guess = compiled("two_masses"), {"T": 4.5}
    for nodes, known in ((50, 4.218630775), (100, 4.218191085), (200, 4.217979613)):
        problem = ocp(
            model, (3.0, 6.0), nodes, [0, 0], [1, 0], controls=["tau(x)"], time_cost=1.0,
            bounds={"tau(x)": (-1.0, 1.0)},
        )  # fmt: skip
        run = problem.solve(guess, solver="ipopt", tolerance=1e-12)
        yield agrees(f"least time, N = {nodes}: T", known, run.t[-1], 1e-8)
    problem = ocp(model, 5.0, 200, [0, 0], [1, 0], controls=["tau(x)"], cost={"tau(x)": 1.0})
    yield agrees("least effort, N = 200", 0.594695714343, problem.solve().cost, 1e-7)
    yield from _flexible()


def _flexible() -> Iterator[CaseCheck]:
    """e^2 w^T W^-1 w of a small turn, W the discrete Gramian of the linear model; bending in the
    vertical plane, where the arm sags by its weight, does not answer to the turn. Of a turn of
    1e-3 the effort is 3e-4 larger: the error goes with the square."""
    model, angle, nodes, span = compiled("flexible_arm"), 1e-4, 400, 0.5
    sag = equilibrium(model, fixed=["turn"]).q
    names = [*model.coordinates, *(f"speed({name})" for name in model.speeds)]
    rest = dict(zip(names, [*sag, *np.zeros(model.nu)], strict=True))
    kept = [k for k, name in enumerate(names) if "z1" not in name]
    end = {names[k]: rest[names[k]] for k in kept} | {"turn": rest["turn"] + angle}
    problem = ocp(model, span, nodes, rest, end, controls=["tau(turn)"], cost={"tau(turn)": 1e6})
    run = problem.solve(solver="ipopt")
    zero = np.zeros(model.nu)
    a, b = (np.asarray(part) for part in model.state_space(sag, zero, zero)[:2])
    moved, pushed = zero_order_hold(a, b[:, :1], span / nodes)
    gramian, column = np.zeros(a.shape), pushed
    for _ in range(nodes):
        gramian, column = gramian + column @ column.T, moved @ column
    far = np.eye(len(a))[kept][:, 0] * angle
    least = span / nodes * far @ np.linalg.solve(gramian[np.ix_(kept, kept)], far)
    yield agrees(
        "turn of a flexible arm: effort by the Gramian", 1.0, 1e-6 * run.cost / least, 1e-5
    )


def case_16() -> Iterator[CaseCheck]:
    model, effort = compiled("slide"), {"tau(x)": 0.5}
    for counts, known in (((30, 70), 19.072848532238), ((60, 140), 19.066073175883)):
        first = ocp(model, 0.3, counts[0], [0], {"x": 0.5}, cost=effort)
        second = ocp(model, 0.7, counts[1], None, [1], cost=effort)
        runs = JoinedPhases([first, second]).solve(tolerance=1e-11)
        yield agrees(f"N = {counts[0]} + {counts[1]}: cost", known, runs[0].cost, 1e-9)
        yield agrees("speeds of both where they meet", runs[0].u[-1], runs[1].u[0], 1e-10)
    free, method = (0.1, 0.9), "hermite-simpson"
    first = ocp(model, free, 40, [0], {"x": 0.4}, cost=effort, transcription=method)
    second = ocp(model, free, 60, None, [1], cost=effort, transcription=method)
    runs = JoinedPhases([first, second], t_span=1.0).solve(tolerance=1e-11)
    yield agrees("free passage: cost", 6.0, runs[0].cost, 1e-9)
    yield agrees("free passage: time", 0.4329310771477318, runs[0].t[-1], 1e-6)


CASES = (
    Case(
        6,
        "a mass on a line in least time",
        "closed form; exact optima of the held force",
        "free final time",
        case_6,
        unavailable=MISSING,
    ),
    Case(
        13,
        "flexible bodies from rest to rest",
        "Pao 1996; switches from two equations, Gramians by matrix exponentials",
        "least time and least effort of two masses; effort of a small turn of a flexible arm",
        case_13,
        provenance="reconstructed",
        slow=True,
        unavailable=MISSING,
    ),
    Case(
        16,
        "two phases that meet at a point",
        "clamped cubics; exact optima of the held force",
        "cost with fixed durations, and time of passage where it is free",
        case_16,
        unavailable=MISSING,
    ),
    Case(
        8,
        "Bryson and Denham's problem of a bounded state",
        "Bryson and Ho, Applied Optimal Control (1975), sec. 3.11",
        "closed form, and the exact optima with controls held",
        case_8,
        unavailable=MISSING,
    ),
)
