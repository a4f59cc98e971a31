"""Difference equations: what controllers, observers and shapers are to a processor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.difference.operations import Numeric, Operations

Step = Callable[..., tuple[Any, Any]]
"""(operations, state, chance, inputs ...) -> (next state, output), all arrays in one dimension."""


class NotEmittableError(ValueError):
    """There is no difference equation, or none that can be written in C; the message says why."""


class Chance(Protocol):
    """A source of normal random numbers."""

    def standard_normal(self, size: int) -> Array:
        """(size,) numbers of mean 0 and variance 1."""
        ...


@dataclass(frozen=True, eq=False)
class DifferenceEquation:
    """x_k+1, y_k = step(x_k, w_k, inputs_k), with w normal numbers of mean 0 and variance 1.

    Reference: Åström and Wittenmark, *Computer-Controlled Systems* (1997), ch. 2.

    Attributes
    ----------
    start : (n,)
        x_0.
    inputs : mapping of names to names of entries
        In the order in which the step takes them.
    output, rows : name of y, and of its entries
    step : see `Step`
    draws : int
        Numbers w that a step draws.
    functions : names
        Of the functions of a model that the step calls.
    parameters : mapping
        Values of the model's tunable parameters as they are believed to be, where they differ.
    """

    start: Array
    inputs: Mapping[str, tuple[str, ...]]
    output: str
    rows: tuple[str, ...]
    step: Step
    draws: int = 0
    functions: tuple[str, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)

    def begin(
        self, chance: Chance | None = None, operations: Operations | None = None
    ) -> Callable[..., Array]:
        """For one run, the function of the inputs that is called at each sample.

        >>> count = linear_equation([[1]], [[1]], [[1]], [[0]], {"v": ("x",)})
        >>> total = count.begin()
        >>> [total(np.ones(1)).item() for _ in range(3)]
        [0.0, 1.0, 2.0]
        """
        state, by = np.array(self.start, dtype=np.float64), operations or Numeric()
        if self.draws and chance is None:
            raise ValueError("chance: this difference equation draws by chance; give where from")

        def sample(*inputs: Array) -> Array:
            nonlocal state
            drawn = chance.standard_normal(self.draws) if chance and self.draws else np.zeros(0)
            state, output = self.step(by, state, drawn, *inputs)
            return np.asarray(output, dtype=np.float64)

        return sample


class Parts:
    """States and draws of several equations in a row, handed out in order."""

    def __init__(self, state: Any, chance: Any) -> None:
        self._state, self._chance, self._at = state, chance, (0, 0)

    def of(self, equation: DifferenceEquation) -> tuple[Any, Any]:
        """Those of the next equation."""
        (k, j), (n, m) = self._at, (len(equation.start), equation.draws)
        self._at = k + n, j + m
        return self._state[k : k + n], self._chance[j : j + m]


def in_series(equations: Sequence[DifferenceEquation]) -> DifferenceEquation:
    """Equations of one input each, which is the output of the one before.

    >>> twice = linear_equation([], [], [], [[2]], {"x": ("a",)})
    >>> in_series([twice, twice]).begin()(np.ones(1)).tolist()
    [4.0]
    """
    first, last = equations[0], equations[-1]

    def step(by: Operations, state: Any, chance: Any, x: Any) -> tuple[Any, Any]:
        before, after = Parts(state, chance), []
        for equation in equations:
            now, x = equation.step(by, *before.of(equation), x)
            after.append(now)
        return np.concatenate(after), x

    return DifferenceEquation(
        start=np.concatenate([equation.start for equation in equations]),
        inputs=first.inputs,
        output=last.output,
        rows=last.rows,
        step=step,
        draws=sum(equation.draws for equation in equations),
        functions=tuple(dict.fromkeys(name for e in equations for name in e.functions)),
    )


def linear_equation(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
    d: ArrayLike,
    inputs: Mapping[str, tuple[str, ...]],
    output: str = "y",
    rows: Sequence[str] = (),
) -> DifferenceEquation:
    """x_k+1 = A x_k + B v_k, y_k = C x_k + D v_k, from x_0 = 0, v being all inputs in a row.

    Raises ValueError for matrices that do not fit together.
    """
    width = sum(len(names) for names in inputs.values())
    direct = np.array(d, dtype=np.float64).reshape(-1, width)
    system = np.array(a, dtype=np.float64)
    n = len(system)
    shapes = {"A": (a, (n, n)), "B": (b, (n, width)), "C": (c, (len(direct), n))}
    made = {}
    for name, (given, shape) in shapes.items():
        matrix = np.array(given, dtype=np.float64)
        if matrix.size != shape[0] * shape[1]:
            raise ValueError(f"{name} has shape {matrix.shape}, expected {shape}")
        made[name] = matrix.reshape(shape)

    def step(by: Operations, state: Any, chance: Any, *given: Any) -> tuple[Any, Any]:
        v = np.concatenate(given)
        after = product(made["A"], state) + product(made["B"], v)
        return after, product(made["C"], state) + product(direct, v)

    names = tuple(rows) or tuple(f"{output}{k}" for k in range(len(direct)))
    return DifferenceEquation(np.zeros(n), inputs, output, names, step)


def product(matrix: Array, x: Any) -> Any:
    """matrix x, summed from left to right, so that numbers and expressions round alike.

    >>> product(np.array([[1.0, 2.0], [0.0, 0.0]]), np.array([3.0, 4.0])).tolist()
    [11.0, 0.0]
    """
    total = np.zeros(len(matrix), dtype=np.asarray(x).dtype)
    for column, entry in zip(matrix.T, x, strict=True):
        total = total + column * entry
    return total
