"""Values of many functions of a program in one pass over its graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from eomc.derive.equations import Equations
from eomc.derive.graph import evaluate


def graph_values(
    equations: Equations, functions: Iterable[str], state: Mapping[str, ArrayLike]
) -> dict[str, object]:
    """Each function's output (a tuple of several), with inputs of one name shared by all."""
    program = equations.program(functions=functions)
    values: dict[object, object] = {}
    for function in program.functions:
        for argument in function.inputs:
            given = np.ravel(np.asarray(state[argument.name], dtype=float))
            values.update(zip(argument.entries, given, strict=True))
    wanted = [
        node
        for function in program.functions
        for output in function.outputs
        for node in output.entries
    ]
    numbers = dict(zip(wanted, evaluate(program.graph, wanted, values), strict=True))
    results: dict[str, object] = {}
    for function in program.functions:
        outputs = [
            np.array([float(numbers[node]) for node in output.entries]).reshape(output.shape)
            for output in function.outputs
        ]
        results[function.name] = outputs[0] if len(outputs) == 1 else tuple(outputs)
    return results
