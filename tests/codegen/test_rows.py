"""Columns of a matrix side by side: found on the graph, and the same bits as one by one."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import COMPILERS, WARNINGS, compile_c, known_vectors
from small_programs.each_state import values

import eomc
from eomc.codegen import emit, write
from eomc.codegen.plan.bodies import Bodies
from eomc.codegen.plan.columns import VectorRows, seeds, swept
from eomc.codegen.plan.packing import Packing
from eomc.codegen.plan.schedule import MERGED, schedule
from eomc.codegen.plan.stored import through_memory
from eomc.codegen.plan.vector_graph import VectorGraph
from eomc.derive.equations import Equations
from eomc.derive.graph import Graph, Program, reachable
from eomc.systems.chain import general_chain

pytestmark = pytest.mark.variants

TENSORS = "inverse_dynamics_second_derivatives"
JOINTS = {"mass_matrix": 16, "forward_dynamics_derivatives": 10, TENSORS: 6}


@pytest.fixture(scope="module")
def chains() -> dict[str, Equations]:
    return {function: eomc.equations(general_chain(count)) for function, count in JOINTS.items()}


def packing(program: Program, width: int) -> Packing:
    (function,) = program.functions
    nodes = reachable(program.graph, function.nodes)
    outputs = [(port.entries, port.shape) for port in function.outputs]
    starts = [*seeds(outputs, width), *swept(program.graph, nodes, width)]
    bodies = Bodies(program.graph, nodes).rows(width)
    rows = VectorRows(program.graph, nodes, starts, bodies)
    return Packing(program.graph, nodes, rows, width, function.nodes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "limits"),
    [
        ("mass_matrix", {"whole_limit": 10_000}),
        ("mass_matrix", {"whole_limit": 1, "piece_size": 60}),
        ("forward_dynamics_derivatives", {"whole_limit": 1, "piece_size": 700, "file_limit": 3000}),
        (TENSORS, {"whole_limit": 1, "piece_size": 700, "file_limit": 100_000}),
    ],
    ids=["whole", "pieces", "files", "along directions"],
)
def test_the_same_bits_as_one_by_one(tmp_path: Path, chains, function, limits):
    """Nothing being fused, on vectors of four and of eight; far away, and without a value."""
    program = chains[function].program(functions=(function,), name="ours")
    sources = emit(program, **limits)
    assert json.loads(sources["ours.json"])["functions"][function]["form"]["name"] == "rows"
    folder = write(sources, tmp_path / "c")
    common = (
        *WARNINGS,
        "-Wshadow",
        "-O0" if "file_limit" in limits else "-O1",
        "-ffp-contract=off",
        "-fPIC",
        "-shared",
    )
    rng = np.random.default_rng(5)
    rows = rng.uniform(-3, 3, (8, sum(len(port.entries) for port in program.functions[0].inputs)))
    rows[1, : JOINTS[function]] *= 1e8
    rows[2, 1] = np.nan
    found = {}
    compiler = COMPILERS[-1] if "whole_limit" in limits and len(limits) == 1 else COMPILERS[0]
    for number, flags in enumerate((("-DOURS_NO_VECTORS",), *((f,) for f in known_vectors()))):
        compile_c(folder, sources.c_files, f"{number}.so", compiler, *common, *flags)
        found[number] = values(folder / f"{number}.so", program, rows)
    for results, codes in found.values():
        np.testing.assert_array_equal(results, found[0][0])
        assert codes == found[0][1]
    assert np.isfinite(found[0][0][:2]).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "share"),
    [("mass_matrix", 0.55), ("forward_dynamics_derivatives", 0.7), (TENSORS, 0.6)],
)
def test_fewer_operations(chains, function, share):
    """Eight columns take little more than one; the manifest says so."""
    program = chains[function].program(functions=(function,), name="ours")
    graph = program.graph
    operations = sum(
        graph.op[node] not in ("const", "symbol", "neg")
        for node in reachable(graph, program.functions[0].nodes)
    )
    took = {width: packing(program, width).statements for width in (4, 8)}
    assert took[8] < took[4] < operations and took[8] < share * operations
    assert "ours_row8" in emit(program)["ours.c"]
    assert "ours_row" not in emit(program, "float")["ours.c"]


def test_signs_and_entering_columns():
    """Columns that begin later, one with its signs turned: no row is multiplied by -1."""
    g = Graph()
    x = [[g.symbol(f"x{column}{k}") for k in range(2)] for column in range(4)]
    turned = [(a, b) for a, b in x]
    turned[1] = g.neg(turned[1][0]), g.neg(turned[1][1])
    turned[2] = turned[2][0], g.neg(turned[2][1])
    ends: list[tuple[int, int]] = []
    for step in range(4):
        c, s = g.symbol(f"c{step}"), g.symbol(f"s{step}")
        ends.append(turned[step])
        ends = [(g.sub(g.mul(c, a), g.mul(s, b)), g.add(g.mul(s, a), g.mul(c, b))) for a, b in ends]
    entries = [node for side in (0, 1) for node in (end[side] for end in ends)]
    nodes = reachable(g, entries)
    rows = VectorRows(g, nodes, seeds([(entries, (2, 4))], 4))
    made = Packing(g, nodes, rows, 4)
    texts = [made.into.value[n] for n in made.into.vectors if made.into.op[n] == "const"]
    assert not texts, "a sign was changed by a multiplication"
    assert len(rows.rows) >= 12 and all(
        made.into.op[made.into.without_sign(made.scalar(n))].startswith("lane") for n in entries[:3]
    )


def energies(graph: Graph, count: int, signs: list[int]) -> tuple[list[int], list[int]]:
    """m (x x - c y) of bodies whose y is stored with a sign; x of each from that of the one before,
    which is the recursion."""
    x, found, through = graph.symbol("x"), [], []
    ys = []
    for k in range(count):
        y = graph.mul(graph.symbol(f"a{k}"), graph.symbol(f"b{k}"))
        x = graph.add(graph.mul(graph.symbol(f"c{k}"), x), graph.symbol(f"d{k}"))
        through.append(x)
        ys.append(y if signs[k] > 0 else graph.neg(y))
        inner = graph.sub(graph.mul(x, x), graph.mul(graph.constant(2.1 + k), ys[-1]))
        found.append(graph.mul(graph.constant(1.3 + k), inner))
    graph.bodies += [tuple(through), tuple(ys)]
    return found, through


def test_like_steps_of_several_bodies():
    """What follows from the quantities of each is one row, whatever their signs; the recursion is
    none, nor is what two bodies of four do."""
    g = Graph()
    found, through = energies(g, 4, [1, -1, 1, 1])
    nodes = reachable(g, found)
    rows = list(Bodies(g, nodes).rows(4))
    assert [row.op for row in rows] == ["mul", "mul", "sum", "mul"]
    assert rows[-1].members == tuple(g.without_sign(node) for node in found)
    recursion = {g.without_sign(node) for node in through}
    assert recursion.isdisjoint(member for row in rows for member in row.members)
    assert not list(Bodies(g, reachable(g, found[:2])).rows(4))
    made = Packing(g, nodes, VectorRows(g, nodes, [], rows), 4, found)
    assert made.statements - 8 < len([n for n in nodes if g.op[n] in ("add", "sub", "mul")])


def test_different_bodies_are_no_neighbours():
    """Of links that turn about z and about y in turn, each kind has vectors of its own."""
    chain = eomc.equations(general_chain(18)).program(functions=("forward_dynamics_derivatives",))
    nodes = reachable(chain.graph, chain.functions[0].nodes)
    rows = VectorRows(chain.graph, nodes, [], Bodies(chain.graph, nodes).rows(8))
    made = Packing(chain.graph, nodes, rows, 8)
    entered = [made.into.op[n] for n in made.into.vectors if made.into.op[n].startswith("put")]
    assert len(entered) < len(rows.rows) / 10


def test_signs_move_outwards():
    """Of numbers as in a graph of numbers; a difference is turned round, a product beside a sum
    takes the sign."""
    g = VectorGraph("pack", "lane")
    x, y, z = (g.symbol(name) for name in "xyz")
    minus = [g.plain("neg", symbol) for symbol in (x, y)]
    assert g.outward("mul", *minus) == g.plain("mul", x, y)
    assert g.outward("add", minus[0], y) == g.plain("sub", y, x)
    assert g.outward("sub", minus[0], y) == g.plain("neg", g.plain("add", x, y))
    assert g.outward("sub", *minus) == g.plain("sub", y, x)
    difference = g.plain("sub", x, y)
    assert g.negated(difference) == g.plain("neg", g.plain("sub", y, x))
    assert g.negated(g.plain("neg", difference)) == g.plain("sub", y, x)
    product = g.plain("mul", x, y)
    turned = g.plain("neg", g.plain("sub", g.plain("neg", product), z))
    assert g.negated(g.plain("add", z, product)) == turned
    assert g.negated(g.plain("add", x, y)) == g.plain("add", x, y)


def test_what_is_stored_negated_is_computed_so(chains):
    """A number whose negative enters a row, and none other: a difference the other way round."""
    program = chains["forward_dynamics_derivatives"].program(
        functions=("forward_dynamics_derivatives",), name="ours"
    )
    text = "".join(emit(program).values())
    names = set(re.findall(r"\] = -(t\d+);", text)) - set(re.findall(r"\] = (t\d+);", text))
    computed = re.findall(r"const ours_real (t\d+) = \w+ - \w+;", text)
    assert len(computed) > 100 and names.isdisjoint(computed)


def test_rows_are_made_in_the_work_array(chains):
    """In pieces no vector is put together in registers, and lanes are read where they stand."""
    program = chains["forward_dynamics_derivatives"].program(
        functions=("forward_dynamics_derivatives",), name="ours"
    )
    text = "".join(emit(program).values())
    lines = text.split("TURN_BYTES == 64\n")[1].split("TURN_BYTES == 32\n")[0].splitlines()
    made = [line for line in lines if "= (ours_row8){" in line and "ROW8_AT" not in line]
    assert len(made) < 0.05 * sum("ROW8_AT" in line for line in lines)


def test_a_row_of_inputs_alone_is_put_together_where_it_is_read():
    """No statement stores its lanes; one of computed numbers is stored by them."""
    g = VectorGraph("pack", "lane")
    symbols = [g.symbol(name) for name in "abcd"]
    inputs = g.plain("pack", *symbols)
    numbers = [g.plain("mul", symbol, symbol) for symbol in symbols]
    computed = g.plain("pack", *numbers)
    row = g.plain("mul", inputs, g.plain("add", inputs, computed))
    lanes = [g.plain(f"lane{k}", row) for k in range(4)]
    stored = through_memory(g, schedule(g, lanes, MERGED | {"lane0"}), lanes, ())
    assert computed in stored.gone and inputs not in stored.gone
    begun = {pack for packs in stored.begins.values() for pack in packs}
    assert stored.gone <= begun | stored.lanes.keys()


@pytest.mark.slow
def test_limits_between_what_is_cut_and_what_is_whole(chains):
    """Rows in memory save statements: what is cut for having too many may then have few enough."""
    program = chains["mass_matrix"].program(functions=("mass_matrix",), name="ours")
    texts = ["".join(emit(program, whole_limit=limit).values()) for limit in range(500, 700, 10)]
    cut = [text.count("void ours_mass_matrix_piece_1(") for text in texts]
    assert cut[0] > cut[-1] and cut == sorted(cut, reverse=True)
    assert len(set(texts)) > len(set(cut))  # cut, with rows in memory and without
