"""Functions of a hundred thousand operations: bounded memory, quick emission, right results."""

import ctypes
import re
import resource

import numpy as np
import pytest
from small_programs.recursion import recursion

from benchmarks.house import counted_calls
from eomc.codegen import emit
from eomc.codegen.plan.partition import partition
from eomc.codegen.plan.schedule import schedule
from eomc.derive.graph import Program, evaluate


def test_slots_are_reused_and_never_overwritten_early():
    program = recursion(60)
    plan = schedule(program.graph, program.functions[0].nodes)
    parts = partition(plan, whole_limit=1, piece_size=100)
    assert parts.pieces[0].start == 0 and parts.pieces[-1].stop == len(plan.order)
    # Run the pieces on an array, as the C does.
    piece_of = {plan.order[i]: n for n, piece in enumerate(parts.pieces) for i in piece}
    work: dict[int, int] = {}
    for number, piece in enumerate(parts.pieces):
        read_here = set()
        for position in piece:
            for node in plan.reads[position]:
                if piece_of[node] != number:
                    assert work[parts.slots[node]] == node
                    read_here.add(parts.slots[node])
        written = {
            node: parts.slots[node]
            for node in plan.order[piece.start : piece.stop]
            if node in parts.slots
        }
        assert not read_here.intersection(written.values())
        work.update({slot: node for node, slot in written.items()})
    assert parts.work < len(parts.slots)


LIMITS = {"whole_limit": 100, "piece_size": 50, "file_limit": 200}


@pytest.mark.slow
def test_no_file_is_longer_than_its_limit(c_library):
    """A function of 1 440 statements in files of 200, on one state and on lanes: the same bits."""
    program = recursion(30)
    sources = emit(program, lanes=4, **LIMITS)
    assert len(sources.c_files) >= 2 * len(recursion_statements(program)) // 200
    for file in sources.c_files:
        statements = re.findall(r"^    (?:const|y\[|work\[|long_PUT)", sources[file], re.MULTILINE)
        assert len(statements) <= 3 * LIMITS["file_limit"], "loads and stores of the work array too"
    x = np.linspace(-0.6, 0.6, 24)
    whole = c_library(program, whole_limit=10_000)
    _, (expected,) = whole.call("f", [x], [24])
    apart = c_library(program, lanes=4, **LIMITS)
    _, (result,) = apart.call("f", [x], [24])
    np.testing.assert_array_equal(result, expected)
    lanes, codes = np.empty((24, 4)), np.empty(4, np.int32)
    packed = np.ascontiguousarray(np.tile(x[:, None], 4))
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (packed, lanes, codes)]
    assert apart.library.long_f_lanes(*pointers) == 0
    np.testing.assert_array_equal(lanes, np.tile(expected[:, None], 4))


def recursion_statements(program: Program) -> list[int]:
    return schedule(program.graph, program.functions[0].nodes).order


@pytest.mark.slow
def test_twice_the_statements_are_emitted_by_twice_the_calls():
    few, many = (counted_calls(lambda size=size: emit(recursion(size))) for size in (30, 60))
    assert many.total() < 2.5 * few.total()


@pytest.mark.slow
def test_hundred_thousand_statements(c_library):
    program = recursion(1050)
    sources = emit(program)
    plan = schedule(program.graph, program.functions[0].nodes)
    operations = len(program.graph)
    assert operations > 100_000 and len(plan.order) > 50_000
    assert "stage3.2 */" in sources["long.c"]
    library = c_library(program)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    assert peak < 2048, "megabytes of the largest compiler run"
    x = np.linspace(-0.6, 0.6, 24)
    _, (result,) = library.call("f", [x], [24])
    named = {f"x[{i}]": value for i, value in enumerate(x)}
    reference = evaluate(program.graph, program.functions[0].nodes, named)
    np.testing.assert_allclose(result, np.array(reference), rtol=1e-10, atol=1e-300)
