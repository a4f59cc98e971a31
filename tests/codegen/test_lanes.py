"""Several states at once on vectors: the same numbers and codes as one after the other."""

import ctypes
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interruption import is_interrupted
from small_programs.c_library import COMPILERS, WARNINGS, compile_c, load
from small_programs.pendulum import pendulum, symbols
from small_programs.random_graph import CHOICES, INPUTS, random_program
from small_programs.recursion import recursion

from benchmarks.floor import turn_operations
from eomc.codegen import EmissionError, build, emit, write
from eomc.derive.graph import ZERO, Argument, Function, Graph, Guard, Program
from eomc.derive.graph.tuning import REACH

pytestmark = pytest.mark.variants

STRICT = [*WARNINGS, "-Wshadow", "-Wdouble-promotion", "-Wmissing-prototypes"]
COMPILED = settings(max_examples=15)
# Vectors of the machine's own width, wider ones, and none.
KINDS = {"plain": (), "wide": ("-mavx2",), "scalar": ("NO_VECTORS",)}


@pytest.fixture
def library(tmp_path: Path) -> Callable[..., ctypes.CDLL]:
    """A program compiled with functions on lanes, warnings being errors."""
    numbers = itertools.count()

    def make(program: Program, lanes: int, real="double", compiler="gcc", kind="plain", **options):
        sources = emit(program, real, lanes=lanes, **options)
        folder = write(sources, tmp_path / f"lanes{next(numbers)}")
        macro = f"-D{sources.name.upper()}_NO_VECTORS"
        flags = [macro if flag == "NO_VECTORS" else flag for flag in KINDS[kind]]
        options = (*STRICT, *flags, "-O1", "-ffp-contract=off", "-fPIC", "-shared")
        return ctypes.CDLL(
            str(compile_c(folder, sources.c_files, "library.so", compiler, *options))
        )

    return make


def pointers(*arrays: np.ndarray) -> list[ctypes.c_void_p]:
    return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


@pytest.mark.slow
@COMPILED
@given(
    CHOICES,
    st.integers(1, 8),
    st.sampled_from(COMPILERS),
    st.sampled_from(["double", "float"]),
    st.sampled_from([2, 4, 8, 16]),
    st.sampled_from(sorted(KINDS)),
    st.sampled_from([{}, {"whole_limit": 1, "piece_size": 5}]),
    st.integers(0, 2**32 - 1),
)
def test_random_graphs_give_the_same_bits(
    library, choices, outputs, compiler, real, lanes, kind, options, seed
):
    program = random_program(choices, outputs)
    size = program.functions[0].outputs[0].shape[0]
    compiled = library(program, lanes, real, compiler, kind, **options)
    dtype = np.float64 if real == "double" else np.float32
    states = np.random.default_rng(seed).uniform(-3, 3, (lanes, INPUTS)).astype(dtype)
    states[0, 0], states[-1, -1] = 0.0, 1e7
    unused = np.zeros(lanes, dtype)
    single = np.full((lanes, size), np.nan, dtype)
    for state, row in zip(states, single, strict=True):
        assert compiled.random_f(*pointers(state, unused, row)) == 0
    together = np.full((size, lanes), np.nan, dtype)
    codes = np.full(lanes, 7, np.intc)
    columns = np.ascontiguousarray(states.T)
    assert compiled.random_f_lanes(*pointers(columns, unused, together, codes)) == 0
    np.testing.assert_array_equal(together.T, single)
    np.testing.assert_array_equal(codes, 0)


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_pieces_count_the_shared_array_from_its_middle(library, compiler):
    """Twice as much as from its start is in reach of short distances, on vectors of 64 bytes."""
    program, width = recursion(30), 24

    def near(lanes: int) -> int:
        pieces = emit(program, lanes=lanes)["long_lanes.c"].split("int long_f_lanes")[0]
        places = [int(place) for place in re.findall(r"work\[(-?\d+)\]", pieces)]
        return sum(-REACH <= place < REACH for place in places)

    assert near(lanes=8) > 2 * near(lanes=4)
    compiled = library(program, 8, compiler=compiler)
    states = np.random.default_rng(4).uniform(-1, 1, (8, width))
    single, together = np.empty((8, width)), np.empty((width, 8))
    for state, row in zip(states, single, strict=True):
        assert compiled.long_f(*pointers(state, row)) == 0
    codes = np.full(8, 7, np.intc)
    assert compiled.long_f_lanes(*pointers(np.ascontiguousarray(states.T), together, codes)) == 0
    np.testing.assert_array_equal(together.T, single)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_each_state_has_its_code(library, compiler, kind):
    graph = Graph()
    x, y = symbols(graph, "x", 2)
    guards = (Guard(x, "first"), Guard(graph.sub(y, x), "second"))
    function = Function(
        "f", (Argument("x", (2,), (x, y)),), (Argument("y", (), (graph.sqrt(x),)),), guards=guards
    )
    compiled = library(Program("model", graph, (function,)), 4, compiler=compiler, kind=kind)
    columns = np.array([[1.0, -1.0, 4.0, np.nan], [2.0, -2.0, 3.0, 1.0]])
    result, codes = np.empty(4), np.empty(4, np.intc)
    assert compiled.model_f_lanes(*pointers(columns, result, codes)) == 1
    np.testing.assert_array_equal(codes, [0, 1, 2, 1])
    assert result[0] == 1.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    ("real", "lanes"), [("double", 8), ("double", 4), ("float", 8), ("float", 2)]
)
def test_rows_to_lanes_and_back(library, compiler, real, lanes, kind):
    compiled = library(pendulum(), lanes, real, compiler, kind)
    dtype = np.float64 if real == "double" else np.float32
    for size in range(1, 3 * lanes + 2):
        for stride in (size, size + 1, size + 3 * lanes):
            length = (lanes - 1) * stride + size
            rows = np.arange(1, length + 1, dtype=dtype)
            columns = np.full((size + 1) * lanes, -1, dtype)
            sizes = ctypes.c_size_t(size), ctypes.c_size_t(stride)
            compiled.pendulum_to_lanes(pointers(rows)[0], *sizes, pointers(columns)[0])
            expected = rows[np.arange(size)[:, None] + stride * np.arange(lanes)]
            np.testing.assert_array_equal(columns[:-lanes].reshape(size, lanes), expected)
            np.testing.assert_array_equal(columns[-lanes:], -1)
            back = np.full(length + lanes, -1, dtype)
            compiled.pendulum_from_lanes(pointers(columns)[0], *sizes, pointers(back)[0])
            written = np.zeros(length + lanes, bool)
            written[(np.arange(size) + stride * np.arange(lanes)[:, None]).ravel()] = True
            np.testing.assert_array_equal(back[written], rows[written[:length]])
            np.testing.assert_array_equal(back[~written], -1)
        one = np.arange(1, size + 1, dtype=dtype)
        compiled.pendulum_to_lanes(
            pointers(one)[0], ctypes.c_size_t(size), ctypes.c_size_t(0), pointers(columns)[0]
        )
        np.testing.assert_array_equal(
            columns[:-lanes].reshape(size, lanes), np.repeat(one[:, None], lanes, axis=1)
        )


@pytest.mark.parametrize("options", [{}, {"timed": True}, {"tunable": False}])
def test_batches_in_python(cache: Path, options):
    """Every length of a batch, shared arguments, and where a failure is reported."""
    sources = emit(pendulum("lanes", **options), lanes=4)
    scalar = emit(pendulum("alone", **options))
    lanes, alone = (
        load(build(text, flags=("-O1",), cache_dir=cache)) for text in (sources, scalar)
    )
    rng = np.random.default_rng(3)
    extra = {"t": rng.normal(size=11)} if "timed" in options else {}
    for count in (1, 2, 3, 4, 5, 8, 11):
        q, u = rng.normal(size=(2, count, 1))
        arguments = [q, u, [0.25], *(value[:count] for value in extra.values())]
        np.testing.assert_array_equal(
            lanes.forward_dynamics(*arguments), alone.forward_dynamics(*arguments)
        )
        results = zip(lanes.energies(q, u), alone.energies(q, u), strict=True)
        for together, single in results:
            np.testing.assert_array_equal(together, single)


def test_tunable_parameters_of_each_state(cache: Path):
    module = load(build(emit(pendulum("swept"), lanes=4), flags=("-O1",), cache_dir=cache))
    lengths = np.linspace(0.5, 1.5, 7)
    swept = module.mass_matrix([0.0], parameters={"length": lengths})
    np.testing.assert_allclose(swept[:, 0, 0], 2.0 * lengths**2, rtol=1e-15)
    lengths[5] = -1.0
    with pytest.raises(FloatingPointError, match=r"degenerate_length at batch index \(5,\)"):
        module.forward_dynamics([0.1], [0.2], [0.3], parameters={"length": lengths})


def test_native_instructions_change_the_last_digits_at_most(cache: Path):
    """Fused multiply-adds need not fall alike in scalar and vector code."""
    program = pendulum("native")
    sources = emit(program, lanes=8)
    module = load(build(sources, march_native=True, cache_dir=cache))
    rng = np.random.default_rng(5)
    q, u, tau = rng.uniform(-4, 4, (3, 1000, 1))
    together = module.forward_dynamics(q, u, tau)
    single = np.array([module.forward_dynamics(*state) for state in zip(q, u, tau, strict=True)])
    # Three terms of at most 2 g l m, 4 and 0.4, each rounded a few times, over the inertia.
    bound = 8 * np.finfo(float).eps * (2.0 * 9.81 * 0.7 + 4 + 0.4) / (2.0 * 0.7**2)
    assert np.abs(together - single).max() <= bound


def test_number_of_lanes_is_checked():
    with pytest.raises(EmissionError, match="lanes is 3; valid are 1, 2, 4, 8, 16"):
        emit(pendulum(), lanes=3)


@pytest.mark.parametrize("lanes", [1, 4])
def test_threads_share_a_batch(cache: Path, lanes):
    program = pendulum(f"threads{lanes}")
    module = load(build(emit(program, lanes=lanes), flags=("-O1",), cache_dir=cache))
    q, u = np.random.default_rng(1).normal(size=(2, 1001, 1))
    expected = module.forward_dynamics(q, u, [0.5], threads=1)
    for threads in (2, 3, 7, 5000):
        result = module.forward_dynamics(q, u, [0.5], threads=threads)
        np.testing.assert_array_equal(result, expected)
    lengths = np.full(1001, 0.7)
    lengths[[640, 900]] = 0.0
    with pytest.raises(FloatingPointError, match=r"batch index \(640,\)"):
        module.forward_dynamics(q, u, [0.5], parameters={"length": lengths}, threads=2)
    for wrong, error in ((0, ValueError), (-1, ValueError), (1.5, TypeError)):
        with pytest.raises(error):
            module.forward_dynamics(q, u, [0.5], threads=wrong)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_ends_a_large_batch(cache: Path, threads: int):
    """Between stretches of it, which are told as one where a state fails."""
    module = load(build(emit(pendulum("long"), lanes=4), flags=("-O1",), cache_dir=cache))
    large = np.random.default_rng(2).normal(size=(8_000_000, 1))
    out = np.full_like(large, np.nan)
    assert is_interrupted(
        lambda: module.forward_dynamics(large, [0.1], [0.5], out=out, threads=threads), after=0.001
    )
    assert np.isnan(out[-1]), "the end was computed too"
    module.forward_dynamics(large, [0.1], [0.5], out=out, threads=threads)
    for part in (slice(0, 9), slice(2_500_000, None, 500_000), slice(-9, None)):
        np.testing.assert_array_equal(
            out[part], module.forward_dynamics(large[part], [0.1], [0.5], threads=1)
        )
    lengths = np.full(len(large), 0.7)
    lengths[[7_654_321, 7_777_777]] = 0.0
    with pytest.raises(FloatingPointError, match=r"batch index \(7654321,\)"):
        module.forward_dynamics(
            large, [0.1], [0.5], parameters={"length": lengths}, threads=threads
        )


def test_large_batches_run_on_all_cores(cache: Path, monkeypatch):
    """Without being asked, and only where it is worth it."""
    module = load(build(emit(pendulum("cores"), lanes=4), flags=("-O1",), cache_dir=cache))
    asked = []

    def cores(_: int) -> set[int]:
        asked.append(1)
        return {0, 1, 2}

    monkeypatch.setattr(os, "sched_getaffinity", cores, raising=False)
    small = np.zeros((1000, 1))
    module.forward_dynamics(small, small, small)
    assert not asked
    large = np.random.default_rng(2).normal(size=(1_000_000, 1))
    result = module.forward_dynamics(large, [0.1], [0.5])
    assert asked == [1]
    np.testing.assert_array_equal(result, module.forward_dynamics(large, [0.1], [0.5], threads=1))
    assert asked == [1]


THREADS = """
import os, sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from eomc.runtime.model.load import load_module
module = load_module(sys.argv[1])
large = np.random.default_rng(2).normal(size=(3_000_000, 1))
out = np.empty_like(large)
with ThreadPoolExecutor(1) as pool:
    before = pool.submit(lambda: len(os.listdir("/proc/self/task"))).result()
    for _ in range(3):
        pool.submit(module.forward_dynamics, large, [0.1], [0.5], out=out, threads=3).result()
        assert pool.submit(lambda: len(os.listdir("/proc/self/task"))).result() == before + 2
expected = module.forward_dynamics(large, [0.1], [0.5], threads=1)
child = os.fork()
if child == 0:
    result = module.forward_dynamics(large, [0.1], [0.5], threads=3)
    alike = np.array_equal(result, expected) and len(os.listdir("/proc/self/task")) == 3
    os._exit(0 if alike else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
with ThreadPoolExecutor(4) as pool:
    calls = [
        pool.submit(module.forward_dynamics, large[k:], [0.1], [0.5], threads=3) for k in range(12)
    ]
    for k, call in enumerate(calls):
        np.testing.assert_array_equal(call.result(), expected[k:])
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted on Linux")
def test_threads_are_the_system_s_own(cache: Path):
    """threads=3 starts two beside the calling one and keeps them; a forked process has its own, and
    who comes while they work does without. In a process where no other model had any."""
    library = build(emit(pendulum("own"), lanes=4), flags=("-O1",), cache_dir=cache)
    command = [sys.executable, "-W", "ignore", "-c", THREADS, str(library)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_floor_counts_the_operations_of_sines(tmp_path: Path):
    """What the benchmark reads in the text is what the compiler makes of it, nothing fused."""
    graph = Graph()
    angles = symbols(graph, "x", 8)
    sines = tuple(graph.unary("sin", angle) for angle in angles)
    arguments = (Argument("x", (8,), angles),), (Argument("y", (8,), sines),)
    sources = emit(Program("circle", graph, (Function("f", *arguments),)), lanes=8)
    text = sources["circle_lanes.c"]
    options = ("-O1", "-mavx512f", "-ffp-contract=off", "-S")
    path = compile_c(write(sources, tmp_path), ["circle_lanes.c"], "lanes.s", "gcc", *options)
    body = path.read_text().partition("circle_lanes_turns:")[2].partition("\tret\n")[0]
    made = re.findall(r"\tv(?:add|sub|mul)pd\t", body)
    assert turn_operations(text) == len(made) == 50


@pytest.mark.parametrize("options", [{}, {"whole_limit": 1, "piece_size": 2}])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_first_of_many_zeros_come_beside_angles(library, compiler, kind, options):
    """Eight entries of one output with each angle, all others where they were; far angles too."""
    graph = Graph()
    x, y, z = symbols(graph, "x", 3)
    turned = graph.mul(graph.unary("sin", x), graph.unary("cos", y))
    for factor in (x, y, z, x, y, z):
        turned = graph.mul(graph.add(turned, z), factor)
    values = [turned, graph.mul(x, z), y]
    sparse = (values[0], *[ZERO] * 11, values[1], *[ZERO] * 9, values[2])
    inputs, outputs = (Argument("x", (3,), (x, y, z)),), (Argument("y", (23,), sparse),)
    more = Argument("more", (20,), (*[ZERO] * 19, values[1]))
    few = Function("few", inputs, (Argument("y", (16,), (values[0], *[ZERO] * 15)),))
    function = Function("f", inputs, (*outputs, more))
    program = Program("sparse", graph, (function, few))
    text = emit(program, lanes=4, **options)["sparse_lanes.c"]
    array = "work" if options else "turns"
    assert f"lanes_turns_and_zeros({array}, 2, y, zeros);" in text
    assert f"lanes_turns({array}, 2);" in text
    compiled = library(program, 4, compiler=compiler, kind=kind, **options)
    states = np.array([[0.3, 1e7, -2.0], [1e9, -0.4, 0.5], [0, 0, 0], [np.inf, 1.0, 1.0]])
    single, together = np.full((4, 43), np.nan), np.full((43, 4), np.nan)
    for state, row in zip(states, single, strict=True):
        assert compiled.sparse_f(*pointers(state, row[:23], row[23:])) == 0
    codes = np.full(4, 7, np.intc)
    columns = np.ascontiguousarray(states.T)
    assert compiled.sparse_f_lanes(*pointers(columns, together[:23], together[23:], codes)) == 0
    np.testing.assert_array_equal(together.T, single)
    np.testing.assert_array_equal(codes, 0)
    assert np.isnan(together[0, 3]) and np.count_nonzero(together[1:12]) == 0
