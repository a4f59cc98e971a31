"""Phases that meet: problems one after the other, solved as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.blocks import DifferencedBlock, LinearBlock, NonlinearProgram
from eomc.runtime.optimal.coordinates import QuaternionCoordinates
from eomc.runtime.optimal.phase import Phase
from eomc.runtime.optimal.problem import OptimalControl, as_guess
from eomc.runtime.optimal.solution import OptimalRun
from eomc.runtime.optimal.solvers import solve_phases

Reset = Callable[[Array, Array], tuple[Array, Array]]
"""(q, u) of the next phase from those of the phase before, arrays over (..., nq) and (..., nu)."""


class JoinedPhases:
    """Problems of `eomc.ocp` one after the other; `solve` finds their optimal runs.

    Parameters
    ----------
    phases : problems; all but the first start from the end of the one before
        Their own ``start`` is the guess; give None or mappings to None or to bounds.
    resets : for each joint between phases a function (q, u) -> (q, u), or None
        Such as an impact, or a load that is dropped. Without one, states of equal names are equal
        on both sides.
    t_span : duration of all phases [s] where theirs are free

    Raises ValueError that names the phase.

    >>> import eomc
    >>> model = eomc.Model("slide", gravity=(0, 0, 0))
    >>> model.body("block", mass=1.0)
    >>> model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    >>> cost = {"tau(x)": 0.5}
    >>> there = eomc.ocp(model, 0.3, 30, [0], {"x": 0.5}, cost=cost)
    >>> rest = eomc.ocp(model, 0.7, 70, None, [1], cost=cost)
    >>> runs = JoinedPhases([there, rest]).solve()
    >>> round(runs[0].cost, 6)
    19.072849
    """

    def __init__(
        self,
        phases: Sequence[OptimalControl],
        resets: Sequence[Reset | None] | None = None,
        t_span: float | None = None,
    ) -> None:
        if not phases:
            raise ValueError("JoinedPhases: give at least one problem")
        self.problems = list(phases)
        links = list(resets) if resets is not None else [None] * (len(phases) - 1)
        if len(links) != len(phases) - 1:
            raise ValueError(
                f"JoinedPhases: {len(links)} resets between {len(phases)} phases; give one for "
                "each joint, or None"
            )
        self.program = NonlinearProgram()
        self.phases = [Phase(problem, self.program) for problem in phases]
        for k, reset in enumerate(links):
            self._link(k, reset)
        if t_span is not None:
            self._whole(t_span)
        self.program.close()

    def _link(self, k: int, reset: Reset | None) -> None:
        before, after = self.phases[k], self.phases[k + 1]
        for phase in (before, after):
            if isinstance(phase.coordinates, QuaternionCoordinates):
                raise ValueError(
                    f"JoinedPhases: phase {k} meets the next with quaternions, which have no "
                    "difference entry by entry; use joints with one coordinate for each speed"
                )
        own, other = before.problem.names.states, after.problem.names.states
        if reset is None:
            shared = [name for name in other if name in own]
            if not shared:
                raise ValueError(
                    f"JoinedPhases: phases {k} and {k + 1} have no state in common; give a reset"
                )
            pairs = np.stack([before.x_at[-1, [own.index(n) for n in shared]],
                              after.x_at[0, [other.index(n) for n in shared]]], axis=1)  # fmt: skip
            rows = self.program.more_rows(0, 0, (len(shared), 1), np.zeros(len(shared)))
            self.program.blocks.append(LinearBlock(rows, pairs, [[-1.0, 1.0]]))
            return
        end, first = np.array([before.count - 1]), np.array([0])

        def apart(z: Array) -> Array:
            at = np.repeat(end, len(z))
            q, u = reset(*before.coordinates.full(z[:, : before.nx], at))
            x = after.coordinates.reduced(np.asarray(q), np.asarray(u), np.repeat(first, len(z)))
            result: Array = z[:, before.nx :] - x
            return result

        columns = np.hstack([before.x_at[-1], after.x_at[0]])[None]
        rows = self.program.more_rows(0, 0, (1, after.nx), [0])
        self.program.blocks.append(DifferencedBlock(rows, columns, apart))

    def _whole(self, t_span: float) -> None:
        """All durations together."""
        free = [phase for phase in self.phases if phase.horizon.free]
        rest = t_span - sum(p.horizon.span for p in self.phases if not p.horizon.free)
        low = sum(phase.problem.t_bounds[0] for phase in free)
        high = sum(phase.problem.t_bounds[1] for phase in free)
        if not low <= rest <= high:
            raise ValueError(
                f"JoinedPhases: t_span is {t_span:g}, but the phases allow "
                f"{low + t_span - rest:g} to {high + t_span - rest:g}"
            )
        if free:
            row = self.program.more_rows(rest, rest, (1, 1), [0])
            places = np.concatenate([phase.T_at for phase in free])[None]
            self.program.blocks.append(LinearBlock(row, places, np.ones((1, len(free)))))

    def solve(
        self,
        guesses: Sequence[Mapping[str, ArrayLike] | OptimalRun | None] | None = None,
        *,
        solver: str = "auto",
        hessian: str = "exact",
        tolerance: float = 1e-10,
        iterations: int = 500,
    ) -> list[OptimalRun]:
        """The optimal runs of all phases; each has the cost of the whole. See
        `OptimalControl.solve`."""
        given: list[Any] = [as_guess(g) for g in guesses or [None] * len(self.phases)]
        return solve_phases(
            self.program, self.phases, given, solver, hessian, tolerance, iterations
        )
