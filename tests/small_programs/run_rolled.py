"""Functions in loops, run on the graph: nothing of C is in between."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from eomc.derive.graph import (
    Argument,
    Call,
    Function,
    Program,
    Rolled,
    RolledArgument,
    RolledTurns,
    evaluate,
)
from eomc.derive.graph import RolledArray as Layout

Array = NDArray[np.float64]


def expected(program: Program, index: int, row: Array) -> Array:
    """Outputs of a function by its expressions, one after the other."""
    function = program.functions[index]
    nodes = [node for output in function.outputs for node in output.entries]
    known: dict[object, float] = {p.symbol: p.default for p in program.parameters}
    entries = [entry for argument in function.inputs for entry in argument.entries]
    known.update(zip(entries, row, strict=True))
    return np.array(evaluate(program.graph, nodes, known), dtype=float)


def run_rolled(
    program: Program,
    function: Function,
    inputs: Mapping[str, Sequence[float]],
    loops: Rolled | None = None,
) -> tuple[list[Array], set[str]]:
    """Outputs of the loops of `function`, or of these, flat, and the codes of all guards that
    failed.

    What is read before it was written is NaN.
    """
    loops = loops or function.rolled
    assert loops is not None
    known = {p.symbol: p.default for p in program.parameters}
    for argument in function.inputs:
        known.update(zip(argument.entries, np.ravel(inputs[argument.name]), strict=True))
    arrays = {name: np.array(values, dtype=float).ravel() for name, values in inputs.items()}
    arrays |= {a.name: np.full(len(a.entries), np.nan) for a in function.outputs}
    layouts = {array.name: array for array in loops.arrays}
    for array in loops.arrays:
        values = arrays.setdefault(array.name, np.full(array.size * array.width, np.nan))
        assert values.size == array.size * array.width
        places = list(array.start)
        values[places] = evaluate(program.graph, [array.start[k] for k in places], known)
    failed: set[str] = set()
    for loop in loops.loops:
        if isinstance(loop, RolledTurns):
            values, count = arrays[loop.array], loop.count
            values[count : 2 * count] = np.sin(values[:count])
            values[2 * count :] = np.cos(values[:count])
            continue
        turns = range(loop.turns)
        for i in reversed(turns) if loop.backward else turns:
            for call in loop.calls:
                _run(call, call.kinds[i], i, 0, layouts, arrays, failed)
            for climb in loop.climbs:
                row = climb.first[i]
                while row >= 0:
                    for call in climb.calls:
                        _run(call, call.kinds[row], i, row, layouts, arrays, failed)
                    row = climb.following[row]
    return [arrays[output.name] for output in function.outputs], failed


def _run(
    call: Call,
    kind: int,
    i: int,
    j: int,
    layouts: Mapping[str, Layout],
    arrays: dict[str, Array],
    failed: set[str],
) -> None:
    if kind < 0:
        return
    step = call.steps[kind]

    def part(argument: Argument) -> tuple[Array, NDArray[np.intp]]:
        """The array, and the places in it: of numbers, or of (rows, numbers)."""
        piece = call.pieces[argument.name]
        layout = layouts.get(piece.array)
        width, apart = (layout.width, layout.apart) if layout else (1, 1)
        is_row = argument.name in step.rows
        first = piece.offsets[i] + (piece.inner[j] if piece.inner else 0)
        entries = np.arange(argument.shape[0]) * apart * width
        places = first * width + entries[:, None] + np.arange(step.width if is_row else 1)
        values = arrays[piece.array]
        outside = f"{argument.name} of {step.name} is outside its array"
        assert first >= 0 and (not places.size or places.max() < values.size), outside
        return values, places if is_row else places[:, 0]

    values = {}
    for argument in step.function.inputs:
        array, places = part(argument)
        values.update(zip(argument.entries, array[places], strict=True))
    found = iter(evaluate(step.graph, step.function.nodes, values))
    for argument in step.function.outputs:
        results = [next(found) for _ in argument.entries]
        if call.pieces[argument.name].spread is not None:
            for places in (call.pieces, call.copies):
                if argument.name in places:
                    _spread(places[argument.name], results[0], i, j, arrays)
            continue
        array, places = part(argument)
        for place, result in zip(places, results, strict=True):
            array[place] = result
    for guard, value in zip(step.function.guards, found, strict=True):
        if not value > 0:
            failed.add(guard.code)


def _spread(piece: RolledArgument, row: Array, i: int, j: int, arrays: dict[str, Array]) -> None:
    assert piece.spread is not None
    first, end = piece.offsets[i] + piece.inner[j], piece.spread.end[i]
    numbers = np.atleast_1d(row)[:end]
    arrays[piece.array][first + piece.spread.apart * np.arange(end)] = numbers
