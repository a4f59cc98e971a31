"""Latches: events, limits, what is wrong with them, records, methods and controllers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.building import sampled_loop
from eomc.codegen import EmissionError
from eomc.derive.model import Model, ModelError
from eomc.runtime.control import PD, Sampled
from eomc.runtime.latches import LatchError
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.study.rollout import Rollout

MASSES = {"a": 1.0, "b": 3.0}
REACH = 0.2


def carts(**latch: Any) -> Model:
    """Two carts on a rail, with a coupling at the first."""
    model = Model("carts", gravity=(0, 0, 0))
    for name, mass in MASSES.items():
        model.body(name, mass=mass)
        model.joint(name, "prismatic", parent="world", child=name, axis=(1, 0, 0))
    model.latch("coupling", joint="fixed", parent="a", child="b", placement=(REACH, 0, 0), **latch)
    return model


@cache
def automatic() -> CompiledModel:
    """It closes by itself, and opens at 1.5 s."""
    return eomc.build(carts(gap=1e-3, speed=1.0, opens="t - 1.5"))


@cache
def commanded() -> CompiledModel:
    """It closes and opens by an expression, within limits."""
    made = carts(gap=0.05, speed=0.5, closes="t - 1", opens="x - 2")
    made.input("x")
    return eomc.build(made)


@cache
def flat() -> CompiledModel:
    """Two free bodies in a plane that couple at 1 s, with a second latch between them."""
    model = Model("flat", gravity=(0, 0, 0))
    for name in ("a", "b"):
        model.body(name, mass=1, inertia=(1, 1, 0.5))
        model.joint(name, "planar", parent="world", child=name, axis=(0, 0, 1))
    for name, y in (("left", 0.1), ("right", -0.1)):
        model.latch(
            name,
            joint="fixed",
            parent="a",
            child="b",
            placement=(0.5, y, 0),
            child_placement=(-0.5, y, 0),
            gap=0.1,
            speed=1,
            angle=0.2,
            angular_speed=0.3,
            closes="t - 1" if name == "left" else "t - 2",
        )
    return eomc.build(model)


@pytest.mark.parametrize(
    ("method", "near"),
    [
        (None, 1e-9),
        ("DOP853", 1e-9),
        ("rk4", 1e-9),
        pytest.param("Radau", 1e-6, marks=pytest.mark.slow),
        ("dopri", 1e-9),
    ],
)
def test_methods_find_the_same_events(method: str | None, near: float) -> None:
    run = eomc.simulate(automatic(), {"b": 0.5}, {"a": 0.6}, t_span=2.0, method=method, step=0.01)
    close, opened = run.latches.events
    assert close.what == "close" and opened.what == "open"
    assert abs(close.t - 0.299 / 0.6) < near and abs(opened.t - 1.5) < near
    assert np.allclose(close.after, 0.15, atol=1e-12)
    assert abs(close.impulses["coupling.force_x"]) == pytest.approx(0.45)
    assert close.energy_loss == pytest.approx(0.135)
    assert list(run.switches) == ["coupling.close", "coupling.open"]
    first, held, last = run.stretches
    assert (first.t[-1], held.t[0]) == (0.49, 0.5) and held.count + last.count == 151
    gap = run.stretches[1].evaluate("constraint_residual")
    assert np.abs(gap).max() < 1e-14  # it holds the gap at which it closed
    assert run.stretches[1].parameters["coupling_offset_1"] == pytest.approx(1e-3)
    momentum = run.evaluate("momentum")[:, 0]
    assert np.abs(momentum - 0.6).max() < 1e-12


def test_a_gap_that_a_step_would_pass_is_found() -> None:
    """Without forces one step of a tight method leads over the whole run."""
    run = eomc.simulate(automatic(), {"b": 0.5}, {"a": 0.9}, t_span=[0, 1.4], method="DOP853")
    assert [event.what for event in run.latches.events] == ["close"]


def test_too_fast_for_its_limits_it_stays_open() -> None:
    run = eomc.simulate(automatic(), {"b": 0.5}, {"a": 1.1}, t_span=1.0)
    assert run.latches.events == [] and run.stretches[0].count == run.count


@pytest.mark.slow
def test_it_is_open_where_it_opened_until_it_was_away() -> None:
    """Drawn apart and pushed back, the carts couple again."""
    model = automatic()

    def force(t: float, q: Any, u: Any) -> Any:
        return [-1.0 * (1.5 < t < 2.0) + 1.0 * (t > 2.0), 0.0]

    run = eomc.simulate(model, {"b": 0.5}, {"a": 0.6}, t_span=4.0, controller=force)
    assert [event.what for event in run.latches.events] == ["close", "open", "close"]
    assert run.latches.events[2].t > 2.0


def test_a_command_beyond_the_gap_ends_the_run() -> None:
    with pytest.raises(LatchError, match=r"stopped at t = 1 s: latch 'coupling' cannot close") as e:
        eomc.simulate(commanded(), {"b": 0.5}, t_span=2.0, step=0.1)
    text = str(e.value)
    assert "its gap is 0.3 m, more than the 0.05 m that it allows" in text
    assert "a = 0" in text and "b = 0.5" in text and e.value.time == pytest.approx(1.0)
    assert e.value.until().t[-1] == pytest.approx(0.9)


def test_a_command_at_too_high_a_speed_ends_the_run() -> None:
    with pytest.raises(LatchError, match=r"its speed is 0\.7 m/s, more than the 0\.5 m/s"):
        eomc.simulate(commanded(), {"b": 0.9}, {"b": -0.7}, t_span=2.0)


def test_what_turns_too_fast_is_not_caught() -> None:
    with pytest.raises(LatchError, match=r"latch 'left' cannot close: its angular speed is 0\.4"):
        eomc.simulate(flat(), {"b_x": 1.0, "b_theta": -0.4}, {"b_theta": 0.4}, t_span=1.5)


def test_a_redundant_loop_is_refused() -> None:
    with pytest.raises(LatchError, match=r"at t = 2 s: latch 'right' cannot close: .* redundant"):
        eomc.simulate(flat(), {"b_x": 1.0}, t_span=2.5)
    run = eomc.simulate(flat(), {"b_x": 1.0}, t_span=1.9)
    assert run.latches.closed == [(), ("left",)]


def test_what_is_open_cannot_be_released() -> None:
    def ramp(t: float, q: Any, u: Any) -> float:
        return 4 * t

    with pytest.raises(LatchError, match=r"t = 0\.5 s: latch 'coupling' is to open, but it is not"):
        eomc.simulate(commanded(), {"b": 0.5}, t_span=2.0, inputs={"x": ramp})


@pytest.mark.slow
def test_a_sampled_controller_goes_on_through_a_capture() -> None:
    """Its instants stay where they are, whatever happens between them."""
    model = automatic()
    seen: list[float] = []

    class Law:
        def torque(self, t: float, q: Any, u: Any) -> Any:
            seen.append(t)
            return [-2 * (q[0] - 0.3) - 2 * u[0], 0.0]

    law = Sampled(Law(), period=0.02)
    run = eomc.simulate(model, {"b": 0.5}, {"a": 0.6}, t_span=1.0, controller=law)
    assert [event.what for event in run.latches.events] == ["close"]
    assert np.allclose(np.diff(sorted(set(seen))), 0.02)


def test_the_latches_closed_at_the_start_are_chosen() -> None:
    closed = automatic().latched("coupling")
    assert closed.is_constrained and not automatic().is_constrained
    assert closed.latched() is automatic().latched() is automatic()
    run = eomc.simulate(closed, {"b": REACH}, {"a": 0.4, "b": 0.4}, t_span=2.0)
    assert [event.what for event in run.latches.events] == ["open"]
    with pytest.raises(ValueError, match="no latch 'couplin'"):
        automatic().latched("couplin")


def test_latched_for_good() -> None:
    fixed = carts(gap=0.1).latched("coupling", keep=False)
    assert not fixed.latches and not fixed.parameters and list(fixed.joints)[-1] == "coupling"
    assert not carts(gap=0.1).latched(keep=False).cuts()


def test_records_in_files_know_their_stretches(tmp_path: Path) -> None:
    run = eomc.simulate(automatic(), {"b": 0.5}, {"a": 0.6}, t_span=1.0, step=0.1, tau={"a": 0.1})
    run.to_npz(tmp_path / "run.npz")
    again = eomc.Trajectory.from_npz(tmp_path / "run.npz", automatic())
    assert np.array_equal(again.accelerations, run.accelerations)
    assert again.accelerations[-1, 0] == pytest.approx(0.1 / 4)
    with pytest.raises(ValueError, match="ask each of the run's stretches"):
        run.evaluate("joint_reactions")


def test_steps_with_contacts_pass_over_no_latches() -> None:
    with pytest.raises(ValueError, match=r"'moreau' opens and closes no latches, .* coupling"):
        eomc.simulate(automatic(), method="moreau", step=0.01)


@pytest.mark.slow
def test_a_payload_is_lifted_from_the_floor() -> None:
    """The impulse of the gripper presses it on its rigid contact, which opens as it is lifted."""
    model = Model("pick", gravity=(0, 0, -9.81))
    for name, mass in (("gripper", 1), ("box", 2)):
        model.body(name, mass=mass)
        model.joint(name, "prismatic", parent="world", child=name, axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "point", "at": "box"},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "rigid", "restitution": 0.3},
    )
    model.latch(
        "grip", joint="fixed", parent="gripper", child="box", gap=0.05, speed=1, opens="t - 1.5"
    )

    def force(t: float, q: Any, u: Any) -> Any:
        lifts = t > 0.8
        return [-200 * (q[0] - 0.5 * lifts) - 60 * u[0] + 9.81 * (1 + 2 * lifts), 0.0]

    run = eomc.simulate(eomc.build(model), {"gripper": 0.3}, t_span=2.5, controller=force)
    close, _ = run.latches.events
    switches = run.switches
    assert switches["floor.impact"][0] == close.t < switches["floor.rest"][0] < 0.8
    assert switches["floor.open"][-1] == pytest.approx(0.8, abs=1e-6)
    assert run["box"].max() > 0.4 and switches["floor.rest"][-1] > 1.5
    assert run["box"].min() > -1e-9 and abs(run["box"][-1]) < 1e-9


def test_rollouts_and_compiled_loops_pass_over_no_latches() -> None:
    with pytest.raises(ValueError, match="a rollout opens and closes no latches"):
        Rollout.of(automatic(), 1.0, 0.1)
    law = Sampled(PD(automatic(), np.zeros(2), kp=1.0, kd=1.0), period=0.01)
    with pytest.raises(EmissionError, match="'carts' has latches"):
        sampled_loop(carts(gap=0.1), law)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"joint": "floating"}, "latch 'lock': joint is 'floating', which cannot close a loop"),
        ({"joint": "welded"}, "unknown kind 'welded'"),
        ({"joint": "revolute"}, "kind 'revolute' needs axis"),
        ({"axis": (1, 0, 0)}, "kind 'fixed' takes no axis"),
        ({"gap": 0}, "latch 'lock': gap is 0; give a positive number"),
        ({"child": "c"}, "latch 'lock'.*'c'"),
        ({"closes": "y - 1"}, "latch 'lock'.*'y'"),
    ],
)
def test_wrong_declarations_are_named(given: dict[str, Any], message: str) -> None:
    model = carts()
    with pytest.raises(ModelError, match=message):
        model.latch("lock", **{"joint": "fixed", "parent": "a", "child": "b", **given})
        model.validate()


def test_names_are_those_of_no_joint() -> None:
    with pytest.raises(ModelError, match="joint"):
        carts().latch("a", joint="fixed", parent="a", child="b")


def test_model_files_declare_them(tmp_path: Path) -> None:
    path = tmp_path / "dock.toml"
    path.write_text(
        'version = 2\nname = "carts"\ngravity = [0, 0, 0]\n'
        + "".join(
            f'[[body]]\nname = "{n}"\nmass = {m}\n[[joint]]\nname = "{n}"\nkind = "prismatic"\n'
            f'parent = "world"\nchild = "{n}"\naxis = [1, 0, 0]\n'
            for n, m in MASSES.items()
        )
        + '[[latch]]\nname = "coupling"\njoint = "fixed"\nparent = "a"\nchild = "b"\n'
        f'placement = [{REACH}, 0, 0]\ngap = 0.001\nspeed = 1.0\nopens = "t - 1.5"\n'
    )
    assert eomc.load(path) == carts(gap=1e-3, speed=1.0, opens="t - 1.5")
