"""The transcribed problem as a function of CasADi that calls compiled code for all nodes at once.

y(w), its Jacobian, its gradient under weights and the Jacobian of that, each one call from CasADi's
solver: what is between is NumPy on arrays over the nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.blocks import NonlinearProgram


class _Pattern:
    """A sparsity pattern of CasADi, and entries in its order."""

    def __init__(self, casadi: Any, shape: tuple[int, int], rows: Array, columns: Array) -> None:
        self._order = np.lexsort((rows, columns))
        starts = np.searchsorted(columns[self._order], np.arange(shape[1] + 1))
        self.sparsity = casadi.Sparsity(*shape, starts.tolist(), rows[self._order].tolist())

    def __call__(self, entries: Array) -> Array:
        return entries[self._order]


def _callback_class(casadi: Any, kept: list[Any]) -> Any:
    """A function of CasADi that runs one of arrays; `kept` holds those that were made."""

    class Called(casadi.Callback):  # type: ignore[misc]
        def __init__(
            self,
            name: str,
            inputs: Sequence[Any],
            outputs: Sequence[Any],
            run: Callable[..., list[Array]],
            patterns: Sequence[Any] = (),
            jacobian: Callable[[str], Any] | None = None,
            reverse: Callable[[str], Any] | None = None,
            options: Any = None,
        ) -> None:
            casadi.Callback.__init__(self)
            self._inputs, self._outputs, self._run = inputs, outputs, run
            self._patterns, self._jacobian, self._reverse = patterns, jacobian, reverse
            self.construct(name, options or {})
            kept.append(self)

        def get_n_in(self) -> int:
            return len(self._inputs)

        def get_n_out(self) -> int:
            return len(self._outputs)

        def get_sparsity_in(self, i: int) -> Any:
            return self._inputs[i]

        def get_sparsity_out(self, i: int) -> Any:
            return self._outputs[i]

        def has_jac_sparsity(self, output: int, i: int) -> bool:
            return bool(self._patterns)

        def get_jac_sparsity(self, output: int, i: int, symmetric: bool) -> Any:
            return self._patterns[i]

        def has_jacobian(self) -> bool:
            return self._jacobian is not None

        def get_jacobian(self, name: str, *_: Any) -> Any:
            return self._jacobian(name) if self._jacobian else None

        def has_reverse(self, count: int) -> bool:
            return count == 1 and self._reverse is not None

        def get_reverse(self, count: int, name: str, *_: Any) -> Any:
            return self._reverse(name) if self._reverse else None

        def has_eval_buffer(self) -> bool:
            return True

        def eval_buffer(self, given: Sequence[Any], results: Sequence[Any]) -> int:
            # An argument of zeros is None, a result that is not asked for too.
            arrays = [
                np.zeros(pattern.nnz()) if x is None else np.frombuffer(x, dtype=np.float64)
                for x, pattern in zip(given, self._inputs, strict=True)
            ]
            try:
                found: Sequence[Any] = self._run(*arrays)
            except FloatingPointError:  # no step from there: the solver takes a shorter one
                found = [np.nan] * len(results)
            for result, values in zip(results, found, strict=True):
                if result is not None:
                    np.frombuffer(result, dtype=np.float64)[:] = values
            return 0

    return Called


def callback(casadi: Any, program: NonlinearProgram) -> Any:
    """y(w) for CasADi; keep it as long as what is made of it."""
    size, height = program.size, program.height
    by_w = _Pattern(casadi, (height, size), program.jacobian_rows, program.jacobian_columns)
    turned = _Pattern(casadi, (size, height), program.jacobian_columns, program.jacobian_rows)
    bent = _Pattern(casadi, (size, size), program.hessian_rows, program.hessian_columns)
    column, row = casadi.Sparsity.dense(size, 1), casadi.Sparsity.dense(height, 1)
    blind_row, blind_column = casadi.Sparsity(height, 1), casadi.Sparsity(size, 1)
    none = casadi.Sparsity(size, height)
    kept: list[Any] = []
    Called = _callback_class(casadi, kept)

    def jacobian(name: str) -> Any:
        def run(w: Array, _: Array) -> list[Array]:
            return [by_w(program.jacobian(w))]

        return Called(name, [column, blind_row], [by_w.sparsity], run)

    def reverse(name: str) -> Any:
        def run(w: Array, _: Array, weights: Array) -> list[Array]:
            entries = program.jacobian(w) * weights[program.jacobian_rows]
            return [np.bincount(program.jacobian_columns, entries, size).astype(np.float64)]

        patterns = [bent.sparsity, none, turned.sparsity]
        return Called(name, [column, blind_row, row], [column], run, patterns, second)

    def second(name: str) -> Any:
        def run(w: Array, _: Array, weights: Array, __: Array) -> list[Array]:
            found = bent(program.hessian(w, weights)), turned(program.jacobian(w))
            return [found[0], np.zeros(0), found[1]]

        given = [column, blind_row, row, blind_column]
        return Called(name, given, [bent.sparsity, none, turned.sparsity], run)

    made = Called(
        "optimal_control", [column], [row], lambda w: [program.value(w)],
        [by_w.sparsity], jacobian, reverse,
    )  # fmt: skip
    made.kept = kept
    return made
