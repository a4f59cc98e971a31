"""Derivatives of constrained forward dynamics in loops over columns; forms that are estimated
before they are derived."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_programs.c_library import COMPILERS, WARNINGS, compile_c, known_vectors
from small_programs.each_state import values
from small_programs.run_rolled import expected, run_rolled

import eomc
from eomc.codegen import emit, write
from eomc.derive.equations import equations_of_motion
from eomc.derive.graph import DeferredEntries, Graph, Program
from eomc.derive.model import Model
from eomc.derive.rolled import matrices
from eomc.derive.rolled.matrices import WIDTHS
from eomc.systems.chain import general_chain
from eomc.systems.four_bar_chain import four_bar_chain

pytestmark = pytest.mark.variants

FORWARD = "forward_dynamics_derivatives"


def spatial_loops(seed: int, rods: int = 2) -> Model:
    """A floating trunk with limbs of three turns each; rods between feet, springs, losses, and a
    tunable mass."""
    rng = np.random.default_rng(seed)
    model = Model("limbs", gravity=(0.3, -0.2, -9.81))
    mass = model.parameter("m", 1.3, tunable=True)
    model.body("trunk", mass=7, com=(0.1, 0, 0.2), inertia=(0.5, 0.6, 0.7, 0.01, 0.02, 0.03))
    model.joint("trunk", "floating", parent="world", child="trunk")
    for limb in range(rods + 1):
        above = "trunk"
        for k, axis in enumerate([(0, 0, 1), (0, 1, 0), (0.6, 0, 0.8)]):
            name = f"l{limb}{k}"
            model.body(name, mass=mass, com=tuple(rng.normal(0, 0.1, 3)), inertia=(0.1, 0.12, 0.14))
            place = tuple(rng.normal(0, 0.4, 3))
            model.joint(
                f"j{limb}{k}", "revolute", parent=above, child=name, axis=axis, placement=place,
                damping=0.3,
            )  # fmt: skip
            above = name
    for rod in range(rods):
        a, b = eomc.Point(f"l{rod}2", (0.1, 0.2, -0.3)), eomc.Point(f"l{rod + 1}2", (0, 0.1, 0.2))
        model.constraint(f"rod{rod}", "distance", a=a, b=b, length=1.1)
        model.spring(f"s{rod}", a=a, b=b, stiffness=30.0, damping=2.0, free_length=0.8)
    return model


def looped(model: Model, patch: pytest.MonkeyPatch) -> Program:
    """The function with its loops, whatever its size, and with its line."""
    patch.setattr(equations_of_motion, "FEWEST_SPEEDS", 1)
    patch.setattr(equations_of_motion, "LONG_FUNCTION", -1)
    return eomc.equations(model).program(functions=(FORWARD,), name="ours")


@pytest.mark.parametrize(
    "model", [lambda: four_bar_chain(3, damping=0.2), lambda: spatial_loops(1, 1)],
    ids=["four-bars", "limbs"],
)  # fmt: skip
def test_loops_give_what_the_line_gives(
    model: Callable[[], Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In rows of every width; nothing of C is in between."""
    program = looped(model(), monkeypatch)
    (function,) = program.functions
    assert tuple(function.blocked) == WIDTHS
    rng = np.random.default_rng(2)
    inputs = {a.name: rng.uniform(-1, 1, len(a.entries)) for a in function.inputs}
    known = expected(program, 0, np.concatenate(list(inputs.values())))
    for loops in function.blocked.values():
        got, failed = run_rolled(program, function, inputs, loops)
        assert np.abs(np.concatenate(got) - known).max() <= 1e-12 * np.abs(known).max()
        assert not failed


@pytest.mark.slow
@settings(max_examples=4)
@given(st.integers(0, 10_000), st.integers(1, 2))
def test_random_loops(seed: int, rods: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        test_loops_give_what_the_line_gives(lambda: spatial_loops(seed, rods), patch)


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_same_bits_on_vectors_of_any_width(
    tmp_path: Path, compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing being fused; no warnings, and the status of a mechanism without inertia."""
    monkeypatch.setattr(equations_of_motion, "FEWEST_SPEEDS", 1)
    monkeypatch.setattr(matrices, "LARGE_LINE_BYTES", -1)
    monkeypatch.setattr(matrices, "WORTH_A_LINE", 1e9)
    program = eomc.equations(spatial_loops(3, 1)).program(functions=(FORWARD,), name="ours")
    sources = emit(program)
    folder = write(sources, tmp_path / "c")
    flags = (*WARNINGS, "-Wshadow", "-O1", "-ffp-contract=off", "-fPIC", "-shared")
    kinds = [("-DOURS_NO_VECTORS",), (), *((flag,) for flag in known_vectors())]
    size = sum(len(port.entries) for port in program.functions[0].inputs)
    rows = np.random.default_rng(2).uniform(-2, 2, (3, size))
    found = []
    for number, more in enumerate(kinds):
        compile_c(folder, sources.c_files, f"{number}.so", compiler, *flags, *more)
        found.append(values(folder / f"{number}.so", program, rows))
    for got, codes in found:
        np.testing.assert_array_equal(got, found[0][0])
        assert not any(codes)
    for row, got in zip(rows, found[0][0], strict=True):
        known = expected(program, 0, row)
        assert np.abs(got - known).max() <= 1e-11 * np.abs(known).max()


# -- estimated before they are made --------------------------------------------------------------


def work(model: Model, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Nodes that are made until a function is emitted, of all graphs, and bytes of C."""
    made = 0
    append = Graph._append

    def counted(self: Graph, *args: object) -> int:
        nonlocal made
        made += 1
        return append(self, *args)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Graph, "_append", counted)
        sources = emit(eomc.equations(model).program(functions=(FORWARD,), name="four_bar_chain_n"))
    return made, sum(len(text) for name, text in sources.items() if name.endswith(".c"))


def test_the_long_form_is_not_derived_where_loops_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work until the C is there grows with the chain: it is counted in nodes made."""
    (short, _), (long, _) = (work(general_chain(n), monkeypatch) for n in (30, 100))
    assert short < 25_000 and short < long < 90_000


def test_ten_four_bars_are_compact(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 500 kB; their line is of a quarter of a million nodes."""
    nodes, size = work(four_bar_chain(10), monkeypatch)
    assert size <= 500_000 and nodes < 45_000


@pytest.mark.slow
def test_loops_of_mechanisms_grow_with_their_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    ten, twenty = (work(four_bar_chain(n), monkeypatch) for n in (10, 20))
    assert twenty[0] < 2.2 * ten[0] and twenty[1] < 2.2 * ten[1]


def test_outputs_are_derived_when_they_are_read() -> None:
    program = eomc.equations(general_chain(20)).program(functions=(FORWARD,))
    (function,) = program.functions
    assert function.is_deferred
    first = function.outputs[0]
    assert isinstance(first.entries, DeferredEntries) and first.shape == (20, 20)
    assert len(first.entries) == math.prod(first.shape)
    made = len(program.graph)
    before = emit(program)
    assert len(program.graph) < 2 * made
    line = eomc.equations(general_chain(20))
    known = line._function(line.formulation(()), FORWARD)
    assert [a.name for a in function.outputs] == [a.name for a in known.outputs]
    assert [a.description for a in function.outputs] == [a.description for a in known.outputs]
    row = np.random.default_rng(1).uniform(-1, 1, 60)
    there = Program("line", line.formulation(()).graph, (known,))
    np.testing.assert_allclose(expected(program, 0, row), expected(there, 0, row), rtol=1e-9)
    assert len(program.graph) > 2 * made
    assert emit(program) == before  # whether it was derived or not
