"""Quaternions of any length stand for the rotation of q/|q|: functions of C, batches, derivatives,
steps, units of FMI; one of length zero is a code everywhere."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.graph.evaluate import evaluate
from eomc.runtime.model.errors import SimulationError

QUATERNIONS = (slice(3, 7), slice(7, 11))


def declared() -> eomc.Model:
    """Two bodies in the air, one hung on the other by a ball joint, and a spring."""
    model = eomc.Model("pair", gravity=(0, 0, -9.81))
    model.body("base", mass=2, com=(0.1, 0.2, 0.3), inertia=(2, 2, 3, 0.1, 0.2, 0.05))
    model.joint("root", "floating", parent="world", child="base")
    model.body("arm", mass=1, com=(0.1, 0, 0.3), inertia=(1, 1.2, 0.8, 0, 0, 0))
    model.joint("ball", "spherical", parent="base", child="arm", placement=(0, 0, 0.5))
    ends = eomc.Point("world", (1, 1, 1)), eomc.Point("arm", (0, 0, 0.1))
    model.spring("spring", *ends, stiffness=100, damping=3, free_length=0.2)
    model.frame("tip", "arm", (0, 0.2, 0.1))
    return model


def top() -> eomc.Model:
    model = eomc.Model("top", gravity=(0, 0, -9.81))
    model.body("top", mass=1, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.02, 0, 0, 0))
    model.joint("tip", "spherical", parent="world", child="top")
    return model


@functools.cache
def equations() -> Any:
    return eomc.equations(declared())


@functools.cache
def built() -> eomc.CompiledModel:
    return eomc.build(declared())


def lengthened(q: np.ndarray, *lengths: float) -> np.ndarray:
    q = q.copy()
    for place, length in zip(QUATERNIONS, lengths, strict=True):
        q[..., place] *= length
    return q


@pytest.fixture(scope="module")
def state() -> dict[str, Any]:
    model, rng = built(), np.random.default_rng(5)
    names = {"u": model.nu, "a": model.nu, "tau": model.nu, "du": model.nu, "tau_bar": model.nu}
    given = {name: rng.normal(size=n) for name, n in names.items()}
    q = np.asarray(model.normalize(rng.normal(size=model.nq)))
    return {"q": q, "q0": q, "q1": np.asarray(model.integrate(q, given["du"])), **given}


def evaluated(names: Sequence[str], given: dict[str, Any]) -> dict[str, list[np.ndarray]]:
    """Outputs of the functions, on the graph."""
    program = equations().program(functions=names)
    found = {}
    for function in program.functions:
        values = {
            node: float(x)
            for argument in function.inputs
            for node, x in zip(argument.entries, np.ravel(given[argument.name]), strict=True)
        }
        found[function.name] = [
            np.array(evaluate(program.graph, output.entries, values)).astype(float)
            for output in function.outputs
        ]
    return found


FUNCTIONS = (
    *("forward_dynamics", "inverse_dynamics", "gravity", "mass_matrix", "potential_energy"),
    *(
        "frame_tip_pose",
        "frame_tip_jacobian_rate",
        "inverse_dynamics_derivatives",
        "inverse_dynamics_vjp",
    ),
    *("forward_dynamics_derivatives", "integrate", "difference", "normalize"),
)


@pytest.mark.parametrize("lengths", [(0.5, 3.0), (1e-9, 1e9), (-2.0, 1.0)])
def test_functions_do_not_see_the_length(state: dict[str, Any], lengths: Any) -> None:
    longer = {n: lengthened(state[n], *lengths) for n in ("q", "q0", "q1")}
    there, away = evaluated(FUNCTIONS, state), evaluated(FUNCTIONS, {**state, **longer})
    for name in FUNCTIONS:
        for x, y in zip(there[name], away[name], strict=True):
            if name in ("integrate", "normalize"):  # q and -q are one rotation
                y = lengthened(y, *np.sign(lengths))
            assert np.allclose(x, y, rtol=1e-11, atol=1e-11), name


def test_rates_are_those_of_the_entries_as_they_stand(state: dict[str, Any]) -> None:
    """The position's rate knows no length, the quaternion's is as long as the quaternion."""
    model, q, u = built(), state["q"], state["u"]
    there = np.asarray(model.coordinate_rates(q, u))
    away = np.asarray(model.coordinate_rates(lengthened(q, 0.5, 3.0), u))
    assert np.allclose(away, lengthened(there, 0.5, 3.0), rtol=1e-14)


def test_batches_and_steps() -> None:
    model, rng = eomc.build(top(), lanes=4), np.random.default_rng(6)
    q, u, tau = np.asarray(model.normalize(rng.normal(size=4))), rng.normal(size=3), np.zeros(3)
    many = rng.uniform(0.1, 9, (23, 1)) * q
    one = model.forward_dynamics(q, u, tau)
    assert np.allclose(model.forward_dynamics(many, u, tau), one, rtol=1e-12)
    there, away = model.rk4(q, u, tau, 1e-3, 5), model.rk4(0.5 * q, u, tau, 1e-3, 5)
    assert all(np.allclose(x[1:], y[1:], rtol=1e-12) for x, y in zip(there, away, strict=True))
    runs = model.rk4_rollouts(many[:3], np.array([u] * 3), tau, 1e-3, 5)
    assert np.allclose(runs[0][:, -1], there[0][-1], rtol=1e-12)
    with pytest.raises(FloatingPointError, match=r"no_rotation at batch index \(22,\)"):
        model.forward_dynamics(many * (np.arange(23) < 22)[:, None], u, tau)


def test_length_zero_is_a_code(state: dict[str, Any]) -> None:
    """And so is a length that is rounding of zero, and one that is beyond all numbers."""
    model, q, u = built(), state["q"], state["u"]
    assert "no_rotation" in model.manifest["return_codes"]
    for length in (0.0, 1e-16, 1e-160, 1e200):
        bad = lengthened(q, 1.0, length)
        for call in (
            lambda q: model.forward_dynamics(q, u, 0 * u),
            lambda q: model.normalize(q),
            lambda q: model.rk4(q, u, 0 * u, 1e-3, 1),
        ):
            with pytest.raises(FloatingPointError, match="no_rotation"):
                call(bad)
        with pytest.raises(ValueError, match="the quaternion ball_qw, ball_qx, ball_qy, ball_qz"):
            eomc.simulate(model, bad, u, 0.1)


def test_a_run_that_diverges_says_so() -> None:
    model = eomc.Model("stiff", gravity=(0, 0, -9.81))
    model.body("top", mass=1, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.02, 0, 0, 0))
    model.joint("root", "floating", parent="world", child="top")
    ends = eomc.Point("world", (0, 0, 1)), eomc.Point("top", (0.1, 0, 0))
    model.spring("spring", *ends, stiffness=1e6, damping=1e3, free_length=0.2)
    with pytest.raises(SimulationError, match="the motion diverges"), pytest.warns(UserWarning):
        eomc.simulate(eomc.build(model), t_span=5.0, method="rk4", step=1e-2)


def test_the_adjoint_of_a_step_is_that_of_any_length(state: dict[str, Any]) -> None:
    """By q entry by entry, against differences: the way along the quaternion counts nothing."""
    model, u = built(), state["u"]
    q, h, tau = lengthened(state["q"], 0.5, 3.0), 1e-2, 0.1 * state["tau"]
    weights = np.random.default_rng(7).normal(size=model.nq + model.nu)
    given = {"q": q, "u": u, "tau": tau, "h": h}
    bars = {"q_next_bar": weights[: model.nq], "u_next_bar": weights[model.nq :]}
    found = evaluated(["rk4_step_vjp"], {**given, **bars})["rk4_step_vjp"][0]

    def value(q: np.ndarray) -> float:
        return float(weights @ np.hstack([end[-1] for end in model.rk4(q, u, tau, h, 1)]))

    step = 1e-6
    slopes = [(value(q + step * e) - value(q - step * e)) / (2 * step) for e in np.eye(model.nq)]
    assert np.allclose(found, slopes, rtol=1e-6, atol=1e-6)
    for place in QUATERNIONS:
        assert abs(found[place] @ q[place]) < 1e-9 * np.abs(found).max()


def test_rolled_loops_normalize_too() -> None:
    """Small code runs the same steps in for-loops, on the coordinates as they are given."""
    long = top()
    for k in range(3):
        long.body(f"link{k}", mass=1, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.02, 0, 0, 0))
        parent = f"link{k - 1}" if k else "top"
        long.joint(f"joint{k}", "spherical", parent=parent, child=f"link{k}", placement=(0, 0, 1))
    model, u = eomc.build(long, small=True), np.zeros(12)
    q = np.random.default_rng(8).normal(size=16)
    there = model.inverse_dynamics(model.normalize(q), u, u)
    assert np.allclose(model.inverse_dynamics(q, u, u), there, rtol=1e-11)
    q[8:12] = 0
    with pytest.raises(FloatingPointError, match="no_rotation"):
        model.inverse_dynamics(q, u, u)


@pytest.mark.slow
def test_a_unit_steps_from_any_length(tmp_path: Path) -> None:
    """Co-Simulation: its first step too."""
    fmpy = pytest.importorskip("fmpy")
    start = np.array([0.5, 0.1, 0.3, 0.2])
    file = eomc.fmu(top(), tmp_path / "top.fmu", platforms="host", step=1e-3)
    names = [f"q.tip_{part}" for part in ("qw", "qx", "qy", "qz")]
    ends = []
    for scale in (1.0, 1 / np.linalg.norm(start)):
        values = dict(zip(names, (scale * start).tolist(), strict=True))
        record = fmpy.simulate_fmu(
            str(file),
            fmi_type="CoSimulation",
            stop_time=0.02,
            output_interval=0.01,
            start_values=values,
            output=["u.tip_wx", "u.tip_wy"],
        )
        ends.append([[row[1], row[2]] for row in record])
    assert np.abs(ends[1]).max() > 0.1 and np.allclose(ends[0], ends[1], rtol=1e-12, atol=1e-13)


def test_products_of_second_derivatives_are_computed_beside_values() -> None:
    """On vectors of the machine, where values and their changes stand side by side."""
    model = eomc.Model("balls", gravity=(0, 0, -9.81))
    parent = "world"
    for k, kind in enumerate(("revolute", "prismatic", "spherical") * 2):
        model.body(f"b{k}", mass=1 + k, com=(0.1, 0.2, -0.3), inertia=(0.3, 0.4, 0.5))
        axis = {} if kind == "spherical" else {"axis": (1, 2, 2)}
        model.joint(f"j{k}", kind, parent=parent, child=f"b{k}", placement=(0.2, 0.1, -0.3), **axis)
        parent = f"b{k}"
    compiled = eomc.build(model, functions=["forward_dynamics_hvp"], compiler="gcc", flags=["-O0"])
    rng = np.random.default_rng(3)
    q, given = rng.normal(size=12), rng.normal(size=(6, 10))
    exact = [part.evaluate(q, *given) for part in eomc.equations(model).forward_dynamics_hvp]
    for got, wanted in zip(compiled.forward_dynamics_hvp(q, *given), exact, strict=True):
        assert got == pytest.approx(wanted, rel=1e-9, abs=1e-9 * np.abs(wanted).max())
