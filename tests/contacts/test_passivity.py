"""No passive contact makes energy: in any state, whatever the shape, the surface, the laws."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import eomc

ELLIPSOID: dict[str, Any] = {"semi_axes": (0.2, 0.15, 0.1)}
TORUS: dict[str, Any] = {"radius": 0.2, "tube": 0.05}
FLOOR: dict[str, Any] = {"kind": "plane", "at": "world"}
KELVIN: dict[str, Any] = {"kind": "kelvin_voigt", "stiffness": "k", "damping": "c"}
HUNT: dict[str, Any] = {"kind": "spring", "stiffness": "k", "exponent": 1.5, "dissipation": "chi"}
COULOMB: dict[str, Any] = {"kind": "coulomb", "coefficient": "mu", "slip_speed": 0.05}
STRIBECK: dict[str, Any] = {
    "kind": "stribeck",
    "kinetic": "mu",
    "static": "2*mu",
    "speed": 0.1,
    "viscous": "c/100",
    "slip_speed": 0.05,
}
# Shape and its fields, surface, laws, width, from where to where its centre is thrown.
SCENES: dict[
    str,
    tuple[
        str,
        dict[str, Any],
        dict[str, Any],
        dict[str, Any],
        dict[str, Any],
        float,
        tuple[float, float],
    ],
] = {
    "egg on a floor": ("ellipsoid", ELLIPSOID, FLOOR, HUNT, COULOMB, 0.0, (0.0, 0.25)),
    "ring on a floor": (
        "torus",
        TORUS,
        FLOOR,
        KELVIN,
        {**COULOMB, "regularization": "tanh"},
        0.0,
        (0.0, 0.25),
    ),
    "can on a floor": (
        "cylinder",
        {"radius": 0.1, "half_length": 0.2},
        FLOOR,
        {"kind": "spring", "stiffness": "k", "restitution": 0.3, "speed": 1.0},
        {**COULOMB, "across": "mu/3"},
        0.01,
        (0.0, 0.25),
    ),
    "coin in a bowl": (
        "disc",
        {"radius": 0.2},
        {"kind": "sphere", "at": "world", "radius": 0.5, "side": "inside"},
        {"kind": "hertz", "modulus": "100*k", "radius": 0.1, "dissipation": "chi"},
        STRIBECK,
        0.0,
        (0.2, 0.5),
    ),
    "egg in a pipe": (
        "ellipsoid",
        ELLIPSOID,
        {"kind": "cylinder", "at": "world", "radius": 0.6, "axis": (0.1, 1, 0), "side": "inside"},
        HUNT,
        COULOMB,
        1e-3,
        (0.3, 0.6),
    ),
    "egg on an egg": (
        "ellipsoid",
        ELLIPSOID,
        {"kind": "ellipsoid", "at": "world", "semi_axes": (0.4, 0.3, 0.5)},
        KELVIN,
        STRIBECK,
        0.01,
        (0.45, 0.7),
    ),
    "ring on a peg": (
        "torus",
        TORUS,
        {"kind": "cylinder", "at": "world", "radius": 0.1, "axis": (0, 1, 0)},
        # Without a spring: a law of one's own has power, and no energy stored.
        {"kind": "law", "expression": "max((c + k*x)*v, 0)"},
        COULOMB,
        0.0,
        (0.0, 0.4),
    ),
    "ball on a level": (
        "sphere",
        {"radius": 0.1},
        {"kind": "implicit", "at": "world", "expression": "z + 0.1*sin(5*x)*cos(3*y)"},
        HUNT,
        COULOMB,
        0.0,
        (0.0, 0.2),
    ),
}
PARAMETERS = {"k": (1e2, 1e5), "chi": (0.0, 2.0), "c": (0.0, 300.0), "mu": (0.0, 1.5)}


@cache
def scene(name: str) -> eomc.CompiledModel:
    """One body and its contact, without weight; all numbers can be tuned."""
    kind, fields, surface, normal, friction, width, _ = SCENES[name]
    model = eomc.Model("thrown", gravity=(0, 0, 0))
    for parameter, (low, high) in PARAMETERS.items():
        model.parameter(parameter, (low + high) / 2, tunable=True)
    model.body("b", mass=1, inertia=(0.01, 0.012, 0.014))
    model.joint("free", "floating", parent="world", child="b")
    model.contact("c", {"kind": kind, "at": "b", **fields}, surface, normal, friction, width=width)
    asked = ["forward_dynamics", "coordinate_rates", "kinetic_energy", "potential_energy"]
    if name == "egg on a floor":
        return eomc.build(model, functions=[*asked, "normalize"], lanes=2, flags=("-O0",))
    return eomc.build(model, functions=asked, flags=("-O0",))


@st.composite
def states(draw: Any, name: str) -> tuple[Any, Any, dict[str, float]]:
    """Place about the surface, attitude and speeds, and all parameters."""
    low, high = SCENES[name][-1]
    unit = st.floats(-1, 1)
    way, kappa = (np.array(draw(st.tuples(*[unit] * n))) for n in (3, 4))
    assume(np.linalg.norm(way) > 0.1 and np.linalg.norm(kappa) > 0.1)
    far = draw(st.floats(low, high))
    place = far * way / np.linalg.norm(way)
    if low == 0:
        place = np.array([way[0], way[1], far])
    u = np.array(draw(st.tuples(*[st.floats(-5, 5)] * 6)))
    given = {key: draw(st.floats(*bounds)) for key, bounds in PARAMETERS.items()}
    return np.concatenate([place, kappa / np.linalg.norm(kappa)]), u, given


NO_FRICTION = np.eye(7)[3], np.zeros(6), {"k": 100.0, "chi": 0.0, "c": 0.0, "mu": 0.0}
STANDING = np.array([0, 0, 0, 0, 1, 0, 6e-8])
ABOVE_THE_PEG = np.array([0, 0, 0.125, 0, 0, 0, 1.0])  # 25 mm deep at both sides of the ring


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@example(("can on a floor", NO_FRICTION))  # coefficients of both directions tuned to zero
@example(("can on a floor", (STANDING, -np.eye(6)[4], NO_FRICTION[2])))
@example(("ring on a peg", (ABOVE_THE_PEG, np.eye(6)[2], NO_FRICTION[2])))
@example(("ring on a peg", (ABOVE_THE_PEG, -np.eye(6)[2], NO_FRICTION[2] | {"c": 30.0})))
@given(st.sampled_from(sorted(SCENES)).flatmap(lambda name: st.tuples(st.just(name), states(name))))
def test_a_passive_contact_makes_no_energy(drawn: Any) -> None:
    """The rate of T + V along the motion, by differences to the side where it has no corner: the
    nearest point of a can that stands jumps from one side of its rim to the other."""
    name, (q, u, parameters) = drawn
    model = scene(name)
    try:
        a = model.forward_dynamics(q, u, np.zeros(6), parameters=parameters)
    except ArithmeticError:
        assume(False)  # deeper than the nearest point is one
    moving, step = model.coordinate_rates(q, u), 1e-7

    def energy(t: float) -> float:
        at, speeds = q + t * moving, u + t * a
        stored = model.potential_energy(at, parameters=parameters)
        return float(model.kinetic_energy(at, speeds, parameters=parameters) + stored)

    rate = min((4 * energy(h) - 3 * energy(0.0) - energy(2 * h)) / (2 * h) for h in (step, -step))
    scale = energy(0.0) + np.linalg.norm(a) * np.linalg.norm(u)
    assert rate <= 1e-7 * (1 + scale)


def test_contacts_in_batches_and_rollouts_are_those_of_single_states() -> None:
    model, rng = scene("egg on a floor"), np.random.default_rng(3)
    q, u = np.zeros((3, 7)), rng.normal(size=(3, 6))
    q[:, 2], q[:, 3] = (0.05, 0.1, 0.4), 1.0
    together = model.forward_dynamics(q, u, np.zeros(6))
    history, speeds = model.rk4_rollouts(q, u, np.zeros(6), 1e-3, 50, every=50)
    for k in range(3):
        assert np.array_equal(together[k], model.forward_dynamics(q[k], u[k], np.zeros(6)))
        run = eomc.simulate(model, q[k], u[k], t_span=[0, 0.05], method="rk4", step=1e-3)
        assert np.allclose(history[k, -1], run.q[-1], rtol=0, atol=1e-12)
        assert np.allclose(speeds[k, -1], run.u[-1], rtol=0, atol=1e-10)
    assert np.ptp(together[:, 2]) > 1.0  # pressed, and free
