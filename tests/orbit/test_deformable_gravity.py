"""Gravity on bodies that deform, against the integral over their mass elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from orbit.satellites import MU, RADIUS

import eomc
from eomc.derive.bodies.form import Attachment, Form, Invariants
from eomc.derive.graph import Expression, evaluate_mp, forward_derivative
from eomc.derive.model import Model, ModelError
from eomc.derive.system import System

pytestmark = pytest.mark.variants

X = sympy.Symbol("X")
LENGTH, DENSITY, DIGITS = 30, 5, 40


class Bow(Form):
    """A line along x, bent sideways by two shapes and stretched by a third, clamped at its root."""

    coordinates = ("y", "z", "stretch")

    def place(self, x: Any, xi: Sequence[Any]) -> tuple[Any, Any, Any]:
        """Of the mass element x."""
        y, z, stretch = xi
        s = x / LENGTH
        return (x + stretch * s, y * s**2, z * (s**2 - s**3 / 3))

    def invariants(self, xi: Sequence[sympy.Symbol]) -> Invariants:
        """Integrals over the line, exactly."""
        r = sympy.Matrix(self.place(X, xi))
        slopes = [r.diff(symbol) for symbol in xi]

        def over(value: Any) -> Any:
            return sympy.integrate(sympy.expand(DENSITY * value), (X, 0, LENGTH))

        inertia = r.dot(r) * sympy.eye(3) - r * r.T
        xx, yy, zz, xy, xz, yz = (
            over(inertia[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        )
        return Invariants(
            mass=over(sympy.Integer(1)),
            first=tuple(map(over, r)),
            inertia=(xx, yy, zz, xy, xz, yz),
            linear=tuple(tuple(map(over, slope)) for slope in slopes),
            angular=tuple(tuple(map(over, r.cross(slope))) for slope in slopes),
            internal=tuple(tuple(over(a.dot(b)) for b in slopes) for a in slopes),
        )

    def attachment(self, at: Any, xi: Sequence[sympy.Symbol]) -> Attachment:
        """The tip, turned by the slopes there."""
        assert at == "tip"
        y, z, _ = xi
        turns = (("z", 2 * y / LENGTH), ("y", -z / LENGTH))
        return Attachment(self.place(sympy.Integer(LENGTH), xi), turns)


def chain(**gravity: Any) -> Model:
    """Two bows in orbit, the second hinged to the tip of the first, a point mass at its own tip."""
    model = Model("chain", gravity=(0, 0, 0))
    model.deformable("first", Bow())
    model.deformable("second", Bow())
    model.joint("orbit", "orbit_planar", parent="world", child="first")
    model.attachment("end", body="first", at="tip")
    model.joint("hinge", "revolute", parent="end", child="second", axis=(0, 1, 0))
    model.body("load", mass=80)
    model.joint("grip", "attachment", parent="second", child="load", at="tip")
    model.central_gravity("earth", mu=MU, **gravity)
    return model


Q = (0.7, RADIUS, 0.4, 1.5, -0.8, 0.3, 0.6, -0.9, 1.1, 0.2)
MODES = pytest.mark.parametrize("about", ["body", "first", "load"])


def at(system: System, expressions: Sequence[Expression], q: Any = Q) -> list[Any]:
    values = {entry.node: mpmath.mpf(x) for entry, x in zip(system.q, q, strict=True)}
    return evaluate_mp(system.graph, [e.node for e in expressions], values, DIGITS)


def slopes(system: System, energy: Expression) -> list[Expression]:
    one = (system.tree.zero + 1).node
    nodes = [forward_derivative(system.graph, [energy.node], {x.node: one})[0] for x in system.q]
    return [Expression(system.graph, node) for node in nodes]


@MODES
def test_forces_are_the_slopes_of_the_energy(about: str) -> None:
    """On orbit, pitch, hinge and every internal coordinate."""
    system = eomc.equations(chain(about=about)).system(())
    share = system.loads.conservative
    got = at(system, system.generalized(share))
    expected = at(system, slopes(system, share.potential))
    for a, b in zip(got, expected, strict=True):
        assert abs(a + b) < 1e-12


def element(system: System, body: str, x: Any, xi: Sequence[Expression]) -> Any:
    """-mu/|R| of a unit mass at x on a bow, as an expression of q."""
    link, axes, origin = system.tree.pose_of[body]
    outer, place = system.world[link]
    local = type(origin)(*(system.tree.zero + part for part in Bow().place(x, xi)))
    r = place + outer.to_parent(origin + axes.to_parent(local))
    return -MU / r.norm()


def integral(system: System) -> Expression:
    """The energy of the chain by Gauss's rule of 10 points, far beyond double precision here."""
    total = system.tree.zero
    abscissas, weights = np.polynomial.legendre.leggauss(10)
    for body, first in (("first", 3), ("second", 7)):
        xi = system.q[first : first + 3]
        for s, w in zip(abscissas.tolist(), weights.tolist(), strict=True):
            share = DENSITY * LENGTH * w / 2
            total = total + share * element(system, body, LENGTH * (1 + s) / 2, xi)
    link, _, origin = system.tree.pose_of["load"]
    outer, place = system.world[link]
    return total - 80 * MU / (place + outer.to_parent(origin)).norm()


@MODES
def test_the_rest_is_of_third_order(about: str) -> None:
    """V and all forces against brute force, within (size/distance)^3 of V."""
    system = eomc.equations(chain(about=about)).system(())
    exact = integral(system)
    energy = system.loads.conservative.potential
    got, expected = at(system, [energy, exact])
    size = 66.0
    mass = 2 * DENSITY * LENGTH + 80
    third = MU * mass / RADIUS * (size / RADIUS) ** 3
    second = MU * mass / RADIUS * (size / RADIUS) ** 2
    # the weights of Gauss's rule, in doubles, sum up to 1 within 1e-16
    assert abs(got - expected) < 3 * third + 4e-16 * abs(expected)
    moments = at(system, slopes(system, energy))[2:]
    references = at(system, slopes(system, exact))[2:]
    for a, b in zip(moments, references, strict=True):
        # forces on internal coordinates are those of the weight, moments those of the gradient
        assert abs(a - b) < 3 * third + 4e-16 * MU * mass / RADIUS**2 * size
    assert second > 1e4 * third


@pytest.mark.slow
def test_what_is_held_weighs_as_before() -> None:
    """With its coordinates held at their values the body is pulled in the same shape."""
    model = chain()
    free = eomc.equations(model).system(())
    for name, first in (("first", 3), ("second", 7)):
        values = dict(zip(Bow.coordinates, Q[first : first + 3], strict=True))
        model = model.rigidified(name, values)
    held = eomc.equations(model).system(())
    (a,) = at(free, [free.loads.conservative.potential])
    (b,) = at(held, [held.loads.conservative.potential], (*Q[:3], Q[6]))
    assert abs(a / b - 1) < 1e-15


def test_exact_takes_no_shape_that_changes() -> None:
    with pytest.raises(ModelError, match="body 'first' deforms; take expansion 'second_order'"):
        eomc.equations(chain(expansion="exact"))
