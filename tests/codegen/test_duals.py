"""Values beside what they change by: as on plain numbers, and in how many operations."""

import itertools
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from small_models.limbs import BODIES, JOINTS
from small_programs.c_library import COMPILERS, WARNINGS, compile_c
from small_programs.each_state import values

import eomc
from eomc.codegen import emit, write
from eomc.codegen.plan.changes import ChangingValues, direction
from eomc.codegen.plan.duals import Duals
from eomc.derive.equations import Equations
from eomc.derive.graph import ForwardSweep, Graph, Program, evaluate, reachable
from eomc.derive.graph.rotations import rotations
from eomc.derive.model import Model

pytestmark = pytest.mark.variants

MODELS = Path(__file__).parents[2] / "examples" / "models"
FUNCTIONS = ("inverse_dynamics_jvp", "inverse_dynamics_hvp", "forward_dynamics_hvp")
KINDS = {"alone": ("-DOURS_NO_VECTORS",), "pairs": (), "quads": ("-mavx2",)}


def slides() -> Model:
    """A chain of joints of several kinds, at a spring and a damper, about axes that lie askew."""
    model = eomc.Model("slides", gravity=(0.3, 0, -9.81))
    parent = "world"
    joints = (("revolute", (1, 2, 2)), ("prismatic", (0, 3, 4)), ("spherical", None))
    for k, (kind, axis) in enumerate((*joints, *joints)):
        model.body(f"b{k}", mass=1 + k, com=(0.1, 0.2, -0.1 * k), inertia=(0.3, 0.4, 0.5))
        place = eomc.Placement(xyz=(0.2, 0.1 * k, -0.3))
        given = {} if axis is None else {"axis": axis}
        model.joint(f"j{k}", kind, parent=parent, child=f"b{k}", placement=place, **given)
        parent = f"b{k}"
    ends = {"a": eomc.Point("world", (0.4, 0, 0)), "b": eomc.Point("b5", (0, 0.1, 0))}
    model.spring("cord", stiffness=30, damping=2, free_length=0.3, **ends)
    return model


OTHERS = {
    "slides": slides,
    "loop": lambda: eomc.load(MODELS / "four_bar.toml"),
    "beam": lambda: eomc.load(MODELS / "flexible_arm.toml"),
}


@cache
def derived(name: str) -> Equations:
    return eomc.equations(BODIES[name] if name in BODIES else OTHERS[name]())


def program_of(name: str, function: str) -> Program:
    return derived(name).program(functions=(function,), name="ours")


def states(program: Program, *, turns: bool) -> np.ndarray:
    """Random ones, one that is no number; if the last coordinates are turns, one far away."""
    sizes = [len(port.entries) for port in program.functions[0].inputs]
    rows = np.random.default_rng(5).uniform(-2, 2, (6, sum(sizes)))
    rows[1, sizes[0] - JOINTS : sizes[0]] *= 1e8 if turns else 1
    rows[2, 1] = np.nan
    return rows


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "function"),
    [
        *itertools.product(("mirrored", "three", "chain", "floating"), FUNCTIONS),
        ("like", "inverse_dynamics_hvp"),
        ("unlike", "forward_dynamics_hvp"),
        ("quadruped", "inverse_dynamics_hvp"),
        *itertools.product(OTHERS, FUNCTIONS[1:]),
    ],
)
def test_as_on_plain_numbers(tmp_path: Path, name, function):
    """On vectors of two, of four and on none; but for the order in which changes are summed up."""
    program = program_of(name, function)
    limits = {"whole_limit": 400, "piece_size": 150}
    sources = emit(program, **limits)
    # Of the free base forward dynamics is so long by itself that pairs of limbs hardly pay.
    limbs = name == "mirrored" or (name, function[:7]) == ("floating", "inverse")
    assert "__builtin_shufflevector" in sources["ours.c"] or not limbs
    folder = write(sources, tmp_path / "c")
    common = (*WARNINGS, "-Wshadow", "-O1", "-ffp-contract=off", "-fPIC", "-shared")
    rows = states(program, turns=name in BODIES)
    found = {}
    for kind, flags in KINDS.items():
        library = f"{kind}.so"
        compiler = COMPILERS[-1] if kind == "quads" else COMPILERS[0]
        compile_c(folder, sources.c_files, library, compiler, *common, *flags)
        found[kind] = values(folder / library, program, rows)
    plain, codes = found.pop("alone")
    bound = 1e-11 if function.startswith("forward") else 3e-13  # M is inverted, twice
    assert np.isfinite(plain[[0, 3, 4, 5]]).all() and np.abs(plain[0]).max() > 0
    for vectors, own in found.values():
        assert own == codes
        np.testing.assert_array_equal(np.isfinite(vectors[2:]), np.isfinite(plain[2:]))
        for got, wanted in zip(np.delete(vectors, 2, 0), np.delete(plain, 2, 0), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=0, atol=bound * np.abs(wanted).max())


def on_duals(program: Program, *, mirrored: bool) -> Duals:
    (function,) = program.functions
    graph, place = program.graph, {n: port.name for port in function.inputs for n in port.entries}
    change = direction(graph, reachable(graph, function.nodes))
    return Duals(graph, list(function.nodes), place, change, mirrored=mirrored)


def operations(graph: Graph, nodes: tuple[int, ...]) -> int:
    found = reachable(graph, nodes)
    return sum(graph.op[node] not in ("const", "symbol", "neg") for node in found)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_fewer_operations(function):
    """Of a chain two thirds; of two like limbs beside a trunk of two turns half of those of pairs
    alone, which are half; their signs agree."""
    chain, limbs = program_of("chain", function), program_of("mirrored", function)
    plain = operations(chain.graph, chain.functions[0].nodes)
    assert on_duals(chain, mirrored=False).statements < 0.72 * plain
    plain = operations(limbs.graph, limbs.functions[0].nodes)
    made = on_duals(limbs, mirrored=True)
    assert made.statements < 0.45 * plain
    assert len(made._changed) < 0.02 * made.statements


def test_where_duals_are_written():
    for name, macro in (("chain", "PAIRS"), ("mirrored", "QUADS")):
        text = emit(program_of(name, "inverse_dynamics_hvp"))["ours.c"]
        assert f"#if OURS_{macro}\n" in text and ", and its change */" in text
    text = emit(program_of("chain", "inverse_dynamics_vjp"))["ours.c"]
    assert "ours_pair" not in text and "ours_quad" not in text
    assert "ours_pair" not in emit(program_of("chain", FUNCTIONS[0]), "float")["ours.c"]


def turned() -> tuple[Graph, list[int], dict[int, int]]:
    """Both components of a vector, turned, times each other and a number; along x, y and q."""
    g = Graph()
    x, y, q, dx, dy, dq = (g.symbol(name) for name in ("x", "y", "q", "dx", "dy", "dq"))
    s, c = g.unary("sin", q), g.unary("cos", q)
    near, far = g.sub(g.mul(c, x), g.mul(s, y)), g.add(g.mul(s, x), g.mul(c, y))
    end = g.mul(g.constant(3), g.mul(near, far))
    along = {x: dx, y: dy, q: dq}
    return g, ForwardSweep(g, [end], rotations).beside(along), along


def test_a_turned_vector():
    """Two components by two products each and one more for the angle; their product by two."""
    g, (root,), along = turned()
    change = direction(g, reachable(g, [root]))
    assert change.items() >= along.items()
    made = Duals(g, [root], {}, change, mirrored=False)
    # Angle's change; per component 2 mul, 1 add, 1 more mul, 1 sum; 2 mul, 1 sum; its change alone.
    vectors = [
        made.into.op[n]
        for n in reachable(made.into, [made.scalar(root)])
        if n in made.into.vectors and made.into.op[n] in ("add", "sub", "mul")
    ]
    assert len(vectors) <= 2 * 5 + 3 + 2
    assert made.into.op[made.scalar(root)] == "lane1"


def test_a_value_waits_for_no_change():
    """The number that a dual is multiplied by comes before the terms that its change alone has."""
    g, (root,), _ = turned()
    made = Duals(g, [root], {}, direction(g, reachable(g, [root])), mirrored=False)
    numbers = [n for n in range(len(made.into)) if made.into.op[n] == "lane0"]
    assert numbers
    below = {made.into.symbol(name) for name in ("dq",)}
    for number in numbers:
        assert below.isdisjoint(reachable(made.into, [number]))


def test_the_direction_of_the_function_itself():
    """Of several that the graph remembers, the one whose changes the function holds."""
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    end = g.mul(g.mul(x, x), y)
    sweep = ForwardSweep(g, [end])
    (one,), (other,) = (sweep.beside({x: g.symbol(name)}) for name in ("d", "e"))
    assert len(g.changes) == 2
    for root, amount in ((one, "d"), (other, "e")):
        assert direction(g, reachable(g, [root]))[x] == g.symbol(amount)
    assert direction(g, reachable(g, [end])) == {}
    # What does not depend on the direction is no change, though it is that of something: d(x)/d1.
    sweep.beside({x: g.constant(1)})
    found = ChangingValues(g, [g.mul(g.constant(2), g.mul(x, y))], g.changes[-1])
    assert not found.value and not found.duals


def test_sums_hand_over_their_terms():
    """x y + y z: three sums; (0, dy) is made of an input."""
    g = Graph()
    x, y, z = (g.symbol(name) for name in "xyz")
    end = g.add(g.mul(x, y), g.mul(y, z))
    along = {n: g.symbol(f"d{g.value[n]}") for n in (x, y, z)}
    (root,) = ForwardSweep(g, [end]).beside(along)
    made = Duals(g, [root], {}, g.changes[-1], mirrored=False)
    value = {"x": 2.0, "y": 3.0, "z": 5.0, "dx": 0.5, "dy": -1.0, "dz": 0.25}
    (wanted,) = evaluate(g, [root], value)
    assert wanted == pytest.approx(3 * 0.5 - 2 + 3 * 0.25 - 5)
    ops = [made.into.op[n] for n in reachable(made.into, [made.scalar(root)])]
    assert (ops.count("mul"), ops.count("add")) == (4, 3)
