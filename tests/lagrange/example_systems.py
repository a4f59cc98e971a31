"""Small textbook systems, in this project's words and in SymPy's."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.physics.mechanics import LagrangesMethod, Point, ReferenceFrame, dynamicsymbols

from eomc.derive.lagrange import LagrangianSystem

t = dynamicsymbols._t
m, ell, g, k, d = sp.symbols("m l g k d", positive=True)
VALUES = {m: 1.3, ell: 0.7, g: 9.81}


def double_pendulum() -> tuple[LagrangianSystem, LagrangesMethod]:
    """Two point masses on massless rods, absolute angles."""
    q1, q2 = dynamicsymbols("q1 q2")
    u1, u2 = q1.diff(), q2.diff()
    m2, l2 = sp.symbols("m2 l2", positive=True)
    speeds = (
        m * (ell * u1) ** 2 / 2
        + m2 * ((ell * u1) ** 2 + (l2 * u2) ** 2 + 2 * ell * l2 * u1 * u2 * sp.cos(q1 - q2)) / 2
    )
    height = -(m + m2) * g * ell * sp.cos(q1) - m2 * g * l2 * sp.cos(q2)
    system = LagrangianSystem(
        "double_pendulum", [q1, q2], speeds, height, parameters={**VALUES, m2: 0.4, l2: 0.9}
    )
    return system, LagrangesMethod(speeds - height, [q1, q2])


def cart_pendulum() -> tuple[LagrangianSystem, LagrangesMethod]:
    """A cart with a pendulum, a spring, a damper and a driving force."""
    x, theta, force = dynamicsymbols("x theta force")
    big = sp.Symbol("M")
    v = sp.Matrix([x + ell * sp.sin(theta), -ell * sp.cos(theta)]).diff(t)
    kinetic = big * x.diff() ** 2 / 2 + m * v.dot(v) / 2
    potential = k * x**2 / 2 - m * g * ell * sp.cos(theta)
    system = LagrangianSystem(
        "cart_pendulum",
        [x, theta],
        kinetic,
        potential,
        dissipation=d * x.diff() ** 2 / 2,
        generalized_forces={x: force},
        parameters={**VALUES, k: 5.0, d: 0.2, big: 2.0},
        inputs=[force],
    )
    frame = ReferenceFrame("N")
    point = Point("P")
    point.set_vel(frame, x.diff() * frame.x)
    load = (point, (force - d * x.diff()) * frame.x)
    method = LagrangesMethod(kinetic - potential, [x, theta], forcelist=[load], frame=frame)
    return system, method


def constrained_pendulum(**more: Any) -> LagrangianSystem:
    """A point mass in x, y on a rod of length l."""
    x, y = dynamicsymbols("x y")
    return LagrangianSystem(
        "rod",
        [x, y],
        m * (x.diff() ** 2 + y.diff() ** 2) / 2,
        m * g * y,
        holonomic=[x**2 + y**2 - ell**2],
        parameters=VALUES,
        **more,
    )


def knife_edge() -> LagrangianSystem:
    """A sleigh on ice that cannot slip sideways."""
    x, y, psi = dynamicsymbols("x y psi")
    inertia = sp.Symbol("I")
    return LagrangianSystem(
        "sleigh",
        [x, y, psi],
        m * (x.diff() ** 2 + y.diff() ** 2) / 2 + inertia * psi.diff() ** 2 / 2,
        nonholonomic=[sp.Eq(x.diff() * sp.sin(psi), y.diff() * sp.cos(psi))],
        parameters={m: 2.0, inertia: 0.3},
    )
