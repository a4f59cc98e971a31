"""A chain of twenty links given as a Lagrangian costs at most twice what the tree of bodies costs.

The tree, its recursions by Newton and Euler and by composite bodies, is the reference of values and
of operations; differences of the energy are a second one of the Hessian.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

import eomc
from benchmarks.house import counted_calls
from eomc.derive.graph import Graph, evaluate, flops
from eomc.derive.graph.eliminate import solve_hessian
from eomc.derive.graph.hessian import hessian
from eomc.derive.graph.sharing import SharingGraph
from eomc.derive.graph.sympy_parts import carried_out, parts

VALUES = {"m": 1.0, "l": 0.5, "g": 9.81}
LINKS = 20


def _turned(axis: int, q: Any, v: list[Any]) -> list[Any]:
    """Components of v after a turn of the axes about x (0) or y (1)."""
    c, s = sp.cos(q), sp.sin(q)
    if axis:
        return [c * v[0] - s * v[2], v[1], s * v[0] + c * v[2]]
    return [v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]]


def _cross(a: list[Any], b: list[Any]) -> list[Any]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def chain(links: int) -> eomc.LagrangianSystem:
    """Rods about y and x in turn; velocities in the axes of each rod, from the one before."""
    q = list(dynamicsymbols(f"q1:{links + 1}"))
    m, length, g = sp.symbols("m l g")
    zero = [sp.Integer(0)] * 3
    w, v, up, height = zero, zero, [*zero[:2], sp.Integer(1)], sp.Integer(0)
    kinetic, potential = sp.Integer(0), sp.Integer(0)
    for i, angle in enumerate(q):
        axis = 1 - i % 2
        w, v, up = (_turned(axis, angle, vector) for vector in (w, v, up))
        w[axis] += angle.diff()
        center = [a + b for a, b in zip(v, _cross(w, [0, 0, -length / 2]), strict=True)]
        v = [a + b for a, b in zip(v, _cross(w, [0, 0, -length]), strict=True)]
        spin = m * length**2 / 12 * (w[0] ** 2 + w[1] ** 2) + m * length**2 / 100 * w[2] ** 2
        kinetic += m * sum(a * a for a in center) / 2 + spin / 2
        potential += m * g * (height - length / 2 * up[2])
        height = height - length * up[2]
    return eomc.LagrangianSystem("chain", q, kinetic, potential, parameters=VALUES)


def tree(links: int) -> eomc.Model:
    """The same rods as bodies."""
    model = eomc.Model("chain", gravity=(0, 0, "-g"))
    for name, value in VALUES.items():
        model.parameter(name, value)
    parent = "world"
    for i in range(links):
        inertia = ("m*l**2/12", "m*l**2/12", "m*l**2/100")
        model.body(f"rod{i}", mass="m", com=(0, 0, "-l/2"), inertia=inertia)
        model.joint(
            f"q{i + 1}",
            "revolute",
            parent=parent,
            child=f"rod{i}",
            axis=(i % 2, 1 - i % 2, 0),
            placement=(0, 0, "-l" if i else 0),
        )
        parent = f"rod{i}"
    return model


@cache
def both(links: int = LINKS) -> tuple[Any, Any]:
    return chain(links), eomc.equations(tree(links))


FUNCTIONS = (
    "kinetic_energy",
    "potential_energy",
    "gravity",
    "mass_matrix",
    "bias",
    "inverse_dynamics",
    "forward_dynamics",
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_operations(name: str) -> None:
    counts = []
    for equations in both():
        program = equations.program(functions=[name], tunable=[])
        counts.append(sum(flops(program.graph, f.nodes) for f in program.functions))
    assert counts[0] <= 2 * counts[1], counts


@pytest.mark.slow
def test_twice_the_links_are_derived_soon() -> None:
    """Written down in SymPy, read, and derived with the default functions: in calls, which grow by
    less than the square."""
    five, ten = (
        counted_calls(lambda links=links: eomc.equations(chain(links)).program()).total()
        for links in (5, 10)
    )
    assert ten < 3.5 * five


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values(name: str) -> None:
    rng = np.random.default_rng(5)
    state = {array: rng.normal(size=LINKS) for array in ("q", "u", "a", "tau")}
    found = []
    for equations in both():
        quantity = getattr(equations, name)
        value = quantity.evaluate(*[state[a.name] for a in quantity.inputs])
        if name == "potential_energy":  # known but for a constant
            value = value - quantity.evaluate(np.zeros(LINKS))
        found.append(value)
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-9 * np.abs(found[1]).max())


def test_a_hessian_is_the_difference_of_gradients() -> None:
    g = Graph()
    x, y, z, k = (g.symbol(name) for name in "xyzk")
    inner = g.sub(g.mul(k, x), g.div(y, k))
    f = g.add(g.mul(inner, inner), g.mul(g.mul(g.constant(3), y), g.add(z, g.neg(x))))
    rows = hessian(g, f, [x, y, z])
    assert rows is not None
    at = {"x": 0.3, "y": -0.8, "z": 1.1, "k": 1.7}
    h = 1e-3

    def value(**steps: float) -> float:
        return float(evaluate(g, [f], {n: at[n] + steps.get(n, 0.0) for n in at})[0])

    for i, a in enumerate("xyz"):
        for j, b in enumerate("xyz"):
            second = 0.0
            for s in (h, -h):
                for t in (h, -h):
                    steps = {a: s}
                    steps[b] = steps.get(b, 0.0) + t
                    second += np.sign(s * t) * value(**steps)
            (exact,) = evaluate(g, [rows[i][j]], at)
            assert exact == pytest.approx(second / (4 * h * h), abs=1e-8)
    assert hessian(g, g.unary("sin", x), [x]) is None


def test_a_hessian_is_solved_without_being_formed() -> None:
    """Against the one that is formed; what is not quadratic, or without second derivatives by an
    input, is not solved."""
    g = Graph()
    x, y, z, k = inputs = [g.symbol(name) for name in "xyzk"]
    right = [g.symbol(f"f{i}") for i in range(3)]
    inner = g.sub(g.mul(k, x), g.div(y, k))
    outer = g.add(inner, g.mul(g.sqrt(k), z))
    squares = [g.mul(part, part) for part in (inner, outer, g.add(x, y), z)]
    f = g.total([*squares, g.mul(k, x), k])
    at = {"x": 0.3, "y": -0.8, "z": 1.1, "k": 1.7, "f0": 0.4, "f1": -1.2, "f2": 0.7}
    rows, found = hessian(g, f, inputs[:3]), solve_hessian(g, f, inputs[:3], right)
    assert rows is not None and found is not None
    matrix = np.array([evaluate(g, row, at) for row in rows])
    expected = np.linalg.solve(matrix, [at[f"f{i}"] for i in range(3)])
    np.testing.assert_allclose(np.array(evaluate(g, found[0], at)), expected, rtol=1e-13)
    pivots = np.array(evaluate(g, found[1], at))
    assert np.prod(pivots) == pytest.approx(np.linalg.det(matrix), rel=1e-12)
    assert solve_hessian(g, g.mul(f, g.mul(x, x)), inputs[:3], right) is None
    assert solve_hessian(g, f, inputs, [*right, k]) is None
    assert solve_hessian(g, g.add(g.mul(x, x), g.mul(k, y)), [x, y], right[:2]) is None


def test_products_and_sums_that_are_there_are_used() -> None:
    g = SharingGraph()
    a, b, c, d = (g.symbol(name) for name in "abcd")
    known = g.mul(a, c)
    assert g.mul(g.mul(a, b), c) == g.mul(b, known)
    total = g.add(b, c)
    assert g.add(g.mul(d, b), g.mul(d, c)) == g.mul(d, total)
    difference = g.sub(b, c)
    assert g.sub(g.mul(d, c), g.mul(d, b)) == g.neg(g.mul(d, difference))
    first = g.total([a, b, c])
    assert g.total([d, c, a, b]) == g.add(first, d)


def test_parts_are_visited_once() -> None:
    x = sp.Symbol("x")
    t = dynamicsymbols._t
    expression = x
    for _ in range(60):  # written out, 2**60 symbols
        expression = sp.sin(expression) + sp.cos(expression)
    assert len(list(parts([expression]))) == 181
    assert carried_out(expression) is expression
    theta = dynamicsymbols("theta")
    undone = sp.Derivative(x * sp.sin(theta), t) + expression
    assert carried_out(undone) == x * sp.cos(theta) * theta.diff(t) + expression
