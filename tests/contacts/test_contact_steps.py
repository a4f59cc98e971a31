"""Velocity-level steps with rigid contacts: what they take, tell and refuse."""

from functools import cache

import numpy as np
import pytest

import eomc

PLANE = {"kind": "plane", "at": "world"}


def ball_model(**contact):
    model = eomc.Model("ball")
    model.body("ball", mass=2)
    model.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    model.contact("floor", shape={"kind": "point", "at": "ball"}, surface=PLANE, **contact)
    return model


@cache
def rigid_ball():
    return eomc.build(ball_model(normal={"kind": "rigid", "restitution": 0.5}))


@cache
def soft_ball():
    return eomc.build(ball_model(normal={"kind": "compliant", "stiffness": 1e7, "damping": 10}))


@cache
def braked_slide():
    """A slide with a brake whose force is an input, on a spring."""
    model = eomc.Model("slide", gravity=(0, 0, 0))
    model.body("slide", mass=2)
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.input("brake")
    model.dry_friction("pads", speed="x", force="brake")
    return eomc.build(model)


def test_records_have_forces_residuals_and_steps():
    run = eomc.simulate(rigid_ball(), [0.3], t_span=2, method="moreau", step=1e-3)
    assert run.method == "moreau"
    assert run.statistics["steps"] == 2000
    assert run.statistics["residual"] < 1e-12
    assert run.contacts.forces["floor"].shape == (2001, 1)
    weight = 2 * 9.81
    assert run.contacts.forces["floor"][-1, 0] == pytest.approx(weight, rel=1e-12)
    # Impulses are those since the row before, whatever the record leaves out.
    total = run.contacts.impulses["floor"].sum()
    sparse = eomc.simulate(rigid_ball(), [0.3], t_span=[0, 1, 2], method="moreau", step=1e-3)
    assert sparse.contacts.impulses["floor"].sum() == pytest.approx(total, rel=1e-12)
    assert sparse.q[-1] == pytest.approx(run.q[-1], abs=1e-12)
    assert total == pytest.approx(weight * 2 + 2 * run.u[-1, 0], rel=1e-9)


def test_a_brake_holds_by_its_input():
    def brake(t, q, u):
        return [0.0 if t < 0.5 else 3.0]

    given = {"t_span": 3, "method": "moreau", "step": 1e-3, "inputs": brake}
    run = eomc.simulate(braked_slide(), u=[1.0], **given)
    assert run["x"][-1] == pytest.approx(0.5 + 1 / (2 * 1.5), abs=2e-3)
    assert run["speed(x)"][-1] == 0
    pushed = eomc.simulate(braked_slide(), tau=[2.9], **given | {"t_span": [0.6, 1.0]})
    assert not pushed.u.any()
    slips = eomc.simulate(braked_slide(), tau=[3.1], **given | {"t_span": [0.6, 1.0]})
    assert slips["speed(x)"][-1] == pytest.approx(0.4 * 0.1 / 2, rel=1e-6)


@pytest.mark.parametrize("method", ["dopri", "rk4", "DOP853", None])
def test_other_methods_refuse_what_only_these_steps_know(method):
    for model, name in ((soft_ball(), "floor"), (braked_slide(), "pads")):
        with pytest.raises(ValueError, match=f"{name}.*stewart_trinkle"):
            eomc.simulate(model, t_span=0.1, method=method)


def test_linearization_and_impact_refuse_them():
    with pytest.raises(ValueError, match="pads"):
        eomc.linearize(braked_slide())
    with pytest.raises(ValueError, match="floor"):
        eomc.runtime.impact(soft_ball(), [0], [-1])


def test_moreau_refuses_what_gives_way():
    with pytest.raises(ValueError, match="take 'stewart_trinkle'"):
        eomc.simulate(soft_ball(), [0.1], t_span=0.1, method="moreau", step=1e-3)


def test_a_model_without_contacts_is_refused():
    model = eomc.Model("free")
    model.body("b", mass=1)
    model.joint("z", "prismatic", parent="world", child="b", axis=(0, 0, 1))
    with pytest.raises(ValueError, match="of models with rigid contacts or dry friction"):
        eomc.simulate(eomc.build(model), t_span=0.1, method="moreau", step=1e-3)


@pytest.mark.parametrize(
    ("contacts", "told"),
    [
        ({"sweeps": 0}, "sweeps"),
        ({"sweeps": 2.5}, "sweeps"),
        ({"sweeps": float("nan")}, "sweeps"),
        ({"tolerance": -1e-9}, "tolerance"),
        ({"residual": "small"}, "residual"),
        ({"swep": 3}, "sweeps"),
        ({"solver": "newtn"}, "newton"),
    ],
)
def test_settings_are_checked(contacts, told):
    with pytest.raises(ValueError, match=told):
        eomc.simulate(rigid_ball(), t_span=0.1, method="moreau", step=1e-3, contacts=contacts)


def test_a_start_inside_the_floor_is_refused():
    with pytest.raises(ValueError, match=r"'floor' starts with the gap -0\.5 m"):
        eomc.simulate(rigid_ball(), [-0.5], t_span=0.1, method="moreau", step=1e-3)


@pytest.mark.parametrize(
    ("normal", "told"),
    [
        ({"kind": "compliant", "stiffness": 0}, "both zero"),
        ({"kind": "compliant", "stiffness": -1}, "stiffness"),
        ({"kind": "compliant", "stiffness": 1, "damping": -1}, "damping"),
        ({"kind": "compliant", "stiffness": 1, "rest_speed": 0}, "rest_speed"),
    ],
)
def test_laws_that_give_way_are_checked(normal, told):
    with pytest.raises(eomc.ModelError, match=told):
        eomc.build(ball_model(normal=normal))


def test_dry_friction_that_pushes_is_refused():
    model = eomc.Model("slide")
    model.body("slide", mass=1)
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.dry_friction("pads", speed="x", force=-1)
    with pytest.raises(eomc.ModelError, match=r"pads.*force"):
        eomc.build(model)


def test_events_end_a_run_of_steps():
    def lands(t, q, u):
        return q[0] - 0.1

    lands.terminal = True
    given = {"t_span": 1, "method": "moreau", "step": 1e-3}
    run = eomc.simulate(rigid_ball(), [0.3], events=lands, **given)
    assert run.t[-1] == pytest.approx(np.sqrt(0.4 / 9.81), abs=1e-6)
    assert run.q[-1, 0] == pytest.approx(0.1, abs=1e-9)


def test_a_run_that_cannot_go_on_keeps_what_it_has():
    def controller(t, q, u):
        return [float("inf") if t > 0.05 else 0.0]

    with pytest.raises((ArithmeticError, ValueError)) as caught:
        eomc.simulate(
            rigid_ball(), [0.3], t_span=0.2, controller=controller, method="moreau", step=1e-3
        )
    assert "0.05" in str(caught.value)


@pytest.mark.slow
def test_single_precision_takes_the_same_steps():
    made = eomc.build(
        ball_model(normal={"kind": "rigid", "restitution": 0.5}),
        functions=["contact_equations", "integrate", "rigid_contacts"],
        real="float",
    )
    step = made.integrator("moreau")[0]
    rows = made.integrator_record("moreau")["nz"]
    settings = [20, 1e-6, 1e-2, 1, 0]
    q, u, _ = step([0.3], [0.0], np.zeros(rows), [0.0], settings, 1e-3, 1000)
    run = eomc.simulate(rigid_ball(), [0.3], t_span=1, method="moreau", step=1e-3)
    assert np.abs(q - run.q).max() < 1e-4
    assert abs(u[-1]) < 1e-6


def test_ordinary_code_has_no_such_steps(tmp_path):
    eomc.emit(ball_model(normal={"kind": "rigid", "restitution": 0.5}), tmp_path)
    assert not any("moreau" in path.read_text() for path in tmp_path.iterdir())


def test_emitted_code_has_them_when_it_is_asked_for(tmp_path):
    functions = ["contact_equations", "integrate"]
    eomc.emit(
        ball_model(normal={"kind": "rigid", "restitution": 0.5}), tmp_path, functions=functions
    )
    header = (tmp_path / "ball.h").read_text()
    assert "int ball_moreau(" in header
    assert "int ball_stewart_trinkle(" in header
    eomc.emit(
        ball_model(normal={"kind": "compliant", "stiffness": 1e5}),
        tmp_path / "soft",
        functions=functions,
    )
    assert "int ball_moreau(" not in (tmp_path / "soft" / "ball.h").read_text()


def test_smooth_friction_of_a_rigid_contact_is_refused():
    model = eomc.Model("block")
    model.body("slide")
    model.body("block", mass=1)
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.joint("z", "prismatic", parent="slide", child="block", axis=(0, 0, 1))
    smooth = {
        "normal": {"kind": "rigid", "restitution": 0},
        "friction": {"kind": "coulomb", "coefficient": 0.3},
    }
    model.contact("floor", shape={"kind": "point", "at": "block"}, surface=PLANE, **smooth)
    made = eomc.build(model)
    with pytest.raises(ValueError, match=r"block.*smooth friction.*dry"):
        eomc.simulate(made, t_span=0.1, method="moreau", step=1e-3)


def test_rollouts_are_the_single_runs():
    heights = np.array([[0.1], [0.2], [0.3]])
    push = np.array([0.0, 1.0, -2.0])[:, None, None]
    given = {"step": 1e-3, "steps": 600, "every": 200}
    found = eomc.runtime.contact_rollouts(rigid_ball(), heights, [[0.0]], push, **given)
    assert not found.failed
    assert found.q.shape == (3, 4, 1)
    for k, (height, force) in enumerate(zip(heights, push.ravel(), strict=True)):
        run = eomc.simulate(
            rigid_ball(), height, t_span=0.6, tau=[force], method="moreau", step=1e-3
        )
        assert (found.q[k] == run.q[::200]).all()
        assert (found.u[k] == run.u[::200]).all()


def test_a_rollout_that_fails_leaves_the_others_alone():
    push = np.zeros((2, 100, 1))
    push[1, 50:] = np.nan
    found = eomc.runtime.contact_rollouts(
        rigid_ball(), [[0.1]], [[0.0]], push[:, :, :], step=1e-3, steps=100
    )
    assert list(found.failed) in ([], [1])
    assert np.isfinite(found.q[0]).all()
    assert np.isfinite(found.q[1, :50]).all()
    assert not np.isfinite(found.q[1, 60:]).any()


def test_sampled_controllers_cut_the_steps():
    class Lift:
        def torque(self, t, q, u):
            return [30.0 if q[0] < 0.05 else 0.0]

    controller = eomc.runtime.control.Sampled(Lift(), period=3e-3)
    given = {"method": "moreau", "step": 1e-3, "controller": controller}
    run = eomc.simulate(rigid_ball(), [0.2], t_span=np.linspace(0, 1, 101), **given)
    pressed = run.contacts.impulses["floor"].sum()
    pushed = 2 * (run.u[-1, 0] - run.u[0, 0]) + 2 * 9.81 - pressed
    assert run.contacts.forces["floor"].shape == (101, 1)
    assert 0 < pushed < 30


@pytest.mark.slow
def test_steps_are_verified():
    report = eomc.verify(
        ball_model(normal={"kind": "rigid", "restitution": 0.5}),
        quick=True,
        checks=["contact steps"],
    )
    assert report.ok
    assert sum(len(outcome.comparisons) for outcome in report.outcomes) > 10


@pytest.mark.slow
def test_steps_with_springs_are_verified_by_both_methods():
    model = eomc.Model("hopper", gravity=(0, 0, -9.81))
    model.body("base", mass=2.0, inertia=(0.1, 0.1, 0.1))
    model.body("leg", mass=0.5, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.01))
    model.joint("z", "prismatic", parent="world", child="base", axis=(0, 0, 1))
    model.joint("knee", "revolute", parent="base", child="leg", axis=(0, 1, 0), damping=0.2)
    model.joint_spring("spring", joint="knee", stiffness=50.0, damping=0.1)
    model.contact(
        "foot",
        shape={"kind": "point", "at": eomc.Point("leg", (0, 0, -0.4))},
        surface=PLANE,
        normal={"kind": "rigid", "restitution": 0},
        friction={"kind": "dry", "kinetic": 0.5},
    )
    report = eomc.verify(model, quick=True, checks=["contact steps"])
    assert report.ok
    (outcome,) = (o for o in report.outcomes if o.check.name == "contact steps")
    judged = {comparison.what for comparison in outcome.comparisons}
    assert {"momentum by moreau", "momentum by stewart_trinkle"} <= judged


@pytest.mark.parametrize("method", ["moreau", "stewart_trinkle"])
def test_contacts_stops_and_dry_joints_are_one_solve(method):
    model = eomc.Model("pair", gravity=(0, 0, -10))
    for name, mass in (("cart", 1), ("block", 2)):
        model.body(name, mass=mass)
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.joint("z", "prismatic", parent="cart", child="block", axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "point", "at": "block"},
        surface=PLANE,
        normal={"kind": "rigid", "restitution": 0},
        friction={"kind": "dry", "kinetic": 0.25},
    )
    model.dry_friction("rub", speed="x", force=1)
    model.stop("end", coordinate="x", normal={"kind": "rigid", "restitution": 0}, upper=0.3)
    made = eomc.build(model)
    run = eomc.simulate(made, tau={"x": 9.0}, t_span=1, method=method, step=1e-3)
    # 9 N less 0.25*20 N of the floor and 1 N of the joint move 3 kg until the stop.
    moving = run["x"] < 0.29
    assert np.abs(run["speed(x)"][moving] - run.t[moving]).max() < 2e-3
    assert run["x"][-1] == pytest.approx(0.3, abs=2e-3)
    assert run["speed(x)"][-1] == pytest.approx(0, abs=1e-12)
    forces = run.contacts.forces
    assert forces["floor"][-1, 0] == pytest.approx(20, rel=1e-9)
    held = forces["end.upper"][-1, 0] + np.hypot(*forces["floor"][-1, 1:])
    assert held + abs(forces["speed(x)"][-1, 0]) >= 9 - 1e-9
