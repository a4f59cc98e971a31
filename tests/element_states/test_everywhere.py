"""States of elements in runs, linear models, equilibria, loops, files and checks."""

import subprocess
import sys

import numpy as np
import pytest
from element_states.conftest import arm, loop

import eomc
from eomc.derive.formats.toml_writer import toml_text
from eomc.runtime.control import ComputedTorque
from eomc.runtime.model.errors import LinearizationError

pytestmark = pytest.mark.variants


@pytest.mark.parametrize("method", ["rk4", "dopri", "Radau", "LSODA"])
def test_methods_agree(compiled_arm, method):
    start = {"q": [0.2, 0.3], "z": {"act": 0.5}, "t_span": 1.0, "inputs": [0.5]}
    reference = eomc.simulate(compiled_arm, **start, rtol=1e-11, atol=1e-12)
    run = eomc.simulate(compiled_arm, **start, method=method)
    assert run.element_states == ("brush_deflection", "motor_effort", "act")
    for got, expected in zip(run.final, reference.final, strict=True):
        assert np.abs(got - expected).max() < 1e-5
    assert np.abs(run.at(0.505).z - reference.at(0.505).z).max() < 1e-4


def test_record_keeps_them(compiled_arm, tmp_path):
    run = eomc.simulate(compiled_arm, [0.2, 0.3], t_span=0.1, inputs=[0.5])
    run.to_npz(tmp_path / "run.npz")
    back = eomc.Trajectory.from_npz(tmp_path / "run.npz", compiled_arm)
    assert np.array_equal(back["act"], run["act"]) and back.final.z.shape == (3,)
    run.to_csv(tmp_path / "run.csv")
    assert "motor_effort" in (tmp_path / "run.csv").read_text().splitlines()[0]
    assert run.evaluate("element_state_rates").shape == (run.count, 3)


def test_linear_model_against_differences(compiled_arm):
    model, h = compiled_arm, 1e-6
    x0 = np.array([0.2, 0.3, 0.4, -0.5, 0.005, 0.2, 0.1])
    linear = eomc.linearize(
        model, q=x0[:2], u=x0[2:4], z=x0[4:], inputs=[0.5], outputs=["act", "acceleration(elbow)"]
    )

    def flow(x, c):
        q, u, z = x[:2], x[2:4], x[4:]
        a = model.forward_dynamics(q, u, z, np.zeros(2), [c])
        return np.concatenate([u, a, model.element_state_rates(q, u, z, [c])])

    steps = h * np.eye(7)
    a = np.array([(flow(x0 + d, 0.5) - flow(x0 - d, 0.5)) / (2 * h) for d in steps]).T
    b = (flow(x0, 0.5 + h) - flow(x0, 0.5 - h)) / (2 * h)
    assert linear.states[4:] == ("brush_deflection", "motor_effort", "act")
    assert np.abs(linear.A - a).max() < 1e-6
    assert np.abs(linear.B[:, 2] - b).max() < 1e-6
    assert np.abs(linear.C - np.array([np.eye(7)[6], a[3]])).max() < 1e-6
    assert len(linear.modes()) == 7
    with pytest.raises(LinearizationError, match="states of their own"):
        _ = linear.stiffness


def test_equilibrium_solves_for_them(compiled_arm):
    rest = eomc.equilibrium(compiled_arm, inputs={"c": 0.5})
    values = (rest.q, rest.u, rest.z)
    assert np.abs(compiled_arm.element_state_rates(*values, [0.5])).max() < 1e-10
    assert np.abs(compiled_arm.forward_dynamics(*values, np.zeros(2), [0.5])).max() < 1e-10
    assert np.isclose(rest["motor_effort"], 0.5 - 2 * rest["hinge"] - rest["act"])
    assert eomc.linearize(compiled_arm, rest).point.z == pytest.approx(rest.z)


def test_loop_with_a_state(compiled_loop):
    start = eomc.assemble(compiled_loop, {"a": -1.2, "b": 1.0, "c1": 1.0})
    reference = eomc.simulate(
        compiled_loop, start.q, t_span=1.0, inputs=[2.0], rtol=1e-10, atol=1e-11
    )
    assert np.isfinite(reference.z).all() and abs(reference.z[-1, 0]) > 0.1
    for options in ({"method": "dopri"}, {"method": "rk4"}, {"formulation": "independent"}):
        run = eomc.simulate(compiled_loop, start.q, t_span=1.0, inputs=[2.0], **options)
        for got, expected in zip(run.final, reference.final, strict=True):
            assert np.abs(got - expected).max() < 1e-5
    linear = eomc.linearize(compiled_loop, reference.final, inputs=[2.0])
    assert linear.A.shape == (3, 3) and linear.states[-1] == "motor_effort"
    # Along the motion, z' = (c - u - z)/T.
    slope = -linear.A[2] * 0.3
    crank = reference.model.speeds.index("a")
    speed_of = np.zeros(3)
    speed_of[1] = linear.basis[crank, 0]
    assert slope[1:] == pytest.approx([speed_of[1], 1.0], abs=1e-9)


def test_rest_of_a_loop(compiled_loop):
    start = eomc.assemble(compiled_loop, {"a": -1.2, "b": 1.0, "c1": 1.0})
    rest = eomc.equilibrium(compiled_loop, start.q, inputs=[0.5])
    assert rest.z == pytest.approx([0.5])


def test_what_does_not_take_them_says_so(compiled_arm):
    regulated = ComputedTorque(compiled_arm, [0.0, 0.0], kp=1.0, kd=1.0)
    with pytest.raises(ValueError, match="states of their own"):
        regulated.torque(0.0, np.zeros(2), np.zeros(2))


@pytest.mark.parametrize("make", [arm, loop])
def test_checks_judge_them(make):
    report = eomc.verify(make(), quick=True)
    assert report.ok, report
    verdicts = {outcome.check.name: outcome.verdict for outcome in report.outcomes}
    assert verdicts["states of elements"] == verdicts["energy of a run"] == "pass"


@pytest.mark.slow
def test_files_and_the_command_line(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(toml_text(arm()), encoding="utf-8")
    assert eomc.load(path) == arm()
    asked = ["simulate", str(path), "--t-span", "0.1", "--z", "act=0.7", "--json"]
    told = subprocess.run(
        [sys.executable, "-m", "eomc", *asked], capture_output=True, text=True, check=True
    )
    assert '"motor_effort"' in told.stdout
