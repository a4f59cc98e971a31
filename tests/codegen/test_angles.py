"""Sines and cosines of all angles in one call."""

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import COMPILERS, WARNINGS, compile_c
from small_programs.pendulum import symbols

from eomc.codegen import Sources, emit, write
from eomc.codegen.plan.angles import angles_first
from eomc.codegen.plan.real import REALS
from eomc.codegen.plan.schedule import schedule
from eomc.codegen.plan.sine_cosine import sine_cosine
from eomc.derive.graph import Argument, Function, Graph, Guard, Program
from eomc.derive.graph.tuning import FEWEST_ANGLES

pytestmark = pytest.mark.variants

# Vectors of the longest kind that every machine of the tests knows, of others, and none.
KINDS = {
    "plain": (),
    "wide": ("-mavx2",),
    "scalar": ("-DTURNED_NO_VECTORS",),
    "small": ("-Os", "-mavx2"),
}
FORMS = {"whole": {}, "pieces": {"whole_limit": 1, "piece_size": 7}}


def turned(count: int, columns: int = 1) -> Program:
    """Products along a chain of turns; two of the angles have offsets, one of them of two uses."""
    g = Graph()
    q = symbols(g, "q", count)
    angles = list(q)
    angles[0] = g.add(q[0], g.constant(0.75))
    angles[1] = g.neg(g.mul(g.constant(2), q[1]))
    x, y = g.constant(1), angles[0]
    entries = []
    for angle in angles:
        s, c = g.unary("sin", angle), g.unary("cos", angle)
        x, y = g.sub(g.mul(c, x), g.mul(s, y)), g.add(g.mul(s, x), g.mul(c, y))
        entries += [x, g.neg(y)]
    late = g.unary("sin", x)  # of a sine: computed where it stands
    zero = g.constant(0)
    wide = tuple(n for entry in (*entries, late) for n in (entry, *[zero] * columns))
    outputs = (Argument("y", (len(wide),), wide), Argument("s", (), (g.unary("sin", q[2]),)))
    guard = Guard(g.add(g.unary("cos", q[3]), g.constant(2)), "no_number")
    function = Function("f", (Argument("q", (count,), q),), outputs, guards=(guard,))
    return Program("turned", g, (function,))


def compiled(folder: Path, sources: Sources, compiler: str, *flags: str) -> ctypes.CDLL:
    write(sources, folder)
    words = (*WARNINGS, "-Wshadow", "-O2", "-ffp-contract=off", *flags, "-fPIC", "-shared")
    return ctypes.CDLL(str(compile_c(folder, sources.c_files, "library.so", compiler, *words)))


def results(library: ctypes.CDLL, states: np.ndarray, size: int) -> tuple[np.ndarray, list[int]]:
    """Outputs that were NaN before, and codes."""
    out = np.full((len(states), size + 1), np.nan, states.dtype)
    codes = []
    for state, row in zip(states, out, strict=True):
        arrays = (state, row[:size], row[size:])
        codes.append(library.turned_f(*(ctypes.c_void_p(a.ctypes.data) for a in arrays)))
    return out, codes


def states_of(real: str) -> np.ndarray:
    """Of eleven angles: near and far, no numbers, about as many quarter turns as bits tell."""
    dtype = np.float64 if real == "double" else np.float32
    rng = np.random.default_rng(3)
    states = rng.uniform(-30, 30, (48, 11)).astype(dtype)
    states[1, 3], states[2, 3], states[3, 0] = np.nan, 1e9, -1e30
    states[4] = 0.0
    states[5, 10], states[6, 8] = -np.inf, 6e4
    few = sine_cosine(REALS[real]).few
    states[40:] = (rng.choice([-1, 1], (8, 11)) * few + rng.uniform(-3, 3, (8, 11))) * np.pi / 2
    return states


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_same_bits_as_one_by_one(tmp_path: Path, compiler, kind, form, real, monkeypatch):
    """Also far away and for NaN, and the codes; whatever the vectors and however it is cut."""
    program = turned(11)
    together = emit(program, real, **FORMS[form])
    monkeypatch.setattr("eomc.codegen.plan.angles.FEWEST_ANGLES", 100)
    alone = emit(program, real)
    assert "turned_turns(" in together["turned.c"] and "turned_turns(" not in alone["turned.c"]
    states, size = states_of(real), 2 * 23
    first = compiled(tmp_path / "alone", alone, compiler)
    second = compiled(tmp_path / "together", together, compiler, *KINDS[kind])
    (expected, codes), (got, others) = (results(lib, states, size) for lib in (first, second))
    np.testing.assert_array_equal(got, expected)
    assert codes == others and codes[1] == 1 and codes[0] == 0


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("lanes", [2, 8])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_several_states_in_one_call(tmp_path: Path, compiler, lanes, form, real):
    """Angles of one of them may be far away or none at all; the others take no notice. One call
    turns all angles but the one that holds a sine itself."""
    sources = emit(turned(11), real, lanes=lanes, **FORMS[form])
    calls = re.findall(r" turned_lanes_turns\(\w+, (\d+)\);", sources["turned_lanes.c"])
    assert sorted(calls) == ["1", "11"]
    library, size = compiled(tmp_path, sources, compiler), 2 * 23
    states = states_of(real)
    expected, codes = results(library, states, size)
    for first in range(0, len(states), lanes):
        group = np.ascontiguousarray(states[first : first + lanes].T)
        y, s = np.full((size, lanes), np.nan, group.dtype), np.full(lanes, np.nan, group.dtype)
        own = np.full(lanes, 7, np.intc)
        library.turned_f_lanes(*(ctypes.c_void_p(a.ctypes.data) for a in (group, y, s, own)))
        np.testing.assert_array_equal(np.vstack([y, s]).T, expected[first : first + lanes])
        assert own.tolist() == codes[first : first + lanes]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_sines_of_sines_in_calls_of_their_own(tmp_path: Path, compiler):
    """Where they follow each other, too."""
    g = Graph()
    (x,) = symbols(g, "q", 1)
    for _ in range(3):
        s = g.unary("sin", x)
        x = g.div(s, g.add(g.constant(1), g.mul(s, s)))
    arguments = (Argument("q", (1,), symbols(g, "q", 1)),), (Argument("y", (), (x,)),)
    program = Program("turned", g, (Function("f", *arguments),))
    library = compiled(tmp_path, emit(program, lanes=4), compiler)
    states = np.array([0.3, -1e9, 2.0, np.nan])
    expected, y, codes = np.empty(4), np.empty(4), np.empty(4, np.intc)
    library.turned_f_lanes(*(ctypes.c_void_p(a.ctypes.data) for a in (states, y, codes)))
    for k in range(4):
        own = states[k : k + 1], expected[k : k + 1]
        library.turned_f(*(ctypes.c_void_p(a.ctypes.data) for a in own))
    np.testing.assert_array_equal(y, expected)


def test_few_angles_stay_where_they_are():
    assert "_turns(" not in emit(turned(FEWEST_ANGLES - 1))["turned.c"]
    text = emit(turned(FEWEST_ANGLES))["turned.c"]
    assert len(re.findall(r"^    turned_turns\(turns, 8\);$", text, re.MULTILINE)) == 1
    # A whole vector at once, for size neighbours in a loop; the sine of a sine is no angle of the
    # first call.
    assert re.search(r"^    turned_set_turns\(&turns\[0\], .*q\[3\], q\[4\]", text, re.MULTILINE)
    short = emit(turned(FEWEST_ANGLES), optimize="size")["turned.c"]
    assert "turns[entry] = q[entry + 2];" in short and "turned_sin(" in text


def test_angles_that_take_long_to_compute_stay_in_the_body():
    g = Graph()
    x = symbols(g, "x", 10)
    total = x[0]
    for k in range(12):
        total = g.add(g.mul(total, x[k % 10]), x[(k + 3) % 10])
    sines = [g.unary("sin", angle) for angle in (*x, total)]
    plan, angles = angles_first(g, schedule(g, sines), 8)
    assert angles is not None and total not in angles.places and len(angles.places) == 10
    assert angles.length == 16 and plan.order[: angles.opening] == angles.nodes
    # Every statement after what it reads.
    place = {node: k for k, node in enumerate(plan.order)}
    reads = zip(plan.order, plan.reads, strict=True)
    assert all(place[read] < place[node] for node, nodes in reads for read in nodes)


def test_names_of_arrays_are_kept_clear():
    g = Graph()
    turns, entry = symbols(g, "turns", 8), symbols(g, "entry", 1)
    out = tuple(g.mul(entry[0], g.unary("cos", angle)) for angle in turns)
    inputs = (Argument("turns", (8,), turns), Argument("entry", (1,), entry))
    program = Program("m", g, (Function("turns", inputs, (Argument("y", (8,), out),)),))
    text = emit(program, optimize="size")["m.c"]
    assert "const m_real turns_2[M_RESTRICT 8]" in text
    assert "turns[entry] = turns_2[entry];" in text and "int m_turns_2(" in text
