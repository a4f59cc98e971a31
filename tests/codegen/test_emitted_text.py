"""What is emitted: the same bytes everywhere, safe names, whole folders, clear refusals."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_programs.pendulum import pendulum, symbols

from eomc.codegen import EmissionError, emit, write
from eomc.codegen.plan.identifiers import RESERVED, Names, identifier
from eomc.derive.graph import Argument, Function, Graph, Guard, Program, TunableParameter

GOLDENS = Path(__file__).parents[2] / "generated"

HASHES = """
import hashlib, json
from eomc.codegen import emit
from small_programs.pendulum import pendulum
texts = [dict(emit(pendulum(), real, whole_limit=limit)) for real in ("double", "float")
         for limit in (3, 1000)]
print(hashlib.sha256(json.dumps(texts).encode()).hexdigest())
"""


def test_same_bytes_for_every_hash_seed():
    tests = str(Path(__file__).parents[1])
    digests = set()
    for seed in ("0", "1", "4242"):
        env = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": tests}
        run = subprocess.run(
            [sys.executable, "-c", HASHES], env=env, capture_output=True, text=True, check=True
        )
        digests.add(run.stdout)
    assert len(digests) == 1 and len(digests.pop().strip()) == 64


@pytest.mark.parametrize("real", ["double", "float"])
def test_goldens(real):
    """The committed output; ``python generated/pendulum.py`` writes it anew."""
    name = f"pendulum_{real}"
    # One of them with its Python module.
    emitted = emit(pendulum(), real, prefix=name, python=real == "double")
    folder = GOLDENS / name
    assert sorted(path.name for path in folder.iterdir()) == sorted(emitted)
    version = json.loads(emitted[f"{name}.json"])["eomc"]
    golden_version = json.loads((folder / f"{name}.json").read_text())["eomc"]
    for file, text in emitted.items():
        golden = (folder / file).read_text(encoding="utf-8")
        assert text.replace(version, golden_version) == golden, f"{name}/{file} has changed"


def test_no_trace_of_the_machine():
    for text in emit(pendulum()).values():
        assert os.getcwd() not in text and str(Path.home()) not in text


def program(function: Function, graph: Graph, **options: object) -> Program:
    return Program("model", graph, (function,), **options)  # type: ignore[arg-type]


def test_stranger_symbols_are_named():
    g = Graph()
    x = symbols(g, "x", 1)
    bad = Function("f", (Argument("x", (1,), x),), (Argument("y", (), (g.symbol("zeta"),)),))
    with pytest.raises(EmissionError, match=r"'f'.*'zeta'.*\(x\)"):
        emit(program(bad, g))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"inputs": (Argument("x", (2,), (0,)),)}, r"'f'.*'x'.*\(2,\) has 1"),
        ({"outputs": ()}, "'f' has no output"),
        ({"inputs": (Argument("x", (1,), (Graph().constant(0),)),)}, "'x' is no symbol"),
    ],
)
def test_contradictions_are_refused(change, words):
    g = Graph()
    x, two = g.symbol("x[0]"), g.constant(2)
    good = Function("f", (Argument("x", (1,), (x,)),), (Argument("y", (), (two,)),))
    with pytest.raises(EmissionError, match=words):
        emit(program(dataclasses.replace(good, **change), g))
    with pytest.raises(EmissionError, match="'f' is defined twice"):
        emit(Program("model", g, (good, good)))
    with pytest.raises(EmissionError, match="double, float"):
        emit(program(good, g), "half")  # type: ignore[arg-type]
    with pytest.raises(EmissionError, match="JSON"):
        emit(program(good, g, metadata={"x": object()}))
    with pytest.raises(EmissionError, match="JSON"):
        emit(program(good, g, metadata={"x": float("nan")}))
    with pytest.raises(EmissionError, match="'a b'"):
        emit(program(good, g), prefix="a b")
    with pytest.raises(EmissionError, match=r"'w' cannot prefix C names: W_OK is a macro"):
        emit(program(good, g), prefix="w")


def test_constants_beyond_single_precision_are_refused():
    g = Graph()
    function = Function("f", (), (Argument("y", (), (g.constant(1e300),)),))
    assert "1e+300" in emit(program(function, g))["model.c"]
    with pytest.raises(EmissionError, match=r"1e\+300.*float"):
        emit(program(function, g), "float")


@given(st.lists(st.text(max_size=8), max_size=20))
def test_identifiers_are_valid_and_distinct(texts):
    names = Names(RESERVED)
    taken = [names.take(text) for text in texts]
    assert len(set(taken)) == len(taken)
    assert all(name.isidentifier() and name.isascii() for name in taken)
    assert not RESERVED.intersection(taken)
    assert identifier("q") == "q"


def test_write_replaces_whole_files_and_keeps_others(tmp_path: Path):
    folder = tmp_path / "new" / "model"
    first = emit(pendulum())
    assert write(first, folder) == folder
    assert {path.name: path.read_text() for path in folder.iterdir()} == dict(first)
    (folder / "notes.txt").write_text("mine")
    second = emit(pendulum(), "float")
    write(second, folder)
    assert (folder / "notes.txt").read_text() == "mine"
    assert (folder / "pendulum.c").read_text() == second["pendulum.c"]
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def test_names_may_have_folders(tmp_path: Path):
    for text in ("old", "new"):
        folder = write({"a.c": text, "src/b.c": text, "src/more/c.c": text}, tmp_path / "model")
        assert [(folder / name).read_text() for name in ("a.c", "src/b.c", "src/more/c.c")] == [
            text
        ] * 3


def test_failed_write_changes_nothing(tmp_path: Path):
    folder = tmp_path / "model"
    write({"a.c": "old"}, folder)
    with pytest.raises(OSError, match=r"a\.c"):
        write({"a.c": "new", "a.c/b.c": "text"}, folder)
    with pytest.raises(OSError, match=r"a\.c"):
        write({"b.c": "new", "a.c/b.c": "text"}, folder)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"a.c": "old"}
    with pytest.raises(OSError, match=r"a\.c"):
        write({"a.c": "new", "a.c/b.c": "text"}, tmp_path / "fresh")
    assert not (tmp_path / "fresh").exists()
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        write({"a.c": "text"}, tmp_path / "file")


def awkward() -> Program:
    """Names and texts that C, Python or a comment could choke on."""
    g = Graph()
    sin, double = symbols(g, "sin", 2), symbols(g, "double", 1)
    t1, work, p = symbols(g, "t1", 1), symbols(g, "work", 1), g.symbol("p")
    tuned = g.symbol("tuned")
    total = g.add(g.unary("sin", sin[0]), g.mul(double[0], t1[0]))
    total = g.label(g.add(total, g.mul(work[0], p)), 'end */ "quote" \\ ??/ of\nlabel t1')
    hint = '*/ """ \\'
    inputs = (
        Argument("sin", (2,), sin, hint, hint, ("for", "for")),
        Argument("double", (1,), double),
        Argument("t1", (1,), t1),
        Argument("work", (1,), work),
        Argument("p", (), (p,)),
    )
    outputs = (Argument("sin", (), (g.mul(total, tuned),)), Argument("out", (), (total,)))
    function = Function("lambda", inputs, outputs, hint, (Guard(total, "not-good"),))
    return Program(
        "Awkward model-2",
        g,
        (function, dataclasses.replace(function, name="real")),
        (TunableParameter("class", "tuned", 0.1, hint, hint),),
        {"q": ("a-b", "a_b", "int", "1", "é")},
        {"text": hint},
    )


@pytest.mark.parametrize("limit", [1, 1000])
def test_awkward_names_compile_and_compute(c_library, limit):
    from ctypes import c_double, c_void_p

    library = c_library(awkward(), whole_limit=limit, piece_size=1)
    assert library.prefix == "Awkward_model_2"
    function = library.library.Awkward_model_2_lambda_
    arrays = [np.array([0.5, 0.0]), np.array([2.0]), np.array([3.0]), np.array([4.0])]
    outputs = [np.empty(1), np.empty(1)]
    parameters = np.array([10.0])
    function.argtypes = [c_void_p] * 4 + [c_double] + [c_void_p] * 3
    pointers = [a.ctypes.data for a in arrays]
    rest = [a.ctypes.data for a in (parameters, *outputs)]
    assert function(*pointers, 0.25, *rest) == 0
    expected = np.sin(0.5) + 6.0 + 1.0
    np.testing.assert_allclose([outputs[0][0], outputs[1][0]], [10 * expected, expected])
    assert function(*pointers, -25.0, *rest) == 1
