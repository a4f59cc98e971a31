"""Starts of runs with constraints: each refused or assembled, by the rule of `simulate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import AssemblyError, ConstraintError
from eomc.runtime.constraints.start import ConsistentStart, GivenByName, start_of_model
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State

STARTS = {"q": "q_start", "u": "u_start"}
"""Names of the results that tell where assembled runs start."""


@dataclass(frozen=True)
class Starts:
    """The rule for all runs of a study.

    assemble : whether starts are assembled
    q, u : names of entries that all runs give
    t : time of the start
    held : further arguments of the compiled runs
    """

    assemble: bool
    q: tuple[str, ...]
    u: tuple[str, ...]
    t: float
    held: Mapping[str, Any]

    def closed(
        self,
        model: CompiledModel,
        state: Mapping[str, Array],
        parameters: Sequence[Mapping[str, float]],
        varied: Sequence[str],
        first: int,
    ) -> dict[str, Array]:
        """q and u (n, ...) on the constraints, not a number where none was found.

        Raises `ConstraintError`, with the number of the run, for one that is to be refused.
        """
        q, u = state["q"].copy(), state["u"].copy()
        named, motion = self._named(model, varied), self._motion(model)
        known: dict[Any, ConsistentStart | None] = {}
        for k, values in enumerate(parameters):
            key = (q[k].tobytes(), u[k].tobytes(), *values.values())
            if key not in known:
                guess = State(q[k].copy(), u[k].copy())
                try:
                    known[key] = start_of_model(
                        model,
                        guess,
                        assemble=self.assemble,
                        named=named,
                        t=self.t,
                        prescribed=motion,
                        parameters=values,
                        warn=False,
                    )
                except AssemblyError:
                    known[key] = None
                except ConstraintError as error:
                    raise ConstraintError(f"run {first + k}: {error}") from error
            found = known[key]
            q[k], u[k] = (np.nan, np.nan) if found is None else found.state[:2]
        return {"q": q, "u": u}

    def _named(self, model: CompiledModel, varied: Sequence[str]) -> GivenByName:
        """Names that runs give, those that they vary first."""
        q, u = (
            dict.fromkeys([*(v[2:] for v in varied if v.startswith(f"{array}.")), *common])
            for array, common in (("q", self.q), ("u", self.u))
        )
        return GivenByName.of(model, q, u)

    def _motion(self, model: CompiledModel) -> Any:
        """The prescribed motion at the start."""
        size = len(model.prescribed)
        if not size:
            return None
        given = (self.held.get(name, np.zeros(size)) for name in ("s", "s_rate", "s_acceleration"))
        parts = tuple(np.asarray(x, dtype=np.float64).reshape(-1, size)[0] for x in given)
        return lambda t: parts
