"""Entries that are always zero: several at once, between statements."""

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import COMPILERS, WARNINGS, compile_c
from small_programs.pendulum import symbols

from eomc.codegen import emit, write
from eomc.codegen.plan.zeros import between, side_by_side
from eomc.derive.graph import Argument, Function, Graph, Program

ENTRIES = [0] * 20 + [1, 0, 2] + [0] * 30
KINDS = {"plain": (), "wide": ("-mavx2",), "scalar": ("-DM_NO_VECTORS",), "small": ("-Os",)}
FORMS = {"whole": {}, "pieces": {"whole_limit": 1, "piece_size": 1}}


def sparse(entries: list[int]) -> Program:
    """Zeros with products and sums among them."""
    g = Graph()
    x = symbols(g, "x", 2)
    values = [g.constant(0), g.mul(x[0], x[1]), g.add(x[0], x[1])]
    y = tuple(values[entry] for entry in entries)
    outputs = (Argument("y", (len(y),), y),)
    return Program("m", g, (Function("f", (Argument("x", (2,), x),), outputs),))


def test_runs_are_covered_by_vectors():
    assert side_by_side(range(3, 11), 4) == [range(3, 7), range(7, 11)]
    assert side_by_side(range(3, 10), 4) == [range(3, 7), range(6, 10)]
    assert side_by_side(range(5, 7), 4) == [range(5, 6), range(6, 7)]


def test_stores_stand_evenly_between_statements():
    assert between("abcdef", [0] * 4) == {1: ["a"], 2: ["b", "c"], 3: ["d", "e", "f"]}
    assert between("abc", [0, 3, 0, 0, 0]) == {1: ["a"], 4: ["b", "c"]}
    assert between("ab", [0]) == {0: ["a", "b"]}
    assert between("", [1] * 5) == {}


def test_many_are_cleared_four_at_a_time():
    program = sparse(ENTRIES)
    text = emit(program)["m.c"].partition("int m_f(")[2]
    stored = [int(place) for place in re.findall(r"y\[(\d+)\]", text)]
    runs = [*range(0, 20, 4), 21, *range(23, 51, 4), 49]
    assert [place for place in stored if place not in (20, 22)] == runs
    assert stored[0] == 20 and stored[-1] == 22  # the first statement stores one of its own
    lanes = emit(program, lanes=4)["m_lanes.c"]
    cleared = [int(k) for k in re.findall(r"M_PUT\(y, (\d+)\) = M_SPLAT\(0\.0\);", lanes)]
    assert cleared == [k for k, entry in enumerate(ENTRIES) if not entry]


@pytest.mark.parametrize(
    ("program", "how"),
    [(sparse(ENTRIES), "size"), (sparse([1, 0] * 20), "speed"), (sparse([0] * 30), "speed")],
)
def test_whole_outputs_in_a_loop(program, how):
    """For size, where zeros stand alone, and where nothing is computed."""
    size = len(program.functions[0].outputs[0].entries)
    text = emit(program, optimize=how)["m.c"]
    head = f"for (int entry = 0; entry < {size}; entry++) {{\n"
    assert f"{head}        y[entry] = 0.0;" in text and "four_zeros" not in text


def test_few_are_stored_one_by_one():
    text = emit(sparse([0] * 16 + [1]))["m.c"]
    assert len(re.findall(r"y\[\d+\] = 0\.0;", text)) == 16 and "four_zeros" not in text


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_zeros_come_to_their_places_and_to_no_others(tmp_path: Path, compiler, kind, form, real):
    sources = emit(sparse(ENTRIES), real, lanes=4, **FORMS[form])
    write(sources, tmp_path)
    words = (*WARNINGS, "-Wshadow", "-O2", *KINDS[kind], "-fPIC", "-shared")
    library = ctypes.CDLL(str(compile_c(tmp_path, sources.c_files, "m.so", compiler, *words)))
    dtype = np.float64 if real == "double" else np.float32
    x = np.array([2, 3], dtype)
    expected = np.array([0, 6, 5])[ENTRIES]
    for name, lanes in (("m_f", 1), ("m_f_lanes", 4)):
        out = np.full((len(expected) + 2, lanes), np.nan, dtype)
        states = np.repeat(x, lanes)
        arrays = (states, out[1:], np.zeros(4, np.int32))
        getattr(library, name)(*(ctypes.c_void_p(a.ctypes.data) for a in arrays))
        np.testing.assert_array_equal(out[1:-1], np.repeat(expected[:, None], lanes, axis=1))
        assert np.isnan(out[[0, -1]]).all()
