"""The references themselves, against closed forms and against each other."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
import sympy
from peers.random_trees import random_tree, with_extras

import eomc
from eomc.derive.graph import Graph, evaluate, evaluate_mp
from eomc.derive.model import Model, Placement, Point
from eomc.runtime.verify.differences import derivative, has_kink
from eomc.runtime.verify.newton_euler import NewtonEuler
from eomc.verification.complex_step import complex_step
from eomc.verification.declaration import mechanism
from eomc.verification.lagrange import Lagrange
from eomc.verification.rounding import error_bounds
from eomc.verification.textbook import Textbook

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


def test_the_two_references_agree() -> None:
    """Newton-Euler in numbers and Lagrange's equations in SymPy: neither knows the other."""
    model = Model("arm", gravity=(0.3, -0.2, -9.81))
    model.input("push")
    for name, mass in (("boom", 1.3), ("hand", 0.8)):
        model.body(
            name, mass=mass, com=(0.1, -0.2, 0.3), inertia=(0.3, 0.4, 0.2, 0.01, -0.02, 0.03)
        )
    model.joint("turn", "screw", parent="world", child="boom", axis=(0, 1, 0), pitch=0.2, damping=1)
    model.joint(
        "wrist", "revolute", parent="boom", child="hand", axis=(0.6, 0, 0.8),
        placement=Placement(xyz=(0.2, -0.1, 0.1), rpy=(-0.4, 0.6, 0.9)), rotor_inertia=0.1,
    )  # fmt: skip
    model.spring("rope", a=Point("hand", (0, 0, 1)), b="world", stiffness=9, damping=2)
    model.spring("law", a="boom", b=Point("hand", (1, 0, 0)), law="push*x**2 + v**3", free_length=1)
    model.force("tip", at="hand", direction=(1, 2, -1), frame="body", magnitude="push*wrist")
    model.potential("V", "cos(turn)*wrist**2")
    numbers = mechanism(model)
    textbook = Textbook(model, numbers)
    function = sympy.lambdify(textbook.symbols, textbook.forces(), modules="mpmath", cse=True)
    rng = np.random.default_rng(5)
    for _ in range(3):
        at = values(q=rng.normal(size=2), u=rng.normal(size=2), a=rng.normal(size=2), r=[0.4])
        expected = function(*(float(x) for name in ("q", "u", "a", "r") for x in at[name]), 0.0)
        got = NewtonEuler(numbers, at).inverse_dynamics()[0]
        assert got == pytest.approx([float(force) for force in expected], rel=1e-12)


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
    """The numeric room imports nothing of derive; of derive, the declarations alone are read."""
    files = [*(HOUSE / "runtime" / "verify").rglob("*.py")]
    assert len(files) > 10
    for file in files:
        assert not [name for name in imported(file) if name.startswith(("eomc.derive", "sympy"))]
    for name in ("declaration.py", "deformation.py", "lagrange.py", "textbook.py"):
        of_derive = {
            module
            for module in imported(HOUSE / "eomc" / "verification" / name)
            if module.startswith("eomc.derive")
        }
        assert of_derive == {"eomc.derive.model"}


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
    equations = eomc.derive(with_extras(random_tree(seed, 4), seed, "rotors", "losses"))
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
