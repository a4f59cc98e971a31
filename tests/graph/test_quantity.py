"""Quantities read as SymPy, LaTeX and text, and evaluated over batches."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from eomc.derive.equations.quantity import SymbolicQuantity, quantities
from eomc.derive.graph import Argument, Function, Graph


@pytest.fixture
def swing() -> tuple[Graph, Function]:
    """A function of two inputs whose rows bear the same names."""
    g = Graph()
    q = tuple(g.symbol(f"q[{i}]") for i in range(2))
    u = tuple(g.symbol(f"u[{i}]") for i in range(2))
    m = g.symbol("p.m")
    cross = g.mul(m, g.unary("cos", g.sub(q[0], q[1])))
    inputs = (
        Argument("q", (2,), q, rows=("arm", "leg")),
        Argument("u", (2,), u, rows=("arm", "leg")),
    )
    outputs = (
        Argument("matrix", (2, 2), (m, cross, cross, m)),
        Argument("energy", (), (g.mul(cross, g.mul(u[0], u[1])),)),
    )
    return g, Function("swing", inputs, outputs)


def test_names_and_shapes(swing: tuple[Graph, Function]) -> None:
    matrix, energy = quantities(*swing, names={"p.m": "m"})
    m, a, b, da, db = sp.symbols("m q_arm q_leg u_arm u_leg")
    assert matrix.to_sympy() == sp.Matrix([[m, m * sp.cos(a - b)], [m * sp.cos(a - b), m]])
    assert energy.to_sympy() == m * sp.cos(a - b) * da * db
    replacements, (reduced,) = matrix.cse()
    assert len(replacements) == 1
    assert reduced.subs(replacements) == matrix.to_sympy()


def test_text_and_latex(swing: tuple[Graph, Function]) -> None:
    result = quantities(*swing, names={"p.m": "m"})
    assert result.energy.to_text() == "energy = m*u_arm*u_leg*cos(q_arm - q_leg)"
    assert result.matrix.to_text(closed=False).splitlines() == [
        "x0 = m*cos(q_arm - q_leg)",
        "matrix[0, 0] = m",
        "matrix[0, 1] = x0",
        "matrix[1, 0] = x0",
        "matrix[1, 1] = m",
    ]
    assert result.matrix.to_latex(closed=False).startswith("\\begin{aligned}\nx_{0} &= ")
    assert result.energy.to_latex() == (
        r"\mathrm{energy} = m \dot{\mathrm{arm}} \dot{\mathrm{leg}} "
        r"\cos{\left(\mathrm{arm} - \mathrm{leg} \right)}"
    )


def test_evaluate_broadcasts(swing: tuple[Graph, Function]) -> None:
    matrix, energy = quantities(*swing, values={"p.m": 2.0})
    q = np.random.default_rng(1).normal(size=(3, 1, 2))
    u = np.random.default_rng(2).normal(size=(4, 2))
    values = energy.evaluate(q, u)
    assert values.shape == (3, 4)
    expected = 2 * np.cos(q[..., 0] - q[..., 1]) * u[:, 0] * u[:, 1]
    np.testing.assert_allclose(values, expected, rtol=1e-15)
    assert matrix.evaluate(q=q[0, 0], u=u[0], values={"p.m": 3.0})[0, 0] == 3.0
    assert matrix.evaluate(q, u).shape == (3, 4, 2, 2)


def test_evaluate_names_the_offending_input(swing: tuple[Graph, Function]) -> None:
    energy: SymbolicQuantity = quantities(*swing, values={"p.m": 2.0}).energy
    with pytest.raises(ValueError, match=r"q: shape \(3,\) does not end in \(2,\)"):
        energy.evaluate([1, 2, 3], [1, 2])
    with pytest.raises(TypeError, match="needs u"):
        energy.evaluate([1, 2])
    with pytest.raises(TypeError, match="no input 'v'"):
        energy.evaluate([1, 2], v=[1, 2])
    with pytest.raises(TypeError, match="'q' is given twice"):
        energy.evaluate([1, 2], q=[1, 2])
    with pytest.raises(TypeError, match="takes 2 inputs: q, u"):
        energy.evaluate([1, 2], [1, 2], [1, 2])
