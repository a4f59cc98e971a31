"""A compiled model with the graph it was emitted from and the declaration it was derived from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel
from eomc.verifier.subject.check import NotApplicable
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject
from eomc.verifier.witness.mechanism import WitnessMechanism

if TYPE_CHECKING:
    from eomc.derive.graph import Function, Program
    from eomc.derive.model import Model


class DerivedSubject(Subject):
    """A `Subject` with the program behind the module, the model if there is one, and what it was
    `given` as: equations, or a program."""

    def __init__(
        self,
        model: CompiledModel,
        states: Sequence[TestState],
        program: Program,
        declared: Model | None = None,
        *,
        mechanism: WitnessMechanism | None = None,
        seed: int = 0,
        quick: bool = False,
        another: Callable[..., tuple[Program, CompiledModel]] | None = None,
        given: Any = None,
    ) -> None:
        super().__init__(model, states, mechanism=mechanism, seed=seed, quick=quick)
        self.program = program
        self.declared = declared
        self.given = given
        self._another = another
        self.notes: dict[str, None] = {}

    @property
    def options(self) -> dict[str, Any]:
        """Compiler, flags and folder of compiled modules, as far as they are given."""
        given = getattr(self._another, "options", {})
        return {name: given[name] for name in ("compiler", "flags", "cache_dir") if name in given}

    def beside(
        self, more: Sequence[str] = (), *, small: bool = False, **shape: Any
    ) -> DerivedSubject:
        """The same equations in the same states, built otherwise, with `more` functions.

        Raises NotApplicable where they cannot be built so.
        """
        from eomc.derive.model import ModelError

        if self._another is None:
            raise NotApplicable("the equations are not known here")
        try:
            program, model = self._another(tuple(more), small, **shape)
        except ModelError as refusal:
            raise NotApplicable(str(refusal)) from None
        rng = np.random.default_rng(self.seed)
        needed = {a.name: a.shape for function in program.functions for a in function.inputs}
        states = [
            state.with_values(
                **{
                    name: rng.normal(size=shape)
                    for name, shape in needed.items()
                    if name not in state.values
                }
            )
            for state in self.states
        ]
        return self._with(model, states, program)

    def among(self, states: Sequence[TestState]) -> DerivedSubject:
        """The same module in other states."""
        return self._with(self.model, states, self.program)

    def _with(
        self, model: CompiledModel, states: Sequence[TestState], program: Program
    ) -> DerivedSubject:
        other = DerivedSubject(
            model,
            states,
            program,
            self.declared,
            mechanism=self.mechanism,
            seed=self.seed,
            quick=self.quick,
            given=self.given,
        )
        other.notes = self.notes
        return other

    def tell(self, note: str) -> None:
        """Note for the report how thoroughly things were compared."""
        self.notes[note] = None

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

    def exact(self, nodes: Sequence[int], values: dict[Any, Any]) -> dict[int, Any]:
        """Values of nodes in many digits; None where there is no real number."""
        import mpmath

        from eomc.verifier.arithmetic.many_digits import many_digits

        try:
            results = many_digits(self.program.graph, nodes, values)
        except (ArithmeticError, ValueError, TypeError):
            results = [self._alone(node, values) for node in nodes]
        return {
            node: value if isinstance(value, mpmath.mpf) and mpmath.isfinite(value) else None
            for node, value in zip(nodes, results, strict=True)
        }

    def _alone(self, node: int, values: dict[Any, Any]) -> Any:
        from eomc.verifier.arithmetic.many_digits import many_digits

        try:
            return many_digits(self.program.graph, [node], values)[0]
        except (ArithmeticError, ValueError, TypeError):
            return None
