"""Functions in loops, run on the graph: nothing of C is in between."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from eomc.derive.graph import Call, Function, Program, evaluate

Array = NDArray[np.float64]


def run_rolled(
    program: Program, function: Function, inputs: Mapping[str, Sequence[float]]
) -> tuple[list[Array], set[str]]:
    """Outputs of the loops of `function`, flat, and the codes of all guards that failed.

    What is read before it was written is NaN.
    """
    loops = function.rolled
    assert loops is not None
    known = {p.symbol: p.default for p in program.parameters}
    for argument in function.inputs:
        known.update(zip(argument.entries, np.ravel(inputs[argument.name]), strict=True))
    arrays = {name: np.array(values, dtype=float).ravel() for name, values in inputs.items()}
    arrays |= {a.name: np.full(len(a.entries), np.nan) for a in function.outputs}
    for array in loops.arrays:
        values = arrays.setdefault(array.name, np.full(array.size, np.nan))
        assert values.size == array.size
        places = list(array.start)
        values[places] = evaluate(program.graph, [array.start[k] for k in places], known)
    failed: set[str] = set()
    for loop in loops.loops:
        turns = range(loop.turns)
        for i in reversed(turns) if loop.backward else turns:
            for call in loop.calls:
                _run(call, call.kinds[i], i, 0, arrays, failed)
            row = loop.climb.first[i] if loop.climb else -1
            while loop.climb and row >= 0:
                for call in loop.climb.calls:
                    _run(call, call.kinds[row], i, row, arrays, failed)
                row = loop.climb.following[row]
    return [arrays[output.name] for output in function.outputs], failed


def _run(call: Call, kind: int, i: int, j: int, arrays: dict[str, Array], failed: set[str]) -> None:
    if kind < 0:
        return
    step = call.steps[kind]

    def part(name: str, size: int) -> Array:
        piece = call.pieces[name]
        first = piece.offsets[i] + (piece.inner[j] if piece.inner else 0)
        values = arrays[piece.array][first : first + size]
        assert first >= 0 and values.size == size, f"{name} of {step.name} is outside its array"
        return values

    values = {}
    for argument in step.function.inputs:
        values.update(zip(argument.entries, part(argument.name, argument.shape[0]), strict=True))
    found = iter(evaluate(step.graph, step.function.nodes, values))
    for argument in step.function.outputs:
        part(argument.name, argument.shape[0])[:] = [next(found) for _ in argument.entries]
    for guard, value in zip(step.function.guards, found, strict=True):
        if not value > 0:
            failed.add(guard.code)
