"""Case of the cost of controllers: 30."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.building.graph_operations import GraphOperations
from eomc.derive.graph import Graph, nodes, operation_count, symbols
from eomc.runtime.control.task_space import (
    EulerAngles,
    ModifiedTransposeJacobian,
    Position,
    ResolvedAcceleration,
    Task,
    TransposeJacobian,
)
from eomc.runtime.control.task_space.output import OutputError, TaskOutput
from eomc.runtime.control.task_space.task import TaskState
from eomc.runtime.control.task_space.task_law import Moment, TaskLaw
from eomc.systems.free_flyer import PLANAR, SPATIAL, FreeFlyer
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.moosavian.capture.run import compiled
from eomc_published.moosavian.states import SEED
from eomc_published.moosavian.two_link import arm

SIZES = (2, 8, 14)
_PRINTED = {
    "TJ": ((12, 8), (192, 176), (588, 560)),
    "MTJ": ((16, 11), (202, 185), (604, 575)),
    "MB1": ((44, 28), (1472, 1312), (6860, 6412)),
}
"""(multiplications, additions) for N of `SIZES`, table 4.1."""


@cache
def _task(size: int) -> Task:
    """Of the two-link arm, the planar and the spatial free-flyer: N outputs of N speeds."""
    if size == 2:
        return Task(arm(), [Position("tip", "xy")])
    flyer: FreeFlyer = {8: PLANAR, 14: SPATIAL}[size]
    axes, all_angles = ("xy", ("gamma",)) if flyer.planar else ("xyz", ("alpha", "beta", "gamma"))
    ends = [Position(f"{limb.name}_tip", axes) for limb in flyer.manipulators[:-1]]
    pointing = EulerAngles(f"{flyer.manipulators[-1].name}_tip", all_angles[-2:])
    outputs: list[TaskOutput] = [
        Position("base", axes),
        EulerAngles("base", all_angles),
        *ends,
        pointing,
    ]
    return Task(compiled(flyer), outputs, actuators="all")


def _law(name: str, size: int, kp: Any = 1.0, kd: Any = 1.0) -> TaskLaw:
    """The product's law, to stay where it is."""
    task = _task(size)
    q = np.asarray(task.model.function("neutral")(), dtype=np.float64)
    motions = [part.y for part in task.at(0.0, q, np.zeros(size)).seen]
    if name == "MTJ":
        return ModifiedTransposeJacobian(task, motions, kp, kd, e_max=1.0, rate_max=1.0, period=1.0)
    kind = TransposeJacobian if name == "TJ" else ResolvedAcceleration
    return kind(task, motions, kp, kd)


class GivenSymbols(GraphOperations):
    """Operations on symbols, with what table 4.1 takes for given: J^-1, H, C and norms.

    `beside` has arguments of exponentials, whose operations count with those of the result.
    """

    def __init__(self, size: int) -> None:
        super().__init__(Graph(), {})
        self.size = size
        self.beside: list[Any] = []

    def vector(self, name: str, size: int) -> Any:
        """(size,) symbols"""
        return np.array(symbols(self.graph, name, size))

    def matrix(self, name: str) -> Any:
        """(N, N) symbols"""
        return self.vector(name, self.size**2).reshape(self.size, self.size)

    def elementary(self, function: str, x: Any) -> Any:
        """A symbol for each entry."""
        if function == "exp":
            self.beside += np.ravel(x).tolist()
        return self.vector(f"{function}{len(self.graph.op)}", np.size(x))

    def solve(self, a: Any, b: Any, code: str, told: Any) -> Any:
        """J^-1 b"""
        return self.matrix("inverse") @ b

    def call(self, function: str, **values: Any) -> Any:
        """H a + C; of inverse_dynamics, the one function that a law calls here."""
        assert function == "inverse_dynamics"
        return self.matrix("H") @ values["a"] + self.vector("C", self.size)


def counted(name: str, size: int) -> tuple[int, int]:
    """(multiplications and divisions, additions and subtractions) of the product's own law, its
    `formed` evaluated with symbols for state, gains and errors.
    """
    by, law = GivenSymbols(size), _law(name, size)
    law.kp, law.kd = by.matrix("Kp"), by.matrix("Kd")
    u, e, rate, wanted = (by.vector(x, size) for x in ("u", "e", "e_rate", "a_d"))
    state = TaskState((), by.matrix("J"), by.matrix("J_rate") @ u)
    if name == "MTJ":
        law.e_max, law.rate_max = by.vector("e_max", 1), by.vector("rate_max", 1)  # type: ignore[attr-defined]
    moment = Moment(u, u, state, OutputError(e, rate, wanted), {})
    _, Q = law.formed(by, moment, by.vector("stored", size))
    found = operation_count(by.graph, nodes([*by.beside, *Q.tolist()]))
    return (found.get("mul", 0) + found.get("div", 0), found.get("add", 0) + found.get("sub", 0))


def _table() -> Iterator[CaseCheck]:
    for law, printed in _PRINTED.items():
        for n, row in zip(SIZES, printed, strict=True):
            got = counted(law, n)
            if law != "MB1":
                yield agrees(f"{law}, N = {n}: multiplications, additions", row, got, 0)
                continue
            for what, most, found in zip(("multiplications", "additions"), row, got, strict=True):
                yield at_most(f"MB1, N = {n}: {what}, printed as a bound", found, most)
            own = (5 * n**2, 5 * n**2 - n)
            yield agrees(f"MB1, N = {n}: 5 N^2 multiplications, 5 N^2 - N additions", own, got, 0)
    for n in SIZES:
        yield _same_forces(n)


def _same_forces(n: int) -> CaseCheck:
    """The law as (4.10) to (4.16) have it, with H^ and C^, at a random state."""
    rng, task = np.random.default_rng(SEED), _task(n)
    model = task.model
    q = np.asarray(model.random_configuration(rng))
    u = rng.uniform(-1, 1, n)
    kp, kd = np.diag(rng.uniform(1, 9, n)), np.diag(rng.uniform(1, 9, n))
    law = _law("MB1", n, kp, kd)
    state, (e, e_rate, wanted) = law.look(0.0, q, u)
    zero = np.zeros(n)
    c = model.inverse_dynamics(q, u, zero)
    H = np.column_stack([model.inverse_dynamics(q, zero, axis) for axis in np.eye(n)])
    inverse = np.linalg.inv(state.jacobian)
    H_task = inverse.T @ H @ inverse
    c_task = inverse.T @ c - H_task @ state.drift
    Q = state.jacobian.T @ (H_task @ (wanted + kd @ e_rate + kp @ e) + c_task)
    return agrees(
        f"MB1, N = {n}: Q and J_c^T (H^ v + C^) [N, N m]",
        Q,
        law.torque(0.0, q, u),
        1e-10,
        relative=True,
    )


CASES = (
    Case(
        30,
        "What the laws cost",
        "table 4.1",
        "formed() of the laws evaluated with symbols on the graph, its operations counted; forces "
        "of MB1 against (4.10) to (4.16) in numbers",
        _table,
        note="J^-1, J' and the norms of errors are given, as in the table. TJ and MTJ take what it "
        "prints. The law of eomc evaluates MB1 as H (J^-1 (v - J' q')) + C: the same forces from "
        "5 N^2 multiplications, without H^ and its N^3, so that the printed numbers of MB1 are a "
        "bound here. They leave out N additions of the wanted acceleration.",
    ),
)
