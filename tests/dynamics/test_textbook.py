"""Small systems equal SymPy's own textbook derivation, term by term.

The witness is `sympy.physics.mechanics.LagrangesMethod` fed with hand-written energies; it shares
no code with the recursions.
"""

from __future__ import annotations

import pytest
import sympy as sp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import eomc
from eomc.derive.model import Model

pytestmark = pytest.mark.variants

m1, m2, l1, l2, g, k, d, J = sp.symbols("m1 m2 l1 l2 g k d J")
t = dynamicsymbols._t


def _declare(model: Model, **values: float) -> None:
    for name, number in values.items():
        model.parameter(name, number)


def double_pendulum() -> tuple[Model, sp.Expr, list[sp.Expr], dict[str, sp.Expr]]:
    """Two point masses, relative angles, about -y in the x-z plane."""
    model = Model("double_pendulum", gravity=(0, 0, -g))
    _declare(model, m1=1, m2=2, l1=0.5, l2=0.7, g=9.81)
    model.body("upper", mass=m1, com=(0, 0, -l1))
    model.body("lower", mass=m2, com=(0, 0, -l2))
    model.joint("a", "revolute", parent="world", child="upper", axis=(0, 1, 0))
    model.joint(
        "b", "revolute", parent="upper", child="lower", axis=(0, 1, 0), placement=(0, 0, -l1)
    )
    a, b = dynamicsymbols("a b")
    x1 = sp.Matrix([-l1 * sp.sin(a), -l1 * sp.cos(a)])
    x2 = x1 + sp.Matrix([-l2 * sp.sin(a + b), -l2 * sp.cos(a + b)])
    v1, v2 = x1.diff(t), x2.diff(t)
    kinetic = m1 * v1.dot(v1) / 2 + m2 * v2.dot(v2) / 2
    return model, kinetic - g * (m1 * x1[1] + m2 * x2[1]), [a, b], {}


def cart_pole() -> tuple[Model, sp.Expr, list[sp.Expr], dict[str, sp.Expr]]:
    """A cart on a spring and damper with a hinged pole of inertia J."""
    model = Model("cart_pole", gravity=(0, 0, -g))
    _declare(model, m1=1, m2=2, l1=0.5, g=9.81, k=3, d=0.2, J=0.1)
    model.body("cart", mass=m1)
    model.body("pole", mass=m2, com=(0, 0, l1), inertia=(J, J, 0))
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0), damping=d)
    model.joint("phi", "revolute", parent="cart", child="pole", axis=(0, 1, 0))
    model.joint_spring("spring", joint="x", stiffness=k)
    x, phi = dynamicsymbols("x phi")
    p = sp.Matrix([x + l1 * sp.sin(phi), l1 * sp.cos(phi)])
    v = p.diff(t)
    kinetic = m1 * x.diff(t) ** 2 / 2 + m2 * v.dot(v) / 2 + J * phi.diff(t) ** 2 / 2
    losses = {"x": -d * x.diff(t)}
    return model, kinetic - m2 * g * p[1] - k * x**2 / 2, [x, phi], losses


def rotary_pendulum() -> tuple[Model, sp.Expr, list[sp.Expr], dict[str, sp.Expr]]:
    """An arm about z with a pendulum about the arm's axis: a spatial system with Coriolis terms."""
    model = Model("rotary_pendulum", gravity=(0, 0, -g))
    _declare(model, m2=1, l1=0.5, l2=0.3, g=9.81, J=0.1)
    model.body("arm", inertia=(J, J, J))
    model.body("bob", mass=m2, com=(0, 0, -l2))
    model.joint("yaw", "revolute", parent="world", child="arm", axis=(0, 0, 1))
    model.joint(
        "swing", "revolute", parent="arm", child="bob", axis=(1, 0, 0), placement=(l1, 0, 0)
    )
    yaw, swing = dynamicsymbols("yaw swing")
    local = sp.Matrix([l1, l2 * sp.sin(swing), -l2 * sp.cos(swing)])
    turn = sp.Matrix([[sp.cos(yaw), -sp.sin(yaw), 0], [sp.sin(yaw), sp.cos(yaw), 0], [0, 0, 1]])
    p = turn * local
    v = p.diff(t)
    kinetic = J * yaw.diff(t) ** 2 / 2 + m2 * v.dot(v) / 2
    return model, kinetic - m2 * g * p[2], [yaw, swing], {}


@pytest.mark.parametrize("system", [double_pendulum, cart_pole, rotary_pendulum])
def test_closed_form_equals_lagranges_method(system) -> None:
    model, lagrangian, coordinates, losses = system()
    method = LagrangesMethod(lagrangian, coordinates)
    method.form_lagranges_equations()
    plain = {q: sp.Symbol(q.func.__name__) for q in coordinates}
    rates = {q.diff(t): sp.Symbol(f"u_{q.func.__name__}") for q in coordinates}

    def named(expression: sp.Basic) -> sp.Basic:
        return expression.subs(rates).subs(plain)

    equations = eomc.equations(model)
    theirs = named(method.mass_matrix)
    assert sp.simplify(equations.mass_matrix.to_sympy() - theirs) == sp.zeros(2, 2)
    forcing = method.forcing + sp.Matrix(
        [losses.get(q.func.__name__, sp.Integer(0)) for q in coordinates]
    )
    ours = equations.bias.to_sympy()
    assert sp.simplify(ours + named(forcing)) == sp.zeros(2, 1)
