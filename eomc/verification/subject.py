"""A compiled model with the graph it was emitted from and the declaration it was derived from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eomc.derive.graph import Function, Program
from eomc.derive.model import Model
from eomc.runtime.compiled import CompiledModel
from eomc.runtime.verify.mechanism import Array, Mechanism
from eomc.runtime.verify.states import TestState
from eomc.runtime.verify.subject import Subject


class DerivedSubject(Subject):
    """What `Subject` has, the program behind the module, and the model if there is one."""

    def __init__(
        self,
        model: CompiledModel,
        states: Sequence[TestState],
        program: Program,
        declared: Model | None = None,
        *,
        mechanism: Mechanism | None = None,
        seed: int = 0,
        quick: bool = False,
    ) -> None:
        super().__init__(model, states, mechanism=mechanism, seed=seed, quick=quick)
        self.program = program
        self.declared = declared

    def derived(self, name: str) -> Function:
        """The function `name` of the program."""
        return next(function for function in self.program.functions if function.name == name)

    def symbol_values(self, state: TestState) -> dict[Any, Any]:
        """Numbers of all symbols of the graph: inputs of every function, tunable parameters."""
        values: dict[Any, Any] = {p.symbol: p.default for p in self.program.parameters}
        for function in self.program.functions:
            for argument in function.inputs:
                given: Array = np.ravel(np.asarray(state[argument.name], dtype=float))
                values.update(zip(argument.entries, given.tolist(), strict=True))
        return values
