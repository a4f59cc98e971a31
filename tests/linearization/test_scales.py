"""Mechanisms in other units of length, mass and time give the same answers in them: what is small
is small beside what acts, not beside a newton or a metre."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pytest

import eomc
from eomc.runtime.linearization import LinearModel
from eomc.runtime.model.errors import EquilibriumError, LinearizationError


@dataclass(frozen=True)
class Units:
    """Sizes of a model's metre, kilogram and second."""

    m: float = 1.0
    kg: float = 1.0
    s: float = 1.0

    @property
    def N(self) -> float:
        return self.kg * self.m / self.s**2

    @property
    def J(self) -> float:
        return self.N * self.m

    @property
    def gravity(self) -> tuple[float, float, float]:
        return (0, 0, -9.81 * self.m / self.s**2)


ONE = Units()
SMALL = Units(1e-6, 1e-15, 1e-3)
SCALED = [SMALL, *(Units(**{name: x}) for name in ("m", "kg", "s") for x in (1e-9, 1e9))]
UNITS = [SMALL, *(pytest.param(x, marks=pytest.mark.slow) for x in SCALED[1:])]


@functools.cache
def pendulum(x: Units) -> eomc.CompiledModel:
    model = eomc.Model("pendulum", gravity=x.gravity)
    model.body("bob", mass=2 * x.kg, com=(0, 0, -0.5 * x.m))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    return eomc.build(model)


@functools.cache
def loop(x: Units) -> eomc.CompiledModel:
    """A four-bar with a spring."""
    model, inertia = eomc.Model("loop", gravity=x.gravity), 0.01 * x.kg * x.m**2
    lengths = {"crank": 0.3, "coupler": 0.8, "rocker": 0.6}
    for name, a in lengths.items():
        model.body(
            name,
            mass=a * x.kg,
            com=(a / 2 * x.m, 0, 0),
            inertia=(inertia, inertia, inertia, 0, 0, 0),
        )
    for name, parent, at in (("a", "world", 0.0), ("b", "crank", 0.3), ("c", "coupler", 0.8)):
        child = {"a": "crank", "b": "coupler", "c": "rocker"}[name]
        model.joint(
            name, "revolute", parent=parent, child=child, axis=(0, 1, 0), placement=(at * x.m, 0, 0)
        )
    model.joint(
        "d",
        "revolute",
        parent="rocker",
        child="world",
        axis=(0, 1, 0),
        placement=(0.6 * x.m, 0, 0),
        child_placement=(0.9 * x.m, 0, 0),
    )
    ends = eomc.Point("world", (0, 0, x.m)), eomc.Point("crank", (0.3 * x.m, 0, 0))
    model.spring("spring", *ends, stiffness=40 * x.N / x.m, free_length=0.5 * x.m)
    return eomc.build(model)


@functools.cache
def cable(x: Units) -> eomc.CompiledModel:
    """Stiff and straight: its tension follows from its weight and how it stretches."""
    g = 4.67e-4 * x.m / x.s**2
    model = eomc.Model("cable", gravity=(0, 0, -g))
    model.lumped_cable(
        "c",
        a="world",
        b=eomc.Point("world", (x.m, 0, 0)),
        length=x.m,
        line_mass=x.kg / x.m,
        lumps=7,
        modulus=1.1e8 * x.N / x.m**2 / 1e-4,
        area=1e-4 * x.m**2,
    )
    return eomc.build(model)


@functools.cache
def block(x: Units) -> eomc.CompiledModel:
    model = eomc.Model("block", gravity=x.gravity)
    model.body("block", mass=3 * x.kg)
    model.joint("drop", "prismatic", parent="world", child="block", axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "block", "radius": 0.1 * x.m},
        surface={"kind": "plane", "at": "world", "normal": (0, 0, 1)},
        normal={
            "kind": "kelvin_voigt",
            "stiffness": 2e4 * x.N / x.m,
            "damping": 30 * x.N * x.s / x.m,
        },
    )
    return eomc.build(model)


@functools.cache
def ball(x: Units) -> eomc.CompiledModel:
    model = eomc.Model("ball", gravity=x.gravity)
    model.body("ball", mass=3 * x.kg)
    model.joint("drop", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "ball", "radius": 0.1 * x.m},
        surface={"kind": "plane", "at": "world", "normal": (0, 0, 1)},
        normal={"kind": "rigid", "restitution": 0.5, "rest_speed": 1e-3 * x.m / x.s},
    )
    return eomc.build(model)


def frequencies(found: LinearModel, x: Units) -> np.ndarray:
    sizes = np.abs(found.modes().eigenvalues) * x.s
    return np.sort(sizes[found.modes().eigenvalues.imag >= 0])


@pytest.mark.parametrize("x", UNITS, ids=str)
def test_a_pendulum(x: Units) -> None:
    model, plain = pendulum(x), pendulum(ONE)
    held = eomc.equilibrium(model, {"hinge": 0.3}, tau={"hinge": 4.905 * x.J})
    assert np.degrees(held["hinge"]) == pytest.approx(30, abs=1e-7)
    assert held.residual < 1e-9 * x.J
    rest = eomc.equilibrium(model, {"hinge": 0.3})
    assert abs(rest["hinge"]) < 1e-7
    assert frequencies(eomc.linearize(model, rest), x) == pytest.approx(np.sqrt(9.81 / 0.5))
    again = eomc.linearize(model, q=rest.q, a=np.zeros(1), tau=np.zeros(1))
    assert frequencies(again, x) == pytest.approx(np.sqrt(9.81 / 0.5))
    with pytest.raises(LinearizationError, match="contradict"):
        eomc.linearize(model, q=[0.3], a=np.zeros(1), tau=np.zeros(1))
    runs = [eomc.simulate(one, {"hinge": 1.0}, None, s) for one, s in ((model, x.s), (plain, 1.0))]
    assert np.allclose(runs[0].q, runs[1].q, atol=1e-6)


@pytest.mark.parametrize("x", UNITS, ids=str)
def test_a_loop(x: Units) -> None:
    model, plain = loop(x), loop(ONE)
    guess = [-0.9, 0.5, 1.2]
    assert np.allclose(eomc.assemble(model, guess).q, eomc.assemble(plain, guess).q, atol=1e-9)
    found, known = (eomc.equilibrium(one, eomc.assemble(one, guess)) for one in (model, plain))
    assert np.allclose(found.q, known.q, atol=1e-8)
    assert frequencies(eomc.linearize(model, found), x) == pytest.approx(
        frequencies(eomc.linearize(plain, known), ONE), rel=1e-6
    )
    start = eomc.assemble(plain, guess)
    runs = [eomc.simulate(one, start.q, None, 0.5 * s) for one, s in ((model, x.s), (plain, 1.0))]
    assert np.allclose(runs[0].q[-1], runs[1].q[-1], atol=1e-6)


@pytest.mark.parametrize("x", [ONE, *(pytest.param(x, marks=pytest.mark.slow) for x in SCALED)])
def test_a_stiff_cable(x: Units) -> None:
    """H of a parabola that its own sag stretches: H^3 = EA (w l)^2 (1 - 1/n^2) / 24 of n links
    (Irvine, *Cable Structures*, sec. 2.3). The start is straight, without stiffness across."""
    model = cable(x)
    found = eomc.equilibrium(model)
    H = (1.1e8 * 4.67e-4**2 * (1 - 1 / 49) / 24) ** (1 / 3)
    assert found.outputs["c_link4.tension"] == pytest.approx(H * x.N, rel=1e-6)
    values = {"q": found.q, "u": found.u, "tau": found.tau}
    left = model.forward_dynamics(**values) * x.s**2 / x.m
    assert np.abs(left[2::3]).max() < 1e-4 * 4.67e-4


@pytest.mark.parametrize("x", UNITS, ids=str)
def test_a_contact(x: Units) -> None:
    model = block(x)
    depth = 3 * 9.81 / 2e4
    rest = eomc.equilibrium(model, {"drop": 0.0999 * x.m})
    assert rest["drop"] == pytest.approx((0.1 - depth) * x.m, rel=1e-9)
    assert frequencies(eomc.linearize(model, rest), x) == pytest.approx(np.sqrt(2e4 / 3), rel=1e-6)
    with pytest.raises(EquilibriumError, match=r"force of .* on 'drop'"):
        eomc.equilibrium(model, {"drop": 2.0 * x.m})


@pytest.mark.parametrize("x", UNITS, ids=str)
def test_an_impact(x: Units) -> None:
    """Falls by 1 m, and rises with half its speed."""
    tolerances = {"rtol": 1e-9, "atol": 1e-12 * min(x.m, x.m / x.s)}
    run = eomc.simulate(ball(x), {"drop": 1.1 * x.m}, None, 0.6 * x.s, **tolerances)
    before = np.sqrt(2 / 9.81)
    after = 0.6 - before
    assert run.q[-1, 0] == pytest.approx(
        (0.1 + 0.5 * np.sqrt(2 * 9.81) * after - 9.81 / 2 * after**2) * x.m, rel=1e-6
    )
