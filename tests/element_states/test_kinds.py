"""Lags, bristles and states of the user against solutions of their own."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import eomc


def slider(**joint) -> eomc.Model:
    model = eomc.Model("slider", gravity=(0, 0, 0))
    model.body("block", mass=2)
    model.joint("slide", "prismatic", parent="world", child="block", axis=(1, 0, 0), **joint)
    return model


def test_lag_answers_a_step_exponentially():
    model = slider()
    model.lag("motor", speed="slide", command=3, time_constant=0.2)
    run = eomc.simulate(eomc.build(model), t_span=np.linspace(0, 1, 21), rtol=1e-12, atol=1e-13)
    grown = -np.expm1(-run.t / 0.2)
    assert np.abs(run["motor_effort"] - 3 * grown).max() < 1e-10
    # m x'' = z: x' = (c/m)(t - T (1 - exp(-t/T)))
    assert np.abs(run["speed(slide)"] - 1.5 * (run.t - 0.2 * grown)).max() < 1e-10


def test_bristles_as_integrated_by_hand():
    model = slider()
    model.input("pull", units="N")
    model.generalized_force("pulled", speed="slide", expression="pull")
    model.bristle(
        "floor",
        speed="slide",
        stiffness=1e4,
        coulomb=1.0,
        static=1.5,
        stribeck_speed=0.01,
        damping=50,
        viscous=0.4,
    )
    times = np.linspace(0, 2, 41)

    def rates(t, y):
        _, v, z = y
        limit = 1 + 0.5 * np.exp(-((v / 0.01) ** 2))
        z_rate = v - 1e4 * abs(v) / limit * z
        force = 2.5 * np.sin(3 * t) - (1e4 * z + 50 * z_rate + 0.4 * v)
        return [v, force / 2, z_rate]

    by_hand = solve_ivp(
        rates, (0, 2), np.zeros(3), method="LSODA", t_eval=times, rtol=1e-10, atol=1e-13
    )
    run = eomc.simulate(
        eomc.build(model),
        t_span=times,
        inputs={"pull": lambda t, q, u: 2.5 * np.sin(3 * t)},
        method="LSODA",
        rtol=1e-10,
        atol=1e-13,
    )
    for name, row in zip(("slide", "speed(slide)", "floor_deflection"), by_hand.y, strict=True):
        assert np.abs(run[name] - row).max() < 1e-6 * np.abs(row).max()
    # Below breakaway the block sticks.
    still = eomc.simulate(eomc.build(model), t_span=2.0, inputs=[0.5], method="LSODA")
    assert abs(still["slide"][-1]) < 3 * 0.5 / 1e4


def test_state_of_the_user_stands_in_a_law():
    model = slider()
    model.state("heat", rate="-0.5*heat", initial=2, units="K")
    model.joint_spring("spring", joint="slide", law="heat*x")
    model.validate()
    compiled = eomc.build(model)
    assert dict(compiled.element_states) == {"heat": 2.0}
    a = compiled.forward_dynamics([0.3], [0.0], [2.0], [0.0])
    assert np.isclose(a.item(), -2 * 0.3 / 2, rtol=1e-15)
    run = eomc.simulate(compiled, {"slide": 0.1}, t_span=1.0)
    assert np.isclose(run["heat"][-1], 2 * np.exp(-0.5), rtol=1e-8)


@pytest.mark.parametrize(
    ("declare", "told"),
    [
        (lambda m: m.lag("motor", speed="slide", command=1, time_constant=0), "positive"),
        (lambda m: m.lag("motor", speed="y", command=1, time_constant=1), "unknown speed 'y'"),
        (lambda m: m.bristle("b", speed="slide", stiffness=1, coulomb=2, static=1), "below that"),
        (lambda m: m.state("slide", rate=1), "has the name of a coordinate"),
        (lambda m: m.state("two words", rate=1), "plain word"),
        (lambda m: m.potential("v", expression="h*x") or m.state("h", rate=1), "one of the states"),
        (lambda m: m.state("h", rate="hh"), "unknown name 'hh'; did you mean 'h'"),
    ],
)
def test_mistakes_are_told(declare, told):
    model = slider()
    with pytest.raises(eomc.ModelError, match=told):
        declare(model)
        model.validate()


@pytest.mark.parametrize("arguments", [{"locked": True}, {"mimic": {"joint": "slide"}}])
def test_speeds_that_do_not_move_by_themselves_are_refused(arguments):
    model = slider()
    model.body("other", mass=1)
    model.joint("y", "prismatic", parent="block", child="other", axis=(1, 0, 0), **arguments)
    model.lag("motor", speed="y", command=1, time_constant=1)
    with pytest.raises(eomc.ModelError, match=r"locked|follows"):
        model.validate()
