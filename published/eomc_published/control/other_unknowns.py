"""Unknowns other than states of trees: attitudes, closed loops, a length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.runtime.optimal import OptimalControl, OptimalRun, ocp
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.control.subjects import MISSING, compiled


def quadcopter() -> OptimalControl:
    """1 m, 0.5 m, 0.3 m and 120 deg about the vertical in 1.5 s, at rest at both ends."""
    model = compiled("quad")
    cost: dict[str, Any] = {"thrust": (0.1, 9.81), "mx": 1.0, "my": 1.0, "mz": 1.0}
    cost |= {f"speed({name})": 0.01 for name in model.speeds}
    bounds = {"thrust": (0.0, 20.0), "mx": (-0.3, 0.3), "my": (-0.3, 0.3), "mz": (-0.05, 0.05)}
    end = [1, 0.5, 0.3, 0.5, 0, 0, np.sin(np.pi / 3)]
    return ocp(model, 1.5, 40, [0, 0, 0, 1, 0, 0, 0], end, cost=cost, bounds=bounds)


def case_11() -> Iterator[CaseCheck]:
    run = quadcopter().solve({"thrust": 9.81}, solver="ipopt", tolerance=1e-12)
    # IPOPT on expressions of CasADi written by hand, 13 raw states, rotations by q / |q| at the
    # stages. With rotations by q as it stands there, it is 0.285292337741.
    yield agrees("cost", 0.28529051776, run.cost, 1e-8)
    yield agrees("first controls", (10.9441282, -0.00083100, 0.1703784, 0.05), run.r[0], 1e-6)
    turn = [0.5, 0, 0, np.sin(np.pi / 3)]
    yield agrees("attitude at the end", turn, run.q[-1, 3:], 1e-10)
    bound = int(np.sum(np.abs(np.abs(run.r[:-1, 3]) - 0.05) < 1e-6))
    yield agrees("intervals where mz is at its bound", 39, bound, 0)
    names = [name for name in run.coordinates if name.startswith("turn_q")]
    turned = {name: -run[name] for name in names}
    again = quadcopter().solve({"thrust": 9.81, **turned}, solver="ipopt", tolerance=1e-12)
    yield agrees("from the negative quaternions: cost", run.cost, again.cost, 1e-10)


def four_bar(nodes: int, **more: Any) -> OptimalControl:
    """The crank from 0 to 1 rad in 0.5 s."""
    given: dict[str, Any] = {"target": {"drive": 1.0, "speed(drive)": 0.0}, **more}
    return ocp(
        compiled("four_bar"), 0.5, nodes, {"drive": 0.0}, controls=["tau(drive)"],
        cost={"tau(drive)": 1.0}, parameters={"k": 4.0}, independent=["drive"], **given,
    )  # fmt: skip


def case_14() -> Iterator[CaseCheck]:
    known = {20: (1.646142605280, 4.1719480176), 40: (1.643502751149, 4.3382972226)}
    for nodes, (cost, first) in known.items():
        run = four_bar(nodes).solve(solver="ipopt")
        yield agrees(f"N = {nodes}: cost", cost, run.cost, 1e-8, relative=True)
        yield agrees(f"N = {nodes}: first torque", first, run.tau[0, 0], 1e-6)
        gap = np.abs(compiled("four_bar").constraint_residual(run.q)).max()
        yield at_most(f"N = {nodes}: gap of the loop", gap, 1e-12)
    full = dict(zip(run.coordinates, run.q[-1].tolist(), strict=True))
    try:
        label = repr(four_bar(20, target=full))
    except ValueError as error:
        label = str(error)
    refused = "crank_pin" in label and "independent" in label
    yield holds("all coordinates fixed at the end", "refused by name", label, refused)


def half_swing(weight: float, nodes: int, limits: tuple[float, float] = (0.05, 1.0)) -> OptimalRun:
    """From -1 to +1 rad in 1 s, with the length to be found; w (l - 0.5)^2 is added."""
    problem = ocp(
        compiled("hanging"), 1.0, nodes, [-1], [1], cost={"tau(hinge)": 1.0},
        final_cost={"l": (weight, 0.5)}, free={"l": limits},
    )  # fmt: skip
    return problem.solve({"l": 0.6}, solver="ipopt")


def case_15() -> Iterator[CaseCheck]:
    known = {
        (5.0, 20): (0.8225574410, 0.608923464975),
        (5.0, 40): (0.8224822994, 0.608811833067),
        (0.0, 40): (0.8741426392, 0.0),
        (0.0, 80): (0.8741430982, 0.0),
    }
    for (weight, nodes), (length, cost) in known.items():
        run = half_swing(weight, nodes)
        yield agrees(f"w = {weight:g}, N = {nodes}: length", length, run.parameters["l"], 1e-8)
        yield agrees(f"w = {weight:g}, N = {nodes}: cost", cost, run.cost, 1e-8)
    closed = 0.8741431288775959  # g T^2 / (4 K(sin^2 1/2)) with g = 9.81
    yield agrees("closed form, w = 0", closed, run.parameters["l"], 1e-7)
    apart = half_swing(5.01, 40).cost - half_swing(4.99, 40).cost
    slope = (0.8224822994 - 0.5) ** 2
    yield agrees("d cost / d w", slope, apart / 0.02, 1e-6)


CASES = (
    Case(
        11,
        "a quadcopter that moves and turns",
        "equations by hand in CasADi",
        "attitudes as three unknowns; cost, controls, sign of the quaternion",
        case_11,
        provenance="reconstructed",
        slow=True,
        unavailable=MISSING,
    ),
    Case(
        14,
        "a four-bar linkage from rest to rest",
        "equations by hand in CasADi, in the crank alone",
        "cost and first torque; the loop stays closed",
        case_14,
        provenance="reconstructed",
        slow=True,
        unavailable=MISSING,
    ),
    Case(
        15,
        "the length of a pendulum as an unknown",
        "closed form; a search over the length around the problem",
        "length, cost, and its derivative by a weight",
        case_15,
        provenance="reconstructed",
        unavailable=MISSING,
    ),
)
