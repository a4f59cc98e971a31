"""A compliant contact beside MuJoCo's, where the laws agree.

MuJoCo's soft constraint asks for the acceleration -k r - b r' of the gap r (`solref` of two
negative numbers, one impedance at all depths). On a single ball without weight that is a spring of
stiffness m k with a damper m b that does not pull. Its fixed steps meet the kink late, by one step.
"""

from __future__ import annotations

import pytest

import eomc

mujoco = pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")

K, B, M, R = 4000.0, 12.0, 2.0, 0.1
T = 0.12


def flown(step: float) -> tuple[float, float]:
    """Speed after the impact at 1 m/s, and the lowest place, by MuJoCo."""
    soft = f'condim="1" solref="{-K} {-B}" solimp="0.9 0.9 0.001 0.5 2"'
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option gravity="0 0 0" timestep="{step}" integrator="RK4" tolerance="0"/>
        <worldbody><geom type="plane" size="1 1 1" {soft}/>
        <body pos="0 0 {R + 1e-3}"><freejoint/><geom type="sphere" size="{R}" mass="{M}" {soft}/>
        </body></worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    data.qvel[2], lowest = -1, 1.0
    for _ in range(round(T / step)):
        mujoco.mj_step(model, data)
        lowest = min(lowest, data.qpos[2])
    return float(data.qvel[2]), float(lowest)


def test_a_ball_bounces_as_in_mujoco() -> None:
    """The difference is MuJoCo's, of the order of its step."""
    model = eomc.Model("ball", gravity=(0, 0, 0))
    model.body("ball", mass=M)
    model.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "ball", "radius": R},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "kelvin_voigt", "stiffness": M * K, "damping": M * B},
    )
    made = eomc.build(model, functions=["forward_dynamics", "coordinate_rates"])
    run = eomc.simulate(made, {"z": R + 1e-3}, {"z": -1}, t_span=T, rtol=1e-11, atol=1e-13)
    speed = run["speed(z)"][-1]
    coarse, fine = (flown(step) for step in (1e-4, 1e-5))
    assert abs(fine[0] - speed) < 5e-5 and abs(coarse[0] - speed) < 5e-4
    assert abs(fine[1] - run["z"].min()) < 1e-5
    assert speed < 0.76
