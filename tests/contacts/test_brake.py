"""A shoe on a lever that brakes a drum: friction and what presses depend on each other."""

from __future__ import annotations

import numpy as np
import pytest

import eomc

MU, ARM, OVER, RADIUS, SHOE = 0.4, 0.3, 0.1, 0.2, 0.01


def test_a_shoe_brake_helps_itself_one_way() -> None:
    """Moments about the pivot, OVER above the rubbing face: N (ARM +- mu OVER) = torque."""
    model = eomc.Model("brake", gravity=(0, 0, 0))
    model.body("drum", mass=50, inertia=(400, 400, 400))
    model.joint("drum", "revolute", parent="world", child="drum", axis=(0, 1, 0))
    model.body("lever", mass=1, inertia=(0.1, 0.1, 0.1))
    model.joint(
        "lever",
        "revolute",
        parent="world",
        child="lever",
        axis=(0, 1, 0),
        placement=(-ARM, 0, RADIUS + OVER),
    )
    model.contact(
        "shoe",
        shape={
            "kind": "sphere",
            "at": {"body": "lever", "xyz": (ARM, 0, SHOE - OVER)},
            "radius": SHOE,
        },
        surface={"kind": "cylinder", "at": "drum", "radius": RADIUS, "axis": (0, 1, 0)},
        normal={"kind": "kelvin_voigt", "stiffness": 1e7, "damping": 1e4},
        friction={"kind": "coulomb", "coefficient": MU, "slip_speed": 1e-4},
    )
    asked = ["forward_dynamics", "coordinate_rates", "element_outputs"]
    built = eomc.build(model, functions=asked)
    pressed = {}
    for way in (1.0, -1.0):
        run = eomc.simulate(
            built,
            u={"drum": 10 * way},
            t_span=[0, 0.2],
            tau={"lever": 30.0},
            method="LSODA",
            rtol=1e-8,
            atol=1e-11,
        )
        told = built.outputs(run.q[-1], run.u[-1])
        pressed[way] = float(told["shoe.normal_force"])
        assert pressed[way] == pytest.approx(30.0 / (ARM + way * MU * OVER), rel=1e-4)
        slowed = (10 - abs(run["speed(drum)"][-1])) * 400
        assert slowed == pytest.approx(MU * pressed[way] * RADIUS * 0.2, rel=1e-2)
    assert pressed[-1.0] > 1.3 * pressed[1.0]
    assert np.isfinite(list(pressed.values())).all()
