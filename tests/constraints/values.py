"""Values of a model's functions straight from the graph, each program made once."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.equations import Equations
from eomc.derive.graph import Program, evaluate
from eomc.derive.model import Model
from eomc.runtime.derivatives.differences import derivative


class Values:
    """Functions of `model` as methods, their arguments by name."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.programs: dict[str, Program] = {}

    @cached_property
    def equations(self) -> Equations:
        """Derived once."""
        return Equations(self.model)

    def __call__(self, name: str, **arrays: Any) -> Any:
        """Output of the function `name`, or a tuple of several."""
        if name not in self.programs:
            self.programs[name] = self.equations.program(functions=[name])
        program = self.programs[name]
        (function,) = program.functions
        values: dict[Any, Any] = {p.symbol: p.default for p in program.parameters}
        for argument in function.inputs:
            given = np.ravel(np.asarray(arrays[argument.name], dtype=float))
            values.update(zip(argument.entries, given, strict=True))
        nodes = [node for output in function.outputs for node in output.entries]
        numbers = iter(evaluate(program.graph, nodes, values))
        outputs = tuple(
            np.array([float(next(numbers)) for _ in output.entries]).reshape(output.shape)
            for output in function.outputs
        )
        return outputs[0] if len(outputs) == 1 else outputs

    def along(self, name: str, direction: Array, **arrays: Any) -> Any:
        """Derivative of the function along a displacement of q on the manifold."""

        def moved(h: float) -> Any:
            q = self("integrate", q=arrays["q"], du=h * direction)
            return self(name, **{**arrays, "q": q})

        return derivative(moved)[0]

    def columns(self, name: str, **arrays: Any) -> Array:
        """Derivatives of the function along each speed."""
        nu = len(self.equations.speeds)
        return np.stack([self.along(name, e, **arrays) for e in np.eye(nu)], axis=-1)

    def closed(self, q: Array, **arrays: Any) -> Array:
        """The configuration that Newton's steps lead to from `q`."""
        for _ in range(30):
            if np.abs(self("constraint_residual", q=q, **arrays)).max() < 1e-14:
                break
            q = self("integrate", q=q, du=self("position_correction", q=q, **arrays))
        return q

    def consistent(self, q: Array, u: Array, **arrays: Any) -> Array:
        """The speeds nearest to `u` that the constraints allow."""
        return u + self("velocity_correction", q=q, u=u, **arrays)


def near(got: object, expected: object, tolerance: float) -> bool:
    """Equal to `tolerance` of the largest expected entry, or of 1."""
    got, expected = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
    assert got.shape == expected.shape, (got.shape, expected.shape)
    scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
    error = float(np.abs(got - expected).max(initial=0.0))
    assert error <= tolerance * scale, (error, got, expected)
    return True
