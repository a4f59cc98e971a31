"""Point-mass gravity against its definition, the integral of -mu/|R| dm."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
from orbit.satellites import MU, RADIUS, dumbbell, robot

import eomc
from eomc.derive.formats import parse_toml, toml_text
from eomc.derive.graph import Expression, evaluate, evaluate_mp, forward_derivative
from eomc.derive.model import Model, ModelError
from eomc.derive.system import System

STATE = (0.3, 0.4, RADIUS, 0.2, 0.5, -0.3, 0.7)
DIGITS = 50


def at(system: System, expressions: list[Expression], q: Any) -> list[Any]:
    """Values to 50 digits at the coordinates q."""
    values = {entry.node: mpmath.mpf(x) for entry, x in zip(system.q, q, strict=True)}
    return evaluate_mp(system.graph, [e.node for e in expressions], values, DIGITS)


def slopes(system: System, q: Any) -> list[Any]:
    """-dV/dq to 50 digits, by differentiating V on the graph."""
    energy, one = system.loads.conservative.potential.node, (system.tree.zero + 1).node
    nodes = [forward_derivative(system.graph, [energy], {x.node: one})[0] for x in system.q]
    return [-x for x in at(system, [Expression(system.graph, node) for node in nodes], q)]


MODES = pytest.mark.parametrize("about", ["body", "sat", "frame", "box", "arm"])


@MODES
def test_forces_are_the_slopes_of_the_energy(about: str) -> None:
    """Wrenches, carried through the joints, are -dV/dq.

    The moments of mass, constants of the graph, are doubles: 1e-15 of the gradient part remain.
    """
    system = eomc.equations(robot(about=about)).system(())
    got = at(system, system.generalized(system.loads.conservative), STATE)
    expected = slopes(system, STATE)
    for a, b in zip(got, expected, strict=True):
        assert abs(a - b) < 1e-13


@MODES
def test_rounding_leaves_the_gradient_part_alone(about: str) -> None:
    """In doubles the moments on attitude and elbow keep 14 digits beside R = 6.8e6 m."""
    system = eomc.equations(robot(about=about)).system(())
    forces = system.generalized(system.loads.conservative)[3:]
    exact = np.array([float(x) for x in at(system, forces, STATE)])
    values = {entry.node: x for entry, x in zip(system.q, STATE, strict=True)}
    got = np.array(evaluate(system.graph, [f.node for f in forces], values), dtype=float)
    assert np.abs(got - exact).max() < 1e-14 * np.abs(exact).max()


def test_torque_about_the_attracting_mass_is_zero() -> None:
    """Longitude is ignorable, so no force acts on it."""
    for about in ("body", "arm"):
        system = eomc.equations(robot(about=about)).system(())
        force = at(system, system.generalized(system.loads.conservative), STATE)[0]
        assert abs(force) < 1e-13


def masses(system: System, q: Any, points: list[tuple[str, tuple[float, ...], float]]) -> Any:
    """Potential energy of point masses in bodies' frames, to 50 digits."""
    with mpmath.workdps(DIGITS):
        return -sum(
            MU * mass / mpmath.sqrt(sum(x * x for x in at(system, list(place), q)))
            for place, mass in ((position(system, body, xyz), mass) for body, xyz, mass in points)
        )


def position(system: System, body: str, xyz: Any) -> Any:
    """Of a point of a body in the world."""
    link, axes, origin = system.tree.pose_of[body]
    outer, place = system.world[link]
    local = type(origin)(*(system.tree.zero + float(x) for x in xyz))
    return place + outer.to_parent(origin + axes.to_parent(local))


def four_masses(model: Model, body: str, mass: float, size: float) -> list[Any]:
    """Add to the body the inertia of four unequal masses; returns them."""
    corners = np.array([(1, 1, 0.3), (1, -1, 0.1), (-1, 0.2, 1), (-0.7, -0.4, -1)]) * size
    shares = np.array([0.1, 0.2, 0.3, 0.4]) * mass
    com = shares @ corners / mass
    apart = corners - com
    inertia = sum(
        m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(shares, apart, strict=True)
    )
    model.body(body, mass=mass, com=com.tolist(), inertia=inertia.tolist())
    return [(body, tuple(r), m) for m, r in zip(shares, corners.tolist(), strict=True)]


@pytest.mark.parametrize("about", ["body", "sat"])
def test_second_order_leaves_a_rest_of_third_order(about: str) -> None:
    """Halving the size divides the error of V by eight."""
    errors = []
    for size in (200.0, 100.0):
        model = Model("cluster", gravity=(0, 0, 0))
        points = four_masses(model, "sat", 100.0, size) + four_masses(model, "arm", 30.0, size)
        model.joint("orbit", "orbit_planar", parent="world", child="sat")
        place = (size, size / 2, 0)
        model.joint("elbow", "revolute", parent="sat", child="arm", axis=(1, 1, 0), placement=place)
        model.central_gravity("earth", mu=MU, about=about)
        system = eomc.equations(model).system(())
        q = (0.2, RADIUS, 0.6, 0.8)
        (got,) = at(system, [system.loads.conservative.potential], q)
        errors.append(abs(got - masses(system, q, points)))
    assert 7.5 < errors[0] / errors[1] < 8.5
    assert errors[0] < 20 * MU * 130 / RADIUS * (400 / RADIUS) ** 3


def test_point_masses_exactly() -> None:
    model = dumbbell()
    model.central_gravity("earth", mu=MU, expansion="exact")
    system = eomc.equations(model).system(())
    q = (0.2, RADIUS, 0.6)
    points = [("ahead", (0, 0, 0), 50.0), ("behind", (0, 0, 0), 50.0)]
    (got,) = at(system, [system.loads.conservative.potential], q)
    assert abs(got / masses(system, q, points) - 1) < 1e-15
    forces = at(system, system.generalized(system.loads.conservative), q)
    for a, b in zip(forces, slopes(system, q), strict=True):
        assert abs(a - b) < 1e-13


def rod_model(half: tuple[float, float, float], expansion: str = "exact") -> Model:
    model = Model("rod", gravity=(0, 0, 0))
    a = np.array(half)
    inertia = 12.0 * (a @ a * np.eye(3) - np.outer(a, a)) / 3
    model.body("rod", mass=12, com=(1, 0, 0.5), inertia=inertia.tolist())
    model.joint("orbit", "orbit_spherical", parent="world", child="base")
    model.body("base")
    model.joint("tilt", "universal", parent="base", child="rod", axis=(0, 0, 1), axis_2=(0, 1, 0))
    rods = {"rods": {"rod": half}} if expansion == "exact" else {}
    model.central_gravity("earth", mu=MU, expansion=expansion, **rods)
    return model


def test_rod_exactly() -> None:
    """The closed form against quadrature along a rod of 400 m."""
    half = (200.0, 10.0, -30.0)
    system = eomc.equations(rod_model(half)).system(())
    q = STATE[:5]
    tips = [at(system, list(place), q) for place in ends(system, half)]

    def pull(s: Any) -> Any:
        point = [(1 - s) / 2 * a + (1 + s) / 2 * b for a, b in zip(*tips, strict=True)]
        return -MU * 12 / 2 / mpmath.sqrt(sum(x * x for x in point))

    with mpmath.workdps(DIGITS):
        expected = mpmath.quad(pull, [-1, 0, 1])
    (got,) = at(system, [system.loads.conservative.potential], q)
    assert abs(got / expected - 1) < mpmath.mpf(10) ** -30
    forces = at(system, system.generalized(system.loads.conservative), q)
    for a, b in zip(forces, slopes(system, q), strict=True):
        assert abs(a - b) < mpmath.mpf(10) ** -14 * abs(forces[2])


def ends(system: System, half: tuple[float, ...]) -> list[Any]:
    com = np.array((1, 0, 0.5))
    return [position(system, "rod", com - half), position(system, "rod", com + half)]


def test_rounding_of_the_rod() -> None:
    """A rod of 20 m: the moment keeps its digits though the pulls of its ends nearly cancel."""
    system = eomc.equations(rod_model((10.0, 1.0, -2.0))).system(())
    forces = system.generalized(system.loads.conservative)[3:]
    exact = np.array([float(x) for x in at(system, forces, STATE[:5])])
    values = {entry.node: x for entry, x in zip(system.q, STATE[:5], strict=True)}
    got = np.array(evaluate(system.graph, [f.node for f in forces], values), dtype=float)
    assert np.abs(got - exact).max() < 1e-13 * np.abs(exact).max()


def test_the_mass_may_stand_anywhere() -> None:
    """A center off the origin is a shift of the world."""
    energies = []
    for center in ((0, 0, 0), (3e5, -2e5, 1e5)):
        model = Model("pair", gravity=(0, 0, 0))
        model.body("sat", mass=3, com=(0.1, 0, 0.2), inertia=(1, 2, 2))
        model.joint("base", "floating_euler", parent="world", child="sat", sequence="zyx")
        model.central_gravity("earth", mu=MU, center=center)
        system = eomc.equations(model).system(())
        place = np.array((7e6, 1e6, 2e6)) + center
        got = at(system, [system.loads.conservative.potential], (*place, 0.1, 0.2, 0.3))
        energies.append(got[0])
    assert abs(energies[0] / energies[1] - 1) < mpmath.mpf(10) ** -40


def test_files_and_reduced_models_keep_it() -> None:
    for gravity in ({"about": "box"}, {"center": (1, 2, 3)}):
        model = robot(**gravity)
        assert parse_toml(toml_text(model)) == model
    rod = rod_model((1.0, 2.0, 0.5))
    assert parse_toml(toml_text(rod)) == rod
    assert robot(about="box").reduced().central_gravities["earth"].about == "sat"


@pytest.mark.parametrize(
    ("gravity", "message"),
    [
        ({"about": "arn"}, "unknown body 'arn'; .*'arm'"),
        ({"expansion": "third"}, "expansion is 'third'; valid: 'exact', 'second_order'"),
        ({"expansion": "exact"}, "body 'sat' is extended and its shape is not known"),
        ({"expansion": "exact", "about": "sat"}, "nothing is expanded"),
        ({"rods": {"arm": (1, 0, 0)}}, "rods matter only"),
        ({"expansion": "exact", "rods": {"sat": (1, 0, 0)}}, "not that of a uniform slender rod"),
        ({"expansion": "exact", "rods": [3]}, "rods: give names"),
    ],
)
def test_refusals(gravity: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        eomc.equations(robot(**gravity))


def test_a_body_that_rests_is_no_place_to_expand_about() -> None:
    model = robot()
    model.body("tower")
    model.joint("ground", "fixed", parent="world", child="tower")
    model.central_gravity("moon", mu=1, about="tower")
    with pytest.raises(ModelError, match="'tower' is fixed to the world"):
        eomc.equations(model).potential_energy.to_sympy()
