"""Matrices in loops over blocks of columns: the same bits on vectors of any width, and chosen for
what is long in a line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynamics.loaded_trees import loaded_tree
from hypothesis import given, settings
from hypothesis import strategies as st
from peers.random_trees import random_tree
from small_programs.c_library import COMPILERS, WARNINGS, compile_c, known_vectors
from small_programs.each_state import values
from small_programs.run_rolled import run_rolled
from small_programs.walker import walker

import eomc
from eomc.codegen import emit, write
from eomc.codegen.c import function as forms
from eomc.codegen.plan.cost import LARGE
from eomc.derive.equations import derive, equations
from eomc.derive.graph import Program, evaluate
from eomc.derive.model import Mimic, Model
from eomc.derive.rolled.blocks import Blocks
from eomc.derive.rolled.matrices import WIDTHS
from eomc.systems.chain import general_chain

MATRICES = ("mass_matrix", "inverse_dynamics_derivatives")


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks for trees of any size, however short their lines."""
    monkeypatch.setattr(equations, "FEWEST", 1)
    monkeypatch.setattr(equations, "LONG", -1)
    monkeypatch.setattr(forms, "LARGE", -1)
    monkeypatch.setattr(forms, "_WORTH_A_LINE", 1e9)


def expected(program: Program, index: int, row: np.ndarray) -> np.ndarray:
    """What the expressions give."""
    function = program.functions[index]
    known: dict[object, float] = {p.symbol: p.default for p in program.parameters}
    entries = [entry for argument in function.inputs for entry in argument.entries]
    known.update(zip(entries, row, strict=True))
    return np.array(evaluate(program.graph, function.nodes, known), dtype=float)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Parents and numbers of speeds of links, children behind their parents."""
    counts = draw(st.lists(st.integers(1, 6), min_size=1, max_size=12))
    return [draw(st.integers(-1, k - 1)) for k in range(len(counts))], counts


@given(trees(), st.sampled_from(WIDTHS))
def test_each_speed_is_in_one_block_on_its_way_to_the_base(
    tree: tuple[list[int], list[int]], width: int
) -> None:
    parents, counts = tree
    links = [link for link, count in enumerate(counts) for _ in range(count)]
    last = np.cumsum(counts) - 1
    above = [
        k - 1 if k and links[k - 1] == link else (last[parents[link]] if parents[link] >= 0 else -1)
        for k, link in enumerate(links)
    ]
    found = Blocks(above, range(len(links)), links, width)
    assert sorted(k for block in found.blocks for k in block) == list(range(len(links)))
    for block, size, first in zip(found.blocks, found.sizes, found.first, strict=True):
        assert len(block) == size <= width and block[-1] == first
        assert [above[k] for k in block[:-1]] == list(block[1:])
        assert list(block) == list(range(block[0], first - 1, -1))
    # Both climbs together are the way to the base, and every link is left in the one it came in.
    own, rest = found.own(()), found.others(())
    for number, block in enumerate(found.blocks):
        way, k = [], block[0]
        while k != -1:
            way.append(k)
            k = above[k]
        climbed = []
        for climb in (own, rest):
            k = climb.first[number]
            while k != -1:
                climbed.append(k)
                k = climb.following[k]
        assert climbed == way
        assert climbed[: len(block)] == list(block)


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(1, 7))
def test_random_trees_of_all_joints(seed: int, joints: int) -> None:
    assert_blocks_agree(random_tree(seed, joints), seed)


@settings(max_examples=6)
@given(st.integers(0, 10_000), st.booleans())
def test_all_forces_and_parameters(seed: int, tunable: bool) -> None:
    assert_blocks_agree(loaded_tree(seed), seed, "all" if tunable else None)


def assert_blocks_agree(model: Model, seed: int, tunable: str | None = None) -> None:
    """With the expressions, whatever the width, without anything of C between."""
    if not model.speeds or any(joint.mimic for joint in model.joints.values()):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equations, "FEWEST", 1)
        patch.setattr(equations, "LONG", -1)
        program = derive(model).program(functions=(*MATRICES, "normalize"), tunable=tunable)
    rng = np.random.default_rng(seed)
    for index, function in enumerate(program.functions[:-1]):
        inputs = {a.name: rng.uniform(-1, 1, len(a.entries)) for a in function.inputs}
        inputs["q"] = expected(program, len(MATRICES), inputs["q"])
        known = expected(program, index, np.concatenate(list(inputs.values())))
        assert tuple(function.blocked) == WIDTHS
        for loops in function.blocked.values():
            got = np.concatenate(run_rolled(program, function, inputs, loops)[0])
            assert np.abs(got - known).max() <= 1e-12 * np.abs(known).max()


def test_a_base_in_orbit() -> None:
    """Its large velocity cancels nowhere, and its quaternion needs no length."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equations, "FEWEST", 1)
        patch.setattr(equations, "LONG", -1)
        program = derive(walker()).program(functions=MATRICES[1:])
    (function,) = program.functions
    rng = np.random.default_rng(6)
    inputs = {a.name: rng.uniform(-1, 1, len(a.entries)) for a in function.inputs}
    inputs["q"][12:16] /= np.linalg.norm(inputs["q"][12:16])  # that of the ball joint does
    inputs["u"][:3] = 7500.0
    known = np.split(expected(program, 0, np.concatenate(list(inputs.values()))), 3)
    for loops in function.blocked.values():
        got, _ = run_rolled(program, function, inputs, loops)
        for mine, right in zip(got, known, strict=True):
            assert np.abs(mine - right).max() <= 1e-14 * np.abs(right).max()


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize(
    "model", [walker, lambda: general_chain(19)], ids=["walker", "chain of 19"]
)
def test_the_same_bits_on_vectors_of_any_width(
    tmp_path: Path, model: Callable[[], Model], name: str, compiler: str
) -> None:
    """Nothing being fused: eight, four and two columns at once, and one by one; no warnings."""
    program = derive(model()).program(functions=(name,), name="ours")
    sources = emit(program)
    assert sources["ours.c"].count(f"int ours_{name}(") == len(WIDTHS)
    folder = write(sources, tmp_path / "c")
    flags = (*WARNINGS, "-Wshadow", "-O1", "-ffp-contract=off", "-fPIC", "-shared")
    kinds = [("-DOURS_NO_VECTORS",), (), *((flag,) for flag in known_vectors())]
    size = sum(len(port.entries) for port in program.functions[0].inputs)
    rows = np.random.default_rng(2).uniform(-3, 3, (3, size))
    rows[1, 7] *= 1e8  # an angle that the library turns
    for row in rows:
        quaternion = row[12:16]  # of the walker's ball joint; that of its base needs no length
        quaternion /= np.linalg.norm(quaternion)
    found = []
    for number, more in enumerate(kinds):
        library = f"{number}.so"
        compile_c(folder, sources.c_files, library, compiler, *flags, *more)
        found.append(values(folder / library, program, rows))
    for got, codes in found:
        np.testing.assert_array_equal(got, found[0][0])
        assert not any(codes)
    for row, got in zip(rows, found[0][0], strict=True):
        known = expected(program, 0, row)
        assert np.abs(got - known).max() <= 1e-12 * np.abs(known).max()


def told(model: Model, *functions: str) -> dict[str, Any]:
    """The manifest's entries of functions."""
    sources = emit(derive(model).program(functions=functions, name="ours"))
    found: dict[str, Any] = json.loads(sources["ours.json"])["functions"]
    return found


def test_what_is_long_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops, if the line is not much quicker; what hardly can be so is not written."""
    with monkeypatch.context() as patch:
        patch.setattr(forms, "_ROWS_AT_BEST", 1e9)
        (facts,) = told(general_chain(75), "mass_matrix").values()
        patch.setattr(forms, "_WORTH_A_LINE", 0.5)
        (other,) = told(general_chain(75), "mass_matrix").values()
    form = facts["form"]
    assert form["name"] == "loops" and facts["loops"] and form["cost"]["bytes"] < LARGE / 5
    assert form["why"].startswith("blocks of columns; 160 kB in a line, ")
    assert other["form"]["name"] == "rows" and "loops" not in other
    assert other["form"]["why"].endswith("; not small: 160 kB in a line")
    short, _ = told(general_chain(40), "mass_matrix", "forward_dynamics").values()
    assert short["form"]["name"] == "rows" and "loops" not in short

    def line(*_: object) -> None:
        raise AssertionError("a line is written that need not be")

    program = derive(general_chain(75)).program(functions=("mass_matrix",), name="ours")
    monkeypatch.setattr(forms, "_straight", line)
    assert "blocks of columns; 445 kB on plain numbers" in emit(program)["ours.json"]
    with pytest.raises(AssertionError, match="need not be"):
        emit(program, "float")  # vectors are those of double precision


def test_a_built_chain_beside_differences(cache: Path) -> None:
    """As a user builds it: 32 joints, whose derivatives are in loops by themselves."""
    made = eomc.build(
        general_chain(32),
        functions=("inverse_dynamics", "mass_matrix", "inverse_dynamics_derivatives"),
        flags=("-O1",),
        cache_dir=cache,
    )
    in_loops = {name for name, facts in made.manifest["functions"].items() if "loops" in facts}
    assert in_loops == {"inverse_dynamics_derivatives"}
    q, u, a = np.random.default_rng(4).uniform(-1, 1, (3, made.nu))
    found = made.inverse_dynamics_derivatives(q, u, a)
    for place, by in enumerate(found[:2]):
        for k in (0, 7, 15, 31):
            step = np.zeros((3, made.nu))
            step[place, k] = 1e-6
            high, low = (
                made.inverse_dynamics(q + s * step[0], u + s * step[1], a) for s in (1, -1)
            )
            assert np.abs((high - low) / 2e-6 - by[:, k]).max() <= 1e-6 * np.abs(by).max()
    np.testing.assert_allclose(found[2], made.mass_matrix(q), rtol=0, atol=1e-11)


def arm(*more: str) -> Model:
    """Forty turns, one of them led or prescribed if it is asked for."""
    model = general_chain(40)
    if "mimic" in more:
        name = list(model.joints)[-1]
        leader = next(iter(model.joints))
        model.joints[name] = model.joints[name].__class__(
            **{**vars(model.joints[name]), "mimic": Mimic(leader, 1.0, 0.0)}
        )
    if "prescribed" in more:
        model.prescribe(list(model.joints)[3])
    return model


@pytest.mark.parametrize("kind", ["mimic", "prescribed"])
def test_what_has_no_blocks(kind: str) -> None:
    with_blocks, without = (
        derive(model).program(functions=("mass_matrix", "bias")) for model in (arm(), arm(kind))
    )
    assert [bool(function.blocked) for function in with_blocks.functions] == [True, False]
    assert not any(function.blocked for function in without.functions)


def test_short_matrices_have_no_blocks() -> None:
    """Their line could not be long."""
    (function,) = derive(general_chain(33)).program(functions=("mass_matrix",)).functions
    assert not function.blocked
