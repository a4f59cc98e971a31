"""Case of the cost of controllers: 30."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.derive.graph import Graph, constant, nodes, operation_count, symbols
from eomc.runtime.control.task_space.modified_transpose_jacobian import (
    commanded_force,
    remoteness,
)
from eomc.runtime.control.task_space.resolved_acceleration import (
    resolved_acceleration,
    task_dynamics,
)
from eomc.runtime.control.task_space.transpose_jacobian import transpose_jacobian
from eomc.systems.reference.case import Case, Check, agrees, holds

SIZES = (2, 8, 14)
_PRINTED = {
    "TJ": ((12, 8), (192, 176), (588, 560)),
    "MTJ": ((16, 11), (202, 185), (604, 575)),
    "MB1": ((44, 28), (1472, 1312), (6860, 6412)),
}
"""(multiplications, additions) for N of `SIZES`, table 4.1."""


class Arrays:
    """Vectors and matrices of symbols, that the laws of the runtime take as they take numbers."""

    def __init__(self, size: int) -> None:
        self.graph, self.size = Graph(), size

    def vector(self, name: str, size: int | None = None) -> np.ndarray:
        """(n,)"""
        return np.array(symbols(self.graph, name, self.size if size is None else size))

    def matrix(self, name: str) -> np.ndarray:
        """(N, N)"""
        return self.vector(name, self.size**2).reshape(self.size, self.size)

    def counts(self, values: np.ndarray) -> tuple[int, int]:
        """(multiplications and divisions, additions and subtractions) of what leads to `values`."""
        found = operation_count(self.graph, nodes(values.ravel().tolist()))
        return (
            found.get("mul", 0) + found.get("div", 0),
            found.get("add", 0) + found.get("sub", 0),
        )


@cache
def counted(law: str, size: int, *, feedforward: bool = True) -> tuple[int, int]:
    """Operations of the runtime's own law, its equation evaluated with symbols."""
    of = Arrays(size)
    J, Kp, Kd = (of.matrix(name) for name in ("J", "Kp", "Kd"))
    e, e_rate = of.vector("e"), of.vector("e_rate")
    if law == "TJ":
        return of.counts(transpose_jacobian(J, Kp, Kd, e, e_rate))
    if law == "MTJ":
        far = remoteness(*(of.vector(x, 1) for x in ("size", "rate", "e_max", "rate_max")))
        k, stored = of.vector("k", 1), of.vector("stored")
        Q = J.T @ commanded_force(Kp, Kd, e, e_rate, k, stored)
        return of.counts(np.concatenate([far, Q]))
    M, J_inverse, J_rate = (of.matrix(name) for name in ("M", "J_inverse", "J_rate"))
    dynamics = task_dynamics(M, of.vector("c"), J_inverse, J_rate @ of.vector("u"))
    a_d = of.vector("a_d") if feedforward else np.array([constant(of.graph, 0)] * size)
    return of.counts(resolved_acceleration(J, dynamics, Kp, Kd, e, e_rate, a_d))


def formulas(law: str, n: int) -> tuple[int, int]:
    """(multiplications, additions) of table 4.1."""
    return {
        "TJ": (3 * n**2, 3 * n**2 - 2 * n),
        "MTJ": (3 * n**2 + n + 2, 3 * n**2 - n + 1),
        "MB1": (2 * n**3 + 7 * n**2, 2 * n**3 + 5 * n**2 - 4 * n),
    }[law]


def _table() -> Iterator[Check]:
    for law, printed in _PRINTED.items():
        for n, row in zip(SIZES, printed, strict=True):
            yield agrees(f"{law}, N = {n}: formulas and printed numbers", row, formulas(law, n), 0)
            # The table leaves out the N additions of the wanted acceleration.
            got = counted(law, n, feedforward=False)
            yield agrees(f"{law}, N = {n}: multiplications, additions", row, got, 0)
    for n in SIZES:
        _, additions = counted("MB1", n)
        yield agrees(
            f"MB1, N = {n}: additions with the wanted acceleration", formulas("MB1", n)[1] + n,
            additions, 0,
        )  # fmt: skip
    yield from _cheaper()


def _cheaper() -> Iterator[Check]:
    """The same law without M^: Q = M J^-1 (v - J' u) + c."""
    for n in SIZES:
        of = Arrays(n)
        M, J_inverse, J_rate, Kp, Kd = (of.matrix(x) for x in ("M", "Ji", "Jr", "Kp", "Kd"))
        v = Kp @ of.vector("e") + Kd @ of.vector("e_rate") + of.vector("a_d")
        Q = M @ (J_inverse @ (v - J_rate @ of.vector("u"))) + of.vector("c")
        yield holds(
            f"MB1, N = {n}: multiplications without M^", "5 N^2, fewer than the table's",
            str(of.counts(Q)[0]), of.counts(Q)[0] == 5 * n**2 < formulas("MB1", n)[0],
        )  # fmt: skip


CASES = (
    Case(
        30,
        "What the laws cost",
        "table 4.1",
        "the laws' own equations evaluated with symbols on the graph, their operations counted",
        _table,
        note="The inverse of J and J' are given. The additions printed for MB1 are those without a "
        "wanted acceleration, which takes N more. As M (J^-1 (v - J' u)) + c the same law "
        "takes 5 N^2 multiplications and no N^3.",
    ),
)
