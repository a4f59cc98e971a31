"""Problems whose optima are known in closed form."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.runtime.optimal import OptimalControl, ocp
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.control.subjects import MISSING, compiled


def bryson_denham(limit: float, nodes: int) -> OptimalControl:
    """x'' = v from (0, 1) to (0, -1) in 1 s, x <= limit, least int v^2 / 2."""
    return ocp(
        compiled("slide"), 1.0, nodes, {"speed(x)": 1.0}, {"x": 0.0, "speed(x)": -1.0},
        cost={"tau(x)": 0.5}, bounds={"x": (-10.0, limit)},
    )  # fmt: skip


def case_8() -> Iterator[CaseCheck]:
    held = {(1 / 9, 45): 4.004454342984, (1 / 9, 90): 4.001111728738, (0.2, 90): 2.240118577075}
    for (limit, nodes), cost in held.items():
        for solver in ("riccati", "ipopt"):
            run = bryson_denham(limit, nodes).solve(solver=solver, tolerance=1e-11)
            told = f"x <= {limit:.4g}, N = {nodes}, v held, {solver}"
            yield agrees(f"{told}: cost", cost, run.cost, 1e-8)
    closed = 4 / (9 * (1 / 9))
    errors = [bryson_denham(1 / 9, n).solve(solver="ipopt").cost - closed for n in (45, 90)]
    yield at_most("closed form 4 at N = 90", abs(errors[1]), 2e-3)
    yield agrees("the error falls with h^2: ratio", 4.0, errors[0] / errors[1], 0.05)
    free = bryson_denham(1.0, 90).solve(solver="fatrop").cost
    yield agrees("no bound reached: 2 + O(h^2)", 2.0, free, 1e-3)


CASES = (
    Case(
        8,
        "Bryson and Denham's problem of a bounded state",
        "Bryson and Ho, Applied Optimal Control (1975), sec. 3.11",
        "closed form, and the exact optima with controls held",
        case_8,
        unavailable=MISSING,
    ),
)
