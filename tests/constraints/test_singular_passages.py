"""Runs past singular configurations: energy and branch stay, or the run stops and says where."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from constraints.compiled import GUESS, four_bar_model
from constraints.mechanisms import five_bar
from constraints.singular_mechanisms import MECHANISMS, Mechanism, parallelograms

import eomc
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.constraints.energy_balance import EnergyBalance
from eomc.runtime.constraints.passage import SingularPassage
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import SimulationError, SingularityError
from eomc.runtime.model.state import State
from eomc.runtime.record.trajectory import Trajectory

pytestmark = pytest.mark.variants

METHODS = ("DOP853", "LSODA", "Radau", "cvode", "dopri", "rk4")
SPEEDS = np.linspace(5.0, 8.0, 200)


@cache
def built(name: str) -> tuple[Mechanism, CompiledModel]:
    mechanism = MECHANISMS[name]()
    return mechanism, eomc.build(mechanism.model)


def run(name: str, speed: float, method: str, t_span: float = 2.0, **more: Any) -> Trajectory:
    if method == "cvode":
        pytest.importorskip("sksundae")
    mechanism, model = built(name)
    q, u = mechanism.start(speed)
    options = {} if method == "rk4" else {"max_steps": 20_000}
    made: Trajectory = eomc.simulate(
        model, q, u, t_span, method=method, assemble=True, progress=False, **options, **more
    )
    return made


def check(name: str, speed: float, method: str, **more: Any) -> None:
    made = run(name, speed, method, **more)
    lost = np.ptp(made.energy) / made["kinetic_energy"].max()
    assert lost < 1e-5, (name, method, speed, lost)
    off = built(name)[0].off(made.q).max()
    assert off < 2e-4, (name, method, speed, off)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MECHANISMS)
def test_energy_and_branch_stay(name: str, method: str) -> None:
    for speed in SPEEDS[::40] if name == "parallelogram" else SPEEDS[::100]:
        check(name, float(speed), method)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_energy_and_branch_stay_at_many_speeds(method: str) -> None:
    """The methods take turns; each has some of all mechanisms above."""
    for speed in SPEEDS[METHODS.index(method) :: len(METHODS)]:
        check("parallelogram", float(speed), method)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [name for name in MECHANISMS if name != "parallelogram"])
def test_energy_and_branch_of_others_stay_at_many_speeds(name: str, method: str) -> None:
    for speed in SPEEDS[5 * METHODS.index(method) :: 30]:
        check(name, float(speed), method)


@pytest.mark.parametrize("speed", [5.0, SPEEDS[120]])
def test_tolerances_below_rounding_take_no_steps_without_end(speed: float) -> None:
    """There, steps as short as 1e-9 s did not bear the rounding of projection."""
    check("deltoid", speed, "rk4")
    made = run("deltoid", speed, "DOP853", rtol=1e-10, atol=1e-12)
    assert made.statistics["steps"] < 1000
    assert np.ptp(made.energy) < 1e-8 * made["kinetic_energy"].max()


def test_the_speed_that_lost_all() -> None:
    check("parallelogram", 5.65, "DOP853")


@pytest.mark.parametrize("formulation", ["stabilized", "independent"])
@pytest.mark.parametrize("name", MECHANISMS)
def test_all_formulations_pass(name: str, formulation: str) -> None:
    check(name, 6.3, "DOP853", formulation=formulation)


@pytest.mark.parametrize("method", METHODS)
def test_the_run_stops_where_asked(method: str) -> None:
    with pytest.raises(SingularityError, match="the smallest singular value") as caught:
        run("parallelogram", 6.0, method, at_singularity="stop")
    assert caught.value.configuration["c0"] == pytest.approx(np.pi, abs=1e-6)
    assert caught.value.singular_value < 1e-6
    assert caught.value.time == pytest.approx(0.347393, abs=1e-6)
    made = run("parallelogram", 2.0, method, at_singularity="stop", t_span=0.2)
    assert made.t[-1] == 0.2


def test_a_step_that_loses_energy_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A projection that takes out a little more than it should, too little for a jump."""
    sound = SingularPassage.project

    def faulty(self: SingularPassage, t: float, state: State) -> State:
        found = sound(self, t, state)
        return found.moved(found.q, (1 - 1e-5) * found.u)

    monkeypatch.setattr(SingularPassage, "project", faulty)
    with pytest.raises(SingularityError, match="singular configuration"):
        run("parallelogram", 6.0, "DOP853")


def test_the_balance_counts_the_work_of_forces_and_inputs() -> None:
    """Against the same four-bar with friction and torque, one short step by an accurate method."""
    model = parallelograms(1).model
    model.joint_spring("damper", joint="c0", damping=3.0)
    built = eomc.build(model)
    start = eomc.assemble(built, {"c0": 1.0, "b0": -1.0, "c1": 1.0}, {"c0": 5.0}, fixed="c0")
    torque = {"c0": 4.0}
    made = eomc.simulate(built, start.q, start.u, t_span=[0, 0.005, 0.01], tau=torque, rtol=1e-11)
    balance = EnergyBalance(IndependentConstraints(built, Excitation(built, tau=torque)))
    states = [State(q, u) for q, u in zip(made.q, made.u, strict=True)]
    kinetic = made["kinetic_energy"]
    assert abs(np.diff(made.energy)).min() > 1e-3 * kinetic[0]  # work is done
    assert balance.lost(0.0, states[0], 0.01, states[2], lambda _: states[1]) < 1e-9
    slower = states[2].moved(states[2].q, 0.99 * states[2].u)
    lost = balance.lost(0.0, states[0], 0.01, slower, lambda _: states[1])
    assert lost == pytest.approx((1 - 0.99**2) * kinetic[2] / max(kinetic[0], kinetic[2]), rel=0.05)


@pytest.mark.parametrize("drive", ["prescribed", "driver"])
def test_the_balance_counts_the_work_of_what_moves_by_a_law_of_time(drive: str) -> None:
    """A five-bar with losses: its crank prescribed, or held to a law by a constraint."""
    model = five_bar()
    law = {}
    if drive == "prescribed":
        model.prescribed("j1")
        law = {"prescribed": {"j1": lambda t: (3 * t + t**2, 3 + 2 * t, 2.0)}}
    else:
        model.constraint("drive", "driver", first="j1", expression="3*t + t**2")
    built = eomc.build(model, flags=["-O0"])
    guess = {"j2": 1.0, "j3": 2.0, "j4": -1.2}
    speeds = {} if drive == "prescribed" else {"j1": 3.0}
    start = eomc.assemble(built, guess, {"j3": 1.0} | speeds, fixed=["speed(j3)"], **law)
    tau = {"j3": 2.0}
    made = eomc.simulate(
        built, start.q, start.u, t_span=[0, 0.001, 0.002], tau=tau, rtol=1e-11, **law
    )
    balance = EnergyBalance(IndependentConstraints(built, Excitation(built, tau=tau, **law)))
    states = [State(q, u) for q, u in zip(made.q, made.u, strict=True)]
    kinetic = made["kinetic_energy"]
    assert abs(np.diff(made.energy)).min() > 1e-3 * kinetic[0]  # work is done
    assert balance.lost(0.0, states[0], 0.002, states[2], lambda _: states[1]) < 1e-7
    slower = states[2].moved(states[2].q, 0.99 * states[2].u)
    assert balance.lost(0.0, states[0], 0.002, slower, lambda _: states[1]) > 1e-3


def test_long_steps_on_a_regular_mechanism_are_no_passages() -> None:
    """A crank-rocker in steps of some degrees: their drift is a part of their own error."""
    model = four_bar_model()
    start = eomc.assemble(model, GUESS, {"a": 3.0}, fixed=["a", "speed(a)"])
    exact = eomc.simulate(
        model, start.q, start.u, t_span=(0, 1.8), step=0.06, rtol=1e-10, atol=1e-12
    )
    tau = np.zeros(3)
    errors = []
    for divided in (1, 2, 4):
        count = divided * (exact.count - 1)
        q, _ = model.rk4(start.q, start.u, tau, 0.06 / divided, count)
        assert q.shape == (count + 1, 3)
        errors.append(np.abs(q[::divided] - exact.q).max())
    assert errors[1] < errors[0] / 6 and errors[2] < errors[1] / 10  # towards the fourth order
    made = eomc.simulate(model, start.q, start.u, t_span=(0, 1.8), step=0.06, method="rk4")
    assert made.statistics["steps"] == 30


def test_an_unknown_wish_is_refused() -> None:
    with pytest.raises(ValueError, match="at_singularity"):
        run("parallelogram", 6.0, "DOP853", at_singularity="jump")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["DOP853", "LSODA", "dopri", "rk4"])
def test_forty_parallelograms(method: str) -> None:
    mechanism = parallelograms(40)
    model = eomc.build(mechanism.model)
    q, u = mechanism.start(6.0)
    step = 1e-3 if method == "rk4" else 0.02
    made = eomc.simulate(model, q, u, 1.0, method=method, step=step, assemble=True, progress=False)
    assert np.ptp(made.energy) < 1e-5 * made["kinetic_energy"].max()
    assert mechanism.off(made.q).max() < 2e-4


def test_advice_names_another_method() -> None:
    mechanism, model = built("parallelogram")
    q, u = mechanism.start(6.0)
    with pytest.raises(SimulationError, match=r"3 steps taken.*choose 'BDF'") as caught:
        eomc.simulate(model, q, u, 2.0, method="Radau", max_steps=3, progress=False)
    assert "'Radau'" not in str(caught.value)
