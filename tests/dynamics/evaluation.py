"""Values of derived functions, straight from the graph."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from eomc.derive.equations import Equations
from eomc.derive.graph import Graph, evaluate, evaluate_mp

DIGITS = 40
"""Of exact values."""


def value(equations: Equations, name: str, tunable: object = None, **arrays: object) -> Any:
    """Output (or tuple of outputs) of function `name`; tunable parameters at their defaults."""
    return _value(equations, name, tunable, arrays, _floats)


def exact_value(equations: Equations, name: str, **arrays: object) -> Any:
    """The same in `DIGITS` decimal digits, arrays of mpmath numbers."""
    return _value(equations, name, None, arrays, partial(evaluate_mp, digits=DIGITS))


def _floats(graph: Graph, nodes: Iterable[int], values: dict[Any, Any]) -> list[float]:
    return [float(entry) for entry in evaluate(graph, nodes, values)]


def _value(
    equations: Equations, name: str, tunable: object, arrays: dict[str, object], by: Any
) -> Any:
    program = equations.program(functions=[name], tunable=tunable)  # type: ignore[arg-type]
    (function,) = program.functions
    values: dict[Any, Any] = {p.symbol: p.default for p in program.parameters}
    for argument in function.inputs:
        given = np.ravel(np.asarray(arrays[argument.name], dtype=float))
        assert given.size == len(argument.entries), argument.name
        values.update(zip(argument.entries, given, strict=True))
    outputs = []
    for output in function.outputs:
        entries = by(program.graph, output.entries, values)
        outputs.append(np.array(entries).reshape(output.shape))
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def close(got: object, expected: object, tolerance: float = 1e-11) -> bool:
    """Equal to `tolerance` relative to the largest expected entry."""
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, (got.shape, expected.shape)
    scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
    return bool(np.abs(got - expected).max(initial=0.0) <= tolerance * scale)
