"""Small machines of textbooks: friction over bends, weights on ropes, winches, belts, slack."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.derive.model import Model
from eomc.runtime.constraints import assemble

Y, Z = (0, 1, 0), (0, 0, 1)


def weights(rope: str, radius: float = 0.1) -> Model:
    """Two weights of 5 and 3 kg on both sides of a pulley."""
    model = eomc.Model("weights")
    for name, mass, x in (("left", 5, -radius), ("right", 3, radius)):
        model.body(name, mass=mass)
        model.joint(name, "prismatic", parent="world", child=name, axis=Z, placement=(x, 0, -1))
    route = ["left", {"pulley": "world", "axis": Y, "radius": radius, "sense": 1}, "right"]
    if rope == "rope":
        model.constraint("rope", "rope", route=route, length=2 + np.pi * radius)
    else:
        route[1] = route[1] | {"friction": 0.25, "turns": 1}
        model.cable("rope", route, length=2 + 3 * np.pi * radius, modulus=1e4, slip_speed=1e-3)
    return model


def test_weights_on_a_rope() -> None:
    built = eomc.build(weights("rope"))
    at = assemble(built, [0, 0], [0.4, -0.4])
    a = (5 - 3) / (5 + 3) * 9.81
    assert at.a == pytest.approx([-a, a], abs=1e-12)
    # A tension pulls both up: lambda = -T.
    assert at.multipliers == pytest.approx([-3 * (9.81 + a)], abs=1e-12)


@pytest.mark.parametrize("speed", [-1.0, 0.0, 1.0])
def test_friction_over_three_half_turns(speed: float) -> None:
    """Euler and Eytelwein: T_left/T_right = exp(mu alpha) in the direction of slip; 1 at rest."""
    built = eomc.build(weights("cable"))
    q, u, zero = [-0.05, -0.05], [speed, -speed], [0, 0]
    weight = np.array([5, 3]) * 9.81
    left, right = weight - np.asarray(built.inverse_dynamics(q, u, zero))
    told = dict(zip(built.output_rows("element_outputs"), built.element_outputs(q, u), strict=True))
    assert told["rope.wrap_1"] == pytest.approx(3 * np.pi, abs=1e-12)
    # Drawn over to the left where the left weight sinks.
    slip = np.tanh(0) if not speed else -np.sign(speed) / np.sqrt(1 + 1e-6)
    assert left / right == pytest.approx(np.exp(0.25 * 3 * np.pi * slip), rel=1e-9)
    spans = np.array([1.05, 1.05])
    assert spans @ [left, right] / spans.sum() == pytest.approx(told["rope.tension"], rel=1e-12)


def test_two_bends() -> None:
    """Over 90 and 180 degrees the tension falls by exp(0.2 pi/2 + 0.15 pi)."""
    model = eomc.Model("bends", gravity=(0, 0, 0))
    model.body("a", mass=1)
    model.joint("a", "translational", parent="world", child="a", placement=(0, -5, 0))
    # Up to a corner, to the right, and back under.
    bends = [((0.5, 1, 0), 0.2, -1), ((5, 1, 0), 0.15, -1)]
    route = ["a"]
    for xyz, mu, sense in bends:
        route.append({"pulley": {"body": "world", "xyz": xyz}, "axis": Z, "radius": 0.5,
                      "sense": sense, "friction": mu})  # fmt: skip
    end = {"body": "world", "xyz": (-3, 0.5, 0)}
    model.cable("rope", [*route, end], length=10, modulus=1e3)
    built = eomc.build(model)
    u, zero = [0, -1, 0], [0, 0, 0]
    force = -np.asarray(built.inverse_dynamics(zero, u, zero))
    told = dict(
        zip(built.output_rows("element_outputs"), built.element_outputs(zero, u), strict=True)
    )
    assert told["rope.wrap_1"] == pytest.approx(np.pi / 2, abs=1e-12)
    assert told["rope.wrap_2"] == pytest.approx(np.pi, abs=1e-12)
    # Tension of the first span over the mean of all, which is weighted by length.
    slip = 1 / np.sqrt(1 + 1e-6)
    ratios = np.exp(-slip * np.cumsum([0, 0.2 * np.pi / 2, 0.15 * np.pi]))
    spans = np.array([6.0, 4.5, 8.0])
    assert force[1] / told["rope.tension"] == pytest.approx(
        spans.sum() / (spans @ ratios), rel=1e-9
    )


def test_a_load_falls_from_a_drum() -> None:
    """a = m g r^2/(J + m r^2), T = m (g - a); twelve turns of the drum take t = sqrt(2 x/a)."""
    model = eomc.Model("drum")
    model.body("drum", mass=1, inertia=(1, 0.8, 1))
    model.joint("drum", "revolute", parent="world", child="drum", axis=Y)
    model.body("load", mass=50)
    model.joint("load", "prismatic", parent="world", child="load", axis=Z, placement=(0.15, 0, -1))
    winch = {"winch": "world", "axis": Y, "radius": 0.15, "sense": 1, "turn": "drum",
             "zero": (0, 0, -1)}  # fmt: skip
    model.constraint("rope", "rope", route=[winch, "load"], length=1)
    built = eomc.build(model)
    at = assemble(built)
    a = 5.733116883116883
    assert at.a[list(built.speeds).index("load")] == pytest.approx(-a, rel=1e-13)
    assert at.multipliers == pytest.approx([-203.8441558441559], rel=1e-13)
    end = 1.986304317370712
    run = eomc.simulate(built, t=[0, end], rtol=1e-12, atol=1e-12)
    assert run["load"][-1] == pytest.approx(-11.309733552923255, abs=1e-9)
    assert run["drum"][-1] == pytest.approx(24 * np.pi, abs=1e-8)


def test_a_belt() -> None:
    """Two spans of stiffness k: omega^2 = 2 k (r1^2/J1 + r2^2/J2), and one zero mode."""
    model = eomc.Model("belt")
    sizes = (("small", 0.1, 0.02, 0.0), ("large", 0.2, 0.05, 1.0))
    for name, _, inertia, x in sizes:
        model.body(name, mass=1, inertia=(1, 1, inertia))
        model.joint(name, "revolute", parent="world", child=name, axis=Z, placement=(x, 0, 0))
    span = np.sqrt(1 - 0.1**2)
    for name, sense in (("upper", -1), ("lower", 1)):
        route = [
            {"winch": {"body": "world", "xyz": (x, 0, 0)}, "axis": Z, "radius": r, "sense": sense,
             "turn": turn, "zero": (1 - 2 * x, 0, 0)}
            for turn, r, _, x in sizes
        ]  # fmt: skip
        model.cable(name, route, length=span * 0.9, modulus="E", form="work")
    model.parameter("E", 1.0)
    built = eomc.build(model, tunable="all")
    rows, values = built.output_rows("element_outputs"), built.element_outputs([0, 0], [0, 0])
    told = dict(zip(rows, values, strict=True))
    rest = told["upper.rest_length"]
    assert told["upper.length"] == pytest.approx(span, abs=1e-14) and 0.8 < rest < span
    # F = E (L/L0 - 1): at a length that stays dF/dL0 = -E L/L0^2.
    given = {"E": 4e4 * rest**2 / span}
    values = eomc.linearize(built, parameters=given).modes().eigenvalues
    assert max(v.imag for v in values) == pytest.approx(322.490309931942, rel=1e-9)
    assert sum(abs(v) < 1e-3 for v in values) == 2


def test_a_jump_on_a_rope_that_goes_slack() -> None:
    """Dropped from the anchor: free fall, then a spring; the smooth law is near the exact one."""
    model = eomc.Model("bungee")
    model.body("jumper", mass=70)
    model.joint("z", "prismatic", parent="world", child="jumper", axis=Z)
    model.cable("rope", ["world", "jumper"], length=12, modulus=150 * 12, width=1e-6)
    run = eomc.simulate(
        eomc.build(model), [-1e-9], t=np.linspace(0, 5.8369627823, 2001), rtol=1e-10, atol=1e-10
    )
    assert run["z"].min() == pytest.approx(-28.016097918797513, abs=1e-4)
    assert run["z"][-1] == pytest.approx(0, abs=1e-4)
