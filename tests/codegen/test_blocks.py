"""Matrices in loops over blocks of columns: the same bits on vectors of any width, and chosen for
what is long in a line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynamics.loaded_trees import loaded_tree
from dynamics.test_chain_response import chain
from hypothesis import given, settings
from hypothesis import strategies as st
from peers.random_trees import random_tree
from small_programs.c_library import COMPILERS, WARNINGS, compile_c, known_vectors
from small_programs.each_state import values
from small_programs.run_rolled import expected, run_rolled
from small_programs.walker import walker

import eomc
from eomc.codegen import emit, write
from eomc.codegen.c import function as forms
from eomc.codegen.plan.cost import CodeForm
from eomc.derive.equations import equations_of_motion
from eomc.derive.graph.tuning import LARGE_LINE_BYTES
from eomc.derive.model import Mimic, Model
from eomc.derive.rolled import matrices
from eomc.derive.rolled.blocks import Blocks, ChainBlocks
from eomc.derive.rolled.matrices import WIDTHS, BlockedFunctions
from eomc.systems.chain import general_chain

pytestmark = pytest.mark.variants

MATRICES = ("mass_matrix", "inverse_dynamics_derivatives", "forward_dynamics_derivatives")


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks for trees of any size, however short their lines."""
    monkeypatch.setattr(equations_of_motion, "FEWEST_SPEEDS", 1)
    monkeypatch.setattr(equations_of_motion, "LONG_FUNCTION", -1)
    monkeypatch.setattr(forms, "LARGE_LINE_BYTES", -1)
    monkeypatch.setattr(forms, "WORTH_A_LINE", 1e9)


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


@given(st.permutations(range(9)), st.sampled_from(WIDTHS), st.booleans())
def test_each_joint_of_a_chain_is_in_one_block_on_its_way_to_the_tip(
    order: list[int], width: int, shuffled: bool
) -> None:
    """Blocks end where the arrays have another order."""
    index = order if shuffled else range(9)
    found = ChainBlocks(index, width)
    own, rest = found.own(()), found.others(())
    joined = []
    for first, size, *starts in zip(found.first, found.sizes, own.first, rest.first, strict=True):
        way, k = [], starts[0]
        while k != -1:
            way.append(k)
            k = own.following[k]
        assert way == list(range(first, first + size)) and size <= width
        assert [index[k] - index[first] for k in way] == list(range(size))
        joined += way
        k = starts[1]
        while k != -1:
            way.append(k)
            k = rest.following[k]
        assert way == list(range(first, 9))
    assert joined == list(range(9))
    assert shuffled or found.sizes == tuple(min(width, 9 - k) for k in range(0, 9, width))


@pytest.mark.slow
@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(1, 7))
def test_random_trees_of_all_joints(seed: int, joints: int) -> None:
    assert_blocks_agree(random_tree(seed, joints), seed)


@pytest.mark.slow
@settings(max_examples=6)
@given(st.integers(0, 10_000), st.booleans())
def test_all_forces_and_parameters(seed: int, tunable: bool) -> None:
    assert_blocks_agree(loaded_tree(seed), seed, "all" if tunable else None)


KINDS = ("revolute", "prismatic", "screw")


@pytest.mark.slow
@settings(max_examples=12)
@given(
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=10),
    st.sampled_from(["nothing", "losses", "rotors", "a spring"]),
    st.integers(0, 10_000),
    st.sampled_from([1, 20]),
)
def test_random_chains(kinds: list[str], more: str, seed: int, long: int) -> None:
    """Joints that turn, slide or do both; forces on each joint, and of the last body. Responses of
    forward dynamics, and solutions with M."""
    own = {
        "losses": {"damping": 0.2, "friction": 0.3, "friction_speed": 0.5},
        "rotors": {"rotor_inertia": 0.1, "gear_ratio": 3.0},
    }
    model = chain(kinds, seed, **own.get(more, {}))
    if more == "a spring":
        ends = eomc.Point(f"b{len(kinds) - 1}", (0.1, 0.2, 0.3)), eomc.Point("world", (5, 7, 6))
        model.spring("s", a=ends[0], b=ends[1], stiffness=3.0, damping=0.4, free_length=0.2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matrices, "LONG_CHAIN", long)
        assert_blocks_agree(model, seed)


def rounding(name: str, known: np.ndarray) -> float:
    """What solving with M may lose, relative: some eps times the condition of M."""
    if name != "forward_dynamics_derivatives":
        return 1e-12
    inverse = np.split(known, 3)[2]
    size = math.isqrt(inverse.size)
    return max(1e-12, 10 * np.finfo(float).eps * np.linalg.cond(inverse.reshape(size, size)))


def assert_blocks_agree(model: Model, seed: int, tunable: str | None = None) -> None:
    """With the expressions, whatever the width, without anything of C between."""
    if not model.speeds or any(joint.mimic for joint in model.joints.values()):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equations_of_motion, "FEWEST_SPEEDS", 1)
        patch.setattr(equations_of_motion, "LONG_FUNCTION", -1)
        program = eomc.equations(model).program(functions=(*MATRICES, "normalize"), tunable=tunable)
    rng = np.random.default_rng(seed)
    for index, function in enumerate(program.functions[:-1]):
        inputs = {a.name: rng.uniform(-1, 1, len(a.entries)) for a in function.inputs}
        inputs["q"] = expected(program, len(MATRICES), inputs["q"])
        known = expected(program, index, np.concatenate(list(inputs.values())))
        assert tuple(function.blocked) == WIDTHS
        allowed = rounding(function.name, known) * np.abs(known).max()
        for loops in function.blocked.values():
            got, failed = run_rolled(program, function, inputs, loops)
            assert np.abs(np.concatenate(got) - known).max() <= allowed
            assert not failed


@pytest.mark.parametrize(
    ("name", "digits"), [(MATRICES[1], 14), (MATRICES[2], 13)], ids=["inverse", "forward"]
)
def test_a_base_in_orbit(name: str, digits: int) -> None:
    """Its large velocity cancels nowhere, and its quaternion needs no length; solving with M loses
    a digit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equations_of_motion, "FEWEST_SPEEDS", 1)
        patch.setattr(equations_of_motion, "LONG_FUNCTION", -1)
        program = eomc.equations(walker()).program(functions=(name,))
    (function,) = program.functions
    rng = np.random.default_rng(6)
    inputs = {a.name: rng.uniform(-1, 1, len(a.entries)) for a in function.inputs}
    inputs["q"][12:16] /= np.linalg.norm(inputs["q"][12:16])  # that of the ball joint does
    inputs["u"][:3] = 7500.0
    known = np.split(expected(program, 0, np.concatenate(list(inputs.values()))), 3)
    for loops in function.blocked.values():
        got, _ = run_rolled(program, function, inputs, loops)
        for mine, right in zip(got, known, strict=True):
            assert np.abs(mine - right).max() <= 10**-digits * np.abs(right).max()


def pendulums(count: int) -> Model:
    """No two speeds are on the way of each other."""
    model = eomc.Model("pendulums")
    for k in range(count):
        model.body(f"bob{k}", mass=1 + 0.1 * k, com=(0.1, 0, -1), inertia=(0.1, 0.1, 0.1, 0, 0, 0))
        model.joint(f"j{k}", "revolute", parent="world", child=f"bob{k}", axis=(0, 0.6, 0.8))
    return model


@pytest.mark.slow
@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize(
    "model",
    [walker, lambda: general_chain(19), lambda: pendulums(9)],
    ids=["walker", "chain of 19", "pendulums"],
)
def test_the_same_bits_on_vectors_of_any_width(
    tmp_path: Path, model: Callable[[], Model], name: str, compiler: str
) -> None:
    """Nothing being fused: eight, four and two columns at once, and one by one; no warnings."""
    program = eomc.equations(model()).program(functions=(name,), name="ours")
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


def test_a_body_without_inertia_is_reported() -> None:
    """By the loops of a chain, and of a tree that is none."""
    for branches in (1, 2):
        model = eomc.Model("singular")
        mass = model.parameter("m", 1.0, tunable=True)
        for k in range(branches):
            model.body(f"bob{k}", mass=mass, com=(0, 0, -1))
            model.joint(f"j{k}", "revolute", parent="world", child=f"bob{k}", axis=(0, 1, 0))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(equations_of_motion, "FEWEST_SPEEDS", 1)
            patch.setattr(equations_of_motion, "LONG_FUNCTION", -1)
            patch.setattr(matrices, "LONG_CHAIN", 1)
            program = eomc.equations(model).program(functions=MATRICES[2:])
        (function,) = program.functions
        inputs = {a.name: np.full(len(a.entries), 0.3) for a in function.inputs}
        for value, codes in ((1.0, set()), (0.0, {"singular_mass_matrix"})):
            given = tuple(replace(p, default=value) for p in program.parameters)
            for loops in function.blocked.values():
                with np.errstate(all="ignore"):
                    _, failed = run_rolled(
                        replace(program, parameters=given), function, inputs, loops
                    )
                assert failed == codes


def told(model: Model, *functions: str) -> dict[str, Any]:
    """The manifest's entries of functions."""
    sources = emit(eomc.equations(model).program(functions=functions, name="ours"))
    found: dict[str, Any] = json.loads(sources["ours.json"])["functions"]
    return found


@pytest.mark.slow
def test_what_is_long_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops, if the line is not much quicker; what hardly can be so is not written."""
    with monkeypatch.context() as patch:
        patch.setattr(forms, "ROWS_AT_BEST", 1e9)
        (facts,) = told(general_chain(75), "mass_matrix").values()
        patch.setattr(forms, "WORTH_A_LINE", 0.5)
        (other,) = told(general_chain(75), "mass_matrix").values()
    form = facts["form"]
    assert (
        form["name"] == "loops" and facts["loops"] and form["cost"]["bytes"] < LARGE_LINE_BYTES / 5
    )
    assert form["why"].startswith("blocks of columns; 160 kB in a line, ")
    assert other["form"]["name"] == "rows" and "loops" not in other
    assert other["form"]["why"].endswith("; not small: 160 kB in a line")
    short, _ = told(general_chain(40), "mass_matrix", "forward_dynamics").values()
    assert short["form"]["name"] == "rows" and "loops" not in short

    def line(*_: object) -> None:
        raise AssertionError("a line is written that need not be")

    program = eomc.equations(general_chain(75)).program(functions=("mass_matrix",), name="ours")
    monkeypatch.setattr(forms, "_straight", line)
    assert "blocks of columns; 445 kB on plain numbers" in emit(program)["ours.json"]
    with pytest.raises(AssertionError, match="need not be"):
        emit(program, "float")  # vectors are those of double precision


@pytest.mark.slow
def test_derivatives_of_forward_dynamics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chosen for a chain of twenty joints by estimate; where a line is derived, one that would be
    vast is not written."""
    name = "forward_dynamics_derivatives"
    (facts,) = told(general_chain(20), name).values()
    assert facts["form"]["why"] == "blocks of columns; a line is longer by estimate"
    monkeypatch.setattr(BlockedFunctions, "win", lambda *_: False)
    (facts,) = told(general_chain(20), name).values()
    assert re.match(r"blocks of columns; 1\d\d kB in a line, \d+ ns", facts["form"]["why"])
    monkeypatch.setattr(forms, "ROWS_AT_BEST", 1e9)
    with monkeypatch.context() as patch:
        patch.setattr(forms, "VAST_LINE_BYTES", 100_000)
        (facts,) = told(general_chain(20), name).values()
    assert re.match(r"blocks of columns; \d+ kB on plain numbers", facts["form"]["why"])
    with monkeypatch.context() as patch:  # a line that is quicker is written, however vast
        patch.setattr(forms, "VAST_LINE_BYTES", 100_000)
        patch.setattr(forms, "WORTH_A_LINE", 0.5)
        patch.setattr(forms, "_in_rows", slower(forms._in_rows))
        (facts,) = told(general_chain(20), name).values()
    assert facts["form"]["name"] == "rows"


def slower(write: Callable[..., Any]) -> Callable[..., Any]:
    """Loops that take ten times as long."""

    def in_rows(*arguments: object) -> tuple[object, CodeForm]:
        body, form = write(*arguments)
        return body, replace(form, cost=replace(form.cost, time=10 * form.cost.time))

    return in_rows


LOOPED = {"inverse_dynamics_derivatives", "forward_dynamics_derivatives"}


@pytest.mark.slow
@pytest.mark.parametrize("small", [False, True], ids=["blocks", "small"])
def test_a_built_chain_beside_differences(cache: Path, small: bool) -> None:
    """As a user builds it: 32 joints, whose derivatives are in loops by themselves; and small."""
    assert_beside_differences(general_chain(32), cache, small=small, joints=(0, 7, 15, 31))


@pytest.mark.slow
def test_a_built_tree_beside_differences(cache: Path) -> None:
    """A body with four arms of nine joints, which shares nothing with a chain; small."""
    model = eomc.Model("crab", gravity=(1, 2, -9))
    model.body("shell", mass=3, com=(0.1, 0.2, 0), inertia=(0.3, 0.4, 0.5, 0.01, 0.02, 0.03))
    model.joint("drive", "planar", parent="world", child="shell", axis=(0, 0.6, 0.8))
    for arm in range(4):
        parent = "shell"
        for k in range(9):
            name = f"a{arm}_{k}"
            place = eomc.Placement(xyz=(0.2, 0.1 * arm - 0.2, 0.1), rpy=(0.3 * k, 0.4 * arm, 0.5))
            model.body(name, mass=0.3, com=(0.1, 0.02, 0.03), inertia=(0.02, 0.03, 0.04, 0, 0, 0))
            model.joint(
                f"j{name}", "revolute", parent=parent, child=name, axis=(0, 0, 1), placement=place
            )
            parent = name
    assert_beside_differences(model, cache, small=True, joints=(0, 2, 5, 14, 38))


def assert_beside_differences(
    model: Model, cache: Path, *, small: bool, joints: Sequence[int]
) -> None:
    names = ("inverse_dynamics", "forward_dynamics", "mass_matrix", *sorted(LOOPED))
    made = eomc.build(model, functions=names, flags=("-O1",), cache_dir=cache, small=small)
    in_loops = {name for name, facts in made.manifest["functions"].items() if "loops" in facts}
    assert in_loops == (set(names) if small else LOOPED)
    q, u, a = np.random.default_rng(4).uniform(-1, 1, (3, made.nu))
    tau = made.inverse_dynamics(q, u, a)
    backward = made.inverse_dynamics_derivatives(q, u, a)
    forward = made.forward_dynamics_derivatives(q, u, tau)
    for place in range(2):
        for k in joints:
            step = np.zeros((2, made.nu))
            step[place, k] = 1e-6
            moved = [(q + s * step[0], u + s * step[1]) for s in (1, -1)]
            for derivatives, function, last in (
                (backward, made.inverse_dynamics, a),
                (forward, made.forward_dynamics, tau),
            ):
                high, low = (function(*at, last) for at in moved)
                by = derivatives[place]
                assert np.abs((high - low) / 2e-6 - by[:, k]).max() <= 1e-6 * np.abs(by).max()
    M = made.mass_matrix(q)
    np.testing.assert_allclose(backward[2], M, rtol=0, atol=1e-11)
    np.testing.assert_allclose(forward[2] @ M, np.eye(made.nu), rtol=0, atol=1e-8)


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
        model.prescribed(list(model.joints)[3])
    return model


@pytest.mark.parametrize("kind", ["mimic", "prescribed"])
def test_what_has_no_blocks(kind: str) -> None:
    with_blocks, without = (
        eomc.equations(model).program(functions=("mass_matrix", "bias"))
        for model in (arm(), arm(kind))
    )
    assert [bool(function.blocked) for function in with_blocks.functions] == [True, False]
    assert not any(function.blocked for function in without.functions)


def test_short_matrices_have_no_blocks() -> None:
    """Their line could not be long."""
    (function,) = eomc.equations(general_chain(33)).program(functions=("mass_matrix",)).functions
    assert not function.blocked
