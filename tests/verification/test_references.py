"""The references themselves, against closed forms and against each other."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from peers.random_trees import random_tree, with_extras

import eomc
from eomc.derive.graph import Graph, evaluate, evaluate_mp
from eomc.derive.model import Model
from eomc.runtime.derivatives.differences import derivative, has_kink
from eomc.verifier.arithmetic.complex_step import complex_step
from eomc.verifier.arithmetic.rounding import error_bounds
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.lagrange import Lagrange
from eomc.verifier.witness.newton_euler import NewtonEuler

HOUSE = Path(__file__).parents[2]


def values(**given: object) -> dict[str, np.ndarray]:
    arrays = {name: np.zeros(0) for name in ("s", "s_rate", "s_acceleration", "r")}
    arrays["t"] = np.array(0.0)
    return arrays | {name: np.array(value, dtype=float) for name, value in given.items()}


def test_newton_euler_of_a_compound_pendulum() -> None:
    """(J + m l^2) q'' + d q' + m g l sin q = tau."""
    model = Model("pendulum", gravity=(0, 0, -9.81))
    model.body("bob", mass=2, com=(0, 0, -0.7), inertia=(0.1, 0.3, 0.2))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0), damping=0.4)
    q, u, a = 0.8, 1.3, -0.6
    reference = NewtonEuler(mechanism(model), values(q=[q], u=[u], a=[a]))
    inertia = 0.3 + 2 * 0.7**2
    tau = inertia * a + 0.4 * u + 2 * 9.81 * 0.7 * np.sin(q)
    assert reference.inverse_dynamics()[0] == pytest.approx([tau], rel=1e-14)
    assert reference.mass_matrix() == pytest.approx(np.array([[inertia]]), rel=1e-14)
    assert reference.kinetic_energy() == pytest.approx(inertia * u**2 / 2, rel=1e-14)
    assert reference.potential_energy()[0] == pytest.approx(-2 * 9.81 * 0.7 * np.cos(q), rel=1e-14)


def test_newton_euler_of_a_free_body() -> None:
    """Euler's equations in body axes: n = J w' + w x J w, f = m (v' + w x v) about the centre."""
    model = Model("top", gravity=(0, 0, 0))
    model.body("top", mass=1.5, inertia=(0.2, 0.3, 0.4))
    model.joint("free", "floating", parent="world", child="top")
    rng = np.random.default_rng(3)
    quaternion = rng.normal(size=4)
    q = [*rng.normal(size=3), *(quaternion / np.linalg.norm(quaternion))]
    u, a = rng.normal(size=6), rng.normal(size=6)
    tau = NewtonEuler(mechanism(model), values(q=q, u=u, a=a)).inverse_dynamics()[0]
    v, w = u[:3], u[3:]
    inertia = np.diag([0.2, 0.3, 0.4])
    assert tau[:3] == pytest.approx(1.5 * (a[:3] + np.cross(w, v)), abs=1e-13)
    assert tau[3:] == pytest.approx(inertia @ a[3:] + np.cross(w, inertia @ w), abs=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_newton_euler_agrees_with_brute_force(seed: int) -> None:
    """Differences of positions and energies, for every kind of joint that the trees hold."""
    model = with_extras(random_tree(seed, 4), seed, "rotors")
    numbers, rng = mechanism(model), np.random.default_rng(seed)
    nq, nu = len(model.coordinates), numbers.nu
    at = values(q=rng.normal(size=nq), u=rng.normal(size=nu), a=rng.normal(size=nu))
    for joint in model.joints.values():
        turns = [k for k, n in enumerate(model.coordinates) if n.startswith(f"{joint.name}_q")]
        at["q"][turns] /= np.linalg.norm(at["q"][turns])
    derivation, reference = Lagrange(model, numbers).near(at), NewtonEuler(numbers, at)
    assert derivation.mass_matrix() == pytest.approx(reference.mass_matrix(), rel=1e-12, abs=1e-13)
    assert derivation.kinetic_energy() == pytest.approx(reference.kinetic_energy(), rel=1e-13)
    expected, _ = reference.inertial()
    assert derivation.inverse_dynamics() == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_references_share_no_code_with_the_derivation() -> None:
    """Of derive, the witnesses read the declarations alone, and most of them not even these.

    What the author of a kind says of it stands in ``own_*.py``, and goes by his words."""
    bodies = {"deformation.py", "line_body.py", "section_chain.py", "mode_shapes.py", "tendon.py"}
    bodies.add("given_equations.py")  # reads what SymPy was given
    readers = {
        "cable_stations.py",
        "composites.py",
        "declaration.py",
        "forces.py",
        "lagrange.py",
        "numbers.py",
        "welded_frames.py",
        *bodies,
    }
    files = [*(HOUSE / "verifier" / "witness").rglob("*.py")]
    assert len(files) > 10
    for file in (file for file in files if not file.name.startswith("own_")):
        reads = file.name in readers or file.parent.name == "forms"
        allowed = {"eomc.derive.model", "sympy"} if reads else set()
        of_derive = {n for n in imported(file) if n.startswith(("eomc.derive", "sympy"))}
        assert of_derive <= allowed, file.name


def imported(file: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    return names


@pytest.mark.parametrize("seed", range(6))
def test_rounding_bounds_hold_and_are_not_idle(seed: int) -> None:
    """Double precision evaluation stays within the bound, and the bound within a thousand eps."""
    equations = eomc.equations(with_extras(random_tree(seed, 4), seed, "rotors", "losses"))
    program = equations.program(functions=["inverse_dynamics", "mass_matrix", "integrate"])
    nodes = sorted({node for function in program.functions for node in function.nodes})
    rng = np.random.default_rng(seed)
    symbols = {n for f in program.functions for a in f.inputs for n in a.entries}
    at = {node: float(x) for node, x in zip(sorted(symbols), rng.normal(size=999), strict=False)}
    bounds = error_bounds(program.graph, nodes, {node: np.array(x) for node, x in at.items()})
    exact = evaluate_mp(program.graph, nodes, at, 50)
    doubles = evaluate(program.graph, nodes, at)
    sizes = []
    for node, value, double in zip(nodes, exact, doubles, strict=True):
        assert float(abs(value - float(double))) <= bounds[node]
        sizes.append(float(bounds[node]))
    largest = max(abs(float(value)) for value in exact)
    assert np.median(sizes) < 1000 * np.finfo(float).eps * largest


def test_a_switch_within_rounding_is_left_open() -> None:
    graph = Graph()
    x = graph.symbol("x")
    sine, cosine = graph.unary("sin", x), graph.unary("cos", x)
    one = graph.add(graph.mul(sine, sine), graph.mul(cosine, cosine))
    below = graph.less(one, graph.constant(1))
    node = graph.select(below, graph.constant(0), graph.constant(1))
    bound = error_bounds(graph, [node], {"x": np.array(0.1)})[node]
    assert bound >= 1  # either branch is right


def test_a_product_of_two_differences_that_cancel() -> None:
    """Each is zero in doubles, 1e-17 and 2e-17 exactly: the product of their errors is left."""
    graph = Graph()
    at = {"x": 1.0, "y": 1e-17, "z": 2e-17}
    x, y, z = (graph.symbol(name) for name in at)
    node = graph.mul(graph.sub(graph.add(x, y), x), graph.sub(graph.add(x, z), x))
    assert evaluate(graph, [node], at) == [0]
    bound = error_bounds(graph, [node], {name: np.array(value) for name, value in at.items()})[node]
    assert 2e-34 <= bound < 1e-31


def test_differences_and_complex_step_agree_with_calculus() -> None:
    graph = Graph()
    x = graph.symbol("x")
    node = graph.mul(graph.unary("sin", x), graph.unary("exp", graph.mul(x, x)))
    at = 0.7
    exact = np.exp(at * at) * (np.cos(at) + 2 * at * np.sin(at))
    stepped = complex_step(graph, [node], {"x": at}, {"x": np.ones(1)})
    assert stepped[0, 0] == pytest.approx(exact, rel=1e-15)
    slope, doubt = derivative(lambda h: np.sin(at + h) * np.exp((at + h) ** 2))
    assert abs(slope - exact) <= doubt < 1e-10


def test_kinks_are_told_from_bends() -> None:
    assert has_kink(lambda x: np.where(x > 0, 2 * x, x))
    assert not has_kink(lambda x: np.tanh(x / 1e-3))
    assert not has_kink(lambda x: np.array([x**2, 1e6 + x]))
