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
    route = [
        "left",
        {"kind": "pulley", "at": "world", "axis": Y, "radius": radius, "sense": 1},
        "right",
    ]
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
    told = built.outputs(q, u)
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
        route.append(
            {
                "kind": "pulley",
                "at": {"body": "world", "xyz": xyz},
                "axis": Z,
                "radius": 0.5,
                "sense": sense,
                "friction": mu,
            }
        )
    end = {"body": "world", "xyz": (-3, 0.5, 0)}
    model.cable("rope", [*route, end], length=10, modulus=1e3)
    built = eomc.build(model)
    u, zero = [0, -1, 0], [0, 0, 0]
    force = -np.asarray(built.inverse_dynamics(zero, u, zero))
    told = built.outputs(zero, u)
    assert told["rope.wrap_1"] == pytest.approx(np.pi / 2, abs=1e-12)
    assert told["rope.wrap_2"] == pytest.approx(np.pi, abs=1e-12)
    # Tension of the first span over the mean of all, which is weighted by length. All of the rope
    # gets longer alike, so that it slides slower the nearer a bend is to the end that is held.
    spans = np.array([6.0, 4.5, 8.0])
    v = (1 - np.cumsum(spans)[:2] / spans.sum()) / 1e-3
    slip = v / np.sqrt(1 + v * v)
    ratios = np.exp(-np.cumsum([0, 0.2 * np.pi / 2 * slip[0], 0.15 * np.pi * slip[1]]))
    assert force[1] / told["rope.tension"] == pytest.approx(
        spans.sum() / (spans @ ratios), rel=1e-9
    )


@pytest.mark.parametrize("speed", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("bend", [np.pi / 2, np.pi])
def test_friction_of_a_bearing(bend: float, speed: float) -> None:
    """(T1 - T2) r = mu_b r_b |T1 e1 + T2 e2|, against the turn."""
    model, r, kappa = eomc.Model("bearing", gravity=(0, 0, 0)), 0.1, 0.2
    ways = {"left": np.array([0, 0, -1]), "right": np.array([np.sin(bend), 0, np.cos(bend)])}
    starts = {
        "left": (-r, 0, -1),
        "right": tuple(r * np.array([-np.cos(bend), 0, np.sin(bend)]) + ways["right"]),
    }
    for name, way in ways.items():
        model.body(name, mass=1)
        model.joint(
            name, "prismatic", parent="world", child=name, axis=tuple(way), placement=starts[name]
        )
    pulley = {"kind": "pulley", "at": "world", "axis": Y, "radius": r, "sense": 1, "bearing": kappa}
    model.cable("rope", ["left", pulley, "right"], length=1, modulus=1e3, slip_speed=1e-9)
    built, zero = eomc.build(model), [0, 0]
    assert built.outputs(zero, zero)["rope.wrap_1"] == pytest.approx(bend, abs=1e-12)
    left, right = np.asarray(built.inverse_dynamics(zero, [speed, -speed], zero))
    assert min(left, right) > 0
    force = np.linalg.norm(left * ways["left"] + right * ways["right"])
    assert left - right == pytest.approx(np.sign(speed) * kappa * force, rel=1e-12)


def test_ropes_that_would_push_are_slack() -> None:
    """Below a body at rest on a spring that is long enough, a rope from the floor is slack."""
    model = Model("moored", gravity=(0, 0, -10))
    model.body("buoy", mass=2)
    model.joint("z", "prismatic", parent="world", child="buoy", axis=(0, 0, 1))
    model.joint_spring("lift", joint="z", stiffness=100, free_angle="free")
    model.parameter("free", 1.5)
    route = [eomc.Point("world", (0, 0, 0)), eomc.Point("buoy", (0, 0, 0))]
    model.constraint("mooring", "rope", route=route, length=1)
    compiled = eomc.build(model, tunable="all")
    for free, slack in ((1.3, ()), (1.1, ("mooring",))):  # 100 (free - 1) - 20 N is the tension
        held = eomc.equilibrium(compiled, {"z": 1}, parameters={"free": free})
        assert held.multipliers == pytest.approx(20 - 100 * (free - 1))
        assert held.slack == slack == tuple(held.as_dict().get("slack", ()))
