"""Like limbs side by side: found on the graph, and the same bits as one after the other."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from small_models.limbs import BODIES, JOINTS
from small_programs.c_library import COMPILERS, WARNINGS, compile_c
from small_programs.each_state import values

import eomc
from eomc.codegen import emit, write
from eomc.codegen.code_size import machine_code
from eomc.codegen.plan.mirror import mirror_pairs
from eomc.codegen.plan.pairs import Counts, Pairing
from eomc.codegen.plan.signs import Signs
from eomc.codegen.plan.vector_graph import VectorGraph
from eomc.derive.equations import Equations
from eomc.derive.graph import Graph, Program, reachable

pytestmark = pytest.mark.variants

FUNCTIONS = ("inverse_dynamics", "mass_matrix", "forward_dynamics")


@pytest.fixture(scope="module")
def derived() -> dict[str, Equations]:
    return {name: eomc.equations(model) for name, model in BODIES.items()}


def counts(program: Program) -> Counts:
    (function,) = program.functions
    place = {node: port.name for port in function.inputs for node in port.entries}
    return Pairing(program.graph, reachable(program.graph, function.nodes), place).counts


def states(count: int, program: Program) -> np.ndarray:
    """Random ones, one far away, one that is no number."""
    sizes = [len(port.entries) for port in program.functions[0].inputs]
    rows = np.random.default_rng(5).uniform(-3, 3, (count, sum(sizes)))
    rows[1, sizes[0] - JOINTS : sizes[0]] *= 1e8
    rows[2, 1] = np.nan
    return rows


@pytest.mark.parametrize(
    ("body", "function", "form"),
    [
        *itertools.product(("mirrored", "like", "three"), FUNCTIONS[::2], ("whole", "pieces")),
        ("mirrored", "mass_matrix", "whole"),
        ("driven", "inverse_dynamics", "whole"),
        ("like", "mass_matrix", "pieces"),
        ("mirrored", "forward_dynamics", "files"),
        ("floating", "forward_dynamics", "pieces"),
        ("quadruped", "forward_dynamics", "whole"),
        ("quadruped", "inverse_dynamics", "pieces"),
    ],
)
def test_the_same_bits_as_one_after_the_other(tmp_path: Path, derived, body, function, form):
    """Nothing being fused; on both compilers, one of them on longer vectors."""
    limits = {
        "whole": {"whole_limit": 10_000},
        "pieces": {"whole_limit": 1, "piece_size": 60},
        "files": {"whole_limit": 1, "piece_size": 90, "file_limit": 200},
    }
    program = derived[body].program(functions=(function,), name="ours")
    sources = emit(program, **limits[form])
    folder = write(sources, tmp_path / "c")
    common = (*WARNINGS, "-Wshadow", "-O1", "-ffp-contract=off", "-fPIC", "-shared")
    kinds = {"alone": ("-DOURS_NO_VECTORS",), "pairs": ()} | (
        {"wide": ("-mavx2",)} if form == "pieces" else {}
    )
    rows = states(12, program)
    found = {}
    compiler = COMPILERS[-1] if form == "whole" else COMPILERS[0]
    for kind, flags in kinds.items():
        name = f"{kind}.so"
        compile_c(folder, sources.c_files, name, compiler, *common, *flags)
        found[kind] = values(folder / name, program, rows)
    for kind in found.keys() - {"alone"}:
        np.testing.assert_array_equal(found[kind][0], found["alone"][0])
        assert found[kind][1] == found["alone"][1]
    assert np.isfinite(found["alone"][0][:2]).all()


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("body", ["mirrored", "like", "floating", "quadruped"])
def test_two_like_limbs_are_one(derived, body, function):
    """Most operations are pairs, signs agree, nothing is shuffled; half the statements. Legs are
    two and two, and the motion of a trunk that floats is no limb's."""
    program = derived[body].program(functions=(function,), name="ours")
    took = counts(program)
    assert took.packed >= 0.85 * took.nodes and took.packs == took.packed // 2
    assert took.fixes <= 0.02 * took.packs and took.gathers <= 0.04 * took.packs
    text = emit(program)["ours.c"]
    assert "#if OURS_PAIRS\n" in text and "shuffle" not in text


@pytest.mark.parametrize("body", ["unlike", "chain"])
def test_without_like_limbs_there_are_no_pairs(derived, body):
    for function in FUNCTIONS:
        text = emit(derived[body].program(functions=(function,), name="ours"))["ours.c"]
        assert "_PAIRS" not in text and "ours_pair" not in text


def test_pairs_only_in_double_precision(derived):
    program = derived["mirrored"].program(functions=FUNCTIONS[:1], name="ours")
    assert "_PAIRS" not in emit(program, "float")["ours.c"]


def test_half_the_code(tmp_path: Path):
    """Machine code of the forward dynamics of two like limbs, by the compiler's own symbols."""
    program = eomc.equations(BODIES["mirrored"]).program(
        functions=("forward_dynamics",), name="ours"
    )
    sources = emit(program)
    folder = write(sources, tmp_path)
    sizes = []
    for flags in ((), ("-DOURS_NO_VECTORS",)):
        path = compile_c(
            folder, sources.c_files, "part.o", "gcc", "-O2", "-march=x86-64-v3", "-c", *flags
        )
        sizes.append(sum(machine_code(path, "ours").values()))
    assert 0 < sizes[0] < 0.65 * sizes[1]


def test_components_of_a_trunk_are_no_limbs(derived):
    """Of a base that floats two components of the speed may look alike; the legs' inputs alone
    take each other's place."""
    program = derived["quadruped"].program(functions=("inverse_dynamics",), name="ours")
    (function,) = program.functions
    graph, nodes = program.graph, reachable(program.graph, function.nodes)
    place = {node: port.name for port in function.inputs for node in port.entries}
    pairs = mirror_pairs(graph, nodes, place)
    names = {graph.value[a]: graph.value[b] for a, b in pairs.items() if graph.op[a] == "symbol"}
    # Three joints a leg: left and right of the fore ones, then of the hind ones.
    legs = {
        f"{array}[{first + end + k}]": f"{array}[{first + end + k + 3}]"
        for array, first in (("q", 7), ("u", 6), ("a", 6))
        for end in (0, 6)
        for k in range(3)
    }
    assert names == legs


def test_numbers_of_a_trunk_take_the_sign_that_is_asked():
    """One limb adds what the other subtracts, in three places: one change of sign serves all."""
    g = Graph()
    first, second, x, y = (g.symbol(name) for name in ("q[0]", "q[1]", "u[0]", "u[1]"))
    trunk = g.add(g.mul(x, x), g.mul(g.constant(3), y))
    ends = []
    for q, add in ((first, g.add), (second, g.sub)):
        near = add(g.unary("sin", q), trunk)
        ends.append(g.mul(near, add(g.mul(near, q), trunk)))
    nodes = reachable(g, ends)
    made = Pairing(g, nodes, {first: "q", second: "q", x: "u", y: "u"})
    assert made.counts.fixes == 1 and made.counts.gathers == 0


def mirror_graph() -> tuple[Graph, list[int], dict[int, str], list[int]]:
    """Four joints in two pairs: (c0 + u0 k) and (c1 - u1 k), with numbers that differ."""
    g = Graph()
    q = [g.symbol(f"q[{k}]") for k in range(4)]
    ends = []
    for k, sign in ((0, 1.0), (2, -1.0)):
        near = g.mul(g.constant(0.3 * sign), g.unary("sin", q[k]))
        far = g.mul(g.constant(1.7), g.unary("cos", q[k + 1]))
        ends.append(g.mul(g.add(far, near), g.add(g.mul(near, q[k + 1]), g.constant(0.2 * sign))))
    nodes = reachable(g, ends)
    return g, nodes, dict.fromkeys(q, "q"), ends


def test_images_of_a_small_graph():
    g, nodes, place, ends = mirror_graph()
    pairs = mirror_pairs(g, nodes, place)
    assert pairs[ends[0]] == ends[1]
    names = {g.value[a]: g.value[b] for a, b in pairs.items() if g.op[a] == "symbol"}
    assert names == {"q[0]": "q[2]", "q[1]": "q[3]"}
    made = Pairing(g, nodes, place)
    assert made.counts.packed == made.counts.nodes and not made.counts.gathers
    assert isinstance(made.into, VectorGraph)
    low, high = (made.scalar(end) for end in ends)
    assert made.into.op[low] == "low"
    assert made.into.op[high] in ("high", "neg")


def test_signs_that_cannot_agree_are_told():
    signs = Signs()
    a, b, c = (signs.unknown() for _ in range(3))
    product = (a[0] ^ b[0], 1)
    assert signs.equate(product, c) and signs.equate(a, b)
    assert signs.solution() == {0: 0, 1: 0, 2: 1}
    assert not signs.equate(c, (0, 0)) and signs.equate(c, (0, 1))
