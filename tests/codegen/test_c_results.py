"""Compiled C against evaluation of the graph."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_programs.c_library import COMPILERS, Library
from small_programs.pendulum import pendulum, symbols
from small_programs.random_graph import BOUNDED, CHOICES, POSITIVE, UNARY, VALUES, random_program

from eomc.derive.graph import Argument, Function, Graph, Program, evaluate

Make = Callable[..., Library]
COMPILED = settings(max_examples=25)


def expected(program: Program, values: list[float]) -> np.ndarray:
    (output,) = program.functions[0].outputs
    named = {f"x[{i}]": value for i, value in enumerate(values)}
    return np.array(evaluate(program.graph, output.entries, named))


@pytest.mark.slow
@COMPILED
@given(CHOICES, st.integers(1, 12), VALUES, st.sampled_from(COMPILERS))
def test_random_graphs_give_the_graphs_values(c_library: Make, choices, outputs, values, compiler):
    program = random_program(choices, outputs)
    size = program.functions[0].outputs[0].shape[0]
    status, (result,) = c_library(program, compiler=compiler).call("f", [values, [0.0]], [size])
    assert status == 0
    reference = expected(program, values)
    # Same operations in the same order; only the libraries' transcendental functions differ.
    finite = np.isfinite(reference) & (np.abs(reference) < 1e100)
    np.testing.assert_allclose(result[finite], reference[finite], rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@COMPILED
@given(CHOICES, st.integers(1, 12), VALUES, st.integers(1, 7))
def test_pieces_give_what_the_whole_gives(c_library: Make, choices, outputs, values, piece_size):
    program = random_program(choices, outputs)
    size = program.functions[0].outputs[0].shape[0]
    whole = c_library(program).call("f", [values, [0.0]], [size])
    pieces = c_library(program, whole_limit=1, piece_size=piece_size)
    cut = pieces.call("f", [values, [0.0]], [size])
    assert whole[0] == cut[0] == 0
    np.testing.assert_array_equal(whole[1][0], cut[1][0])


ALL_OPERATIONS = {
    "neg": lambda g, x, y: g.neg(x),
    "add": lambda g, x, y: g.add(x, y),
    "sub": lambda g, x, y: g.sub(x, y),
    "sub_reversed": lambda g, x, y: g.sub(y, x),
    "mul": lambda g, x, y: g.mul(x, y),
    "div": lambda g, x, y: g.div(x, y),
    "pow": lambda g, x, y: g.pow(x, y),
    "min": lambda g, x, y: g.binary("min", x, y),
    "max": lambda g, x, y: g.binary("max", x, y),
    "atan2": lambda g, x, y: g.binary("atan2", x, y),
    "lt": lambda g, x, y: g.select(g.less(x, y), x, y),
    "le": lambda g, x, y: g.select(g.less_equal(x, y), x, y),
    "eq": lambda g, x, y: g.select(g.equal(x, y), x, y),
    "and": lambda g, x, y: g.select(g.logical_and(g.less(x, y), g.less(y, x)), x, y),
    "or": lambda g, x, y: g.select(g.logical_or(g.less(x, y), g.less(y, x)), x, y),
    "not": lambda g, x, y: g.select(g.logical_and(g.less(x, y), g.logical_not(g.less(y, x))), x, y),
    **{op: lambda g, x, y, op=op: g.unary(op, x) for op in (*UNARY, *POSITIVE, *BOUNDED)},
    "acosh": lambda g, x, y: g.unary("acosh", g.add(x, g.constant(1))),
}


@pytest.mark.parametrize("real", ["double", "float"])
def test_every_operation(c_library: Make, real: str):
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    entries = tuple(make(graph, x, y) for make in ALL_OPERATIONS.values())
    inputs = (Argument("x", (), (x,)), Argument("y", (), (y,)))
    function = Function("f", inputs, (Argument("z", (len(entries),), entries),))
    # The scalars travel by value, which ctypes must be told.
    from ctypes import c_double, c_float, c_void_p

    library = c_library(Program("operations", graph, (function,)), real)
    call = library.library.operations_f
    scalar = c_double if real == "double" else c_float
    call.argtypes = [scalar, scalar, c_void_p]
    for a, b in [(0.3, 0.7), (0.7, 0.3), (0.5, 0.5)]:
        out = np.full(len(entries), np.nan, library.dtype)
        assert call(a, b, out.ctypes.data) == 0
        values = {"x": library.dtype(a), "y": library.dtype(b)}
        reference = [float(v) for v in evaluate(graph, entries, values)]
        tolerance = 4e-15 if real == "double" else 2e-6
        np.testing.assert_allclose(out, reference, rtol=tolerance, err_msg=str(ALL_OPERATIONS))


def test_switches_at_zero_and_nan(c_library: Make):
    graph = Graph()
    (x,) = symbols(graph, "x", 1)
    entries = (graph.unary("sign", x), graph.unary("abs", x), graph.unary("floor", x))
    function = Function("f", (Argument("x", (1,), (x,)),), (Argument("y", (3,), entries),))
    library = c_library(Program("switch", graph, (function,)))
    for value, signs in [(0.0, 0.0), (-2.5, -1.0), (2.5, 1.0), (math.nan, math.nan)]:
        _, (result,) = library.call("f", [[value]], [3])
        np.testing.assert_array_equal(result, [signs, abs(value), np.floor(value)])


def test_outputs_that_need_no_computation(c_library: Make):
    graph = Graph()
    a, b = symbols(graph, "x", 2)
    shared = graph.mul(a, b)
    outputs = (
        Argument("first", (4,), (a, graph.neg(b), graph.constant(-3), shared)),
        Argument("second", (2, 2), (shared, graph.neg(shared), shared, graph.constant(0))),
        Argument("empty", (0,), ()),
    )
    inputs = (Argument("x", (2,), (a, b)), Argument("none", (0,), ()))
    library = c_library(Program("plain", graph, (Function("f", inputs, outputs),)))
    status, results = library.call("f", [[2.0, 5.0], []], [4, 4, 0])
    assert status == 0
    np.testing.assert_array_equal(results[0], [2, -5, -3, 10])
    np.testing.assert_array_equal(results[1], [10, -10, 10, 0])


def test_guard_reports_its_code_and_nothing_else_does(c_library: Make):
    library = c_library(pendulum())
    good = library.call("forward_dynamics", [[0.1], [0.2], [0.3], [2.0, 0.7]], [1])
    bad = library.call("forward_dynamics", [[0.1], [0.2], [0.3], [2.0, 0.0]], [1])
    nan = library.call("forward_dynamics", [[0.1], [0.2], [0.3], [2.0, math.nan]], [1])
    assert (good[0], bad[0], nan[0]) == (0, 1, 1)
    exact = (0.3 - 2.0 * 9.81 * 0.7 * math.sin(0.1) - 0.1 * 0.2) / (2.0 * 0.7**2)
    assert good[1][0][0] == pytest.approx(exact, rel=1e-14)
