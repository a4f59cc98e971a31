"""Fits to recorded runs: derivatives, kinds of channels and unknowns, and input that is refused."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io

import eomc
from eomc.runtime import CompiledModel
from eomc.runtime.fit import FitError, FreeValue, Run, inertia, shooting
from eomc.runtime.fit.files import record_of
from eomc.runtime.fit.fit import prepared
from eomc.runtime.fit.problem import Problem
from eomc.runtime.identification.pseudo_inertia import pseudo_inertia

MODELS = Path(__file__).parents[2] / "examples" / "models"
DOWN = {"q": {"hinge": 1.0}, "u": {"hinge": 0.0}}


@cache
def pendulum() -> CompiledModel:
    """A pendulum on a spring, driven by a torque that a lag makes late."""
    model = eomc.Model("fitted", gravity=(0, 0, -9.81))
    for name, value in (("l", 0.5), ("b", 0.05), ("k", 20.0), ("c", 3.0)):
        model.parameter(name, value)
    model.input("command")
    model.body("bob", mass=1, com=(0, 0, "-l"))
    hinge = {"parent": "world", "child": "bob", "axis": (0, 1, 0), "damping": "b"}
    model.joint("hinge", "revolute", **hinge)
    model.frame("tip", body="bob", placement={"xyz": (0, 0, "-2*l")})
    at = {"body": "world", "xyz": (0.3, 0, -0.9)}
    model.spring(
        "spring", a={"body": "bob", "xyz": (0, 0, -0.4)}, b=at, stiffness="k", free_length=0.2
    )
    model.state("lag", rate="c*(command - lag)")
    model.generalized_force("motor", speed="hinge", expression="lag")
    return eomc.build(model)


def command(t: float) -> float:
    return float(np.sin(3 * t))


@cache
def record(seed: int = 0, count: int = 60, **start: float) -> dict[str, Any]:
    """A run of the pendulum with a little noise, all its kinds of channels."""
    t = np.linspace(0, 1.5, count + 1)
    first = {"hinge": start.get("q", 1.0)}
    run = eomc.simulate(
        pendulum(),
        q=first,
        t_span=t,
        inputs={"command": lambda t, q, u: command(t)},
        method="DOP853",
        rtol=1e-10,
    )
    pose = pendulum().frame("tip").pose(run.q)
    rng = np.random.default_rng(seed)
    return {
        "t": t,
        "command": command,
        "hinge": run["hinge"] + 1e-3 * rng.standard_normal(count + 1),
        "tip.x": pose[:, 0, 3] + 1e-3 * rng.standard_normal(count + 1),
    }


def problem(model: CompiledModel, runs: Any, free: Any, outputs: Any = ()) -> Problem:
    """The problem of a fit."""
    given: Any = {"interpolation": "cubic", "substeps": 2}
    return prepared(model, runs, free, outputs=outputs, sigma=0.1, **given)


def differenced(made: Problem, theta: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """Central differences of the residuals, of fourth order."""
    columns = []
    for e in np.eye(len(theta)) * h:
        near = made.residuals(theta + e) - made.residuals(theta - e)
        far = made.residuals(theta + 2 * e) - made.residuals(theta - 2 * e)
        columns.append((8 * near - far) / (12 * h))
    return np.stack(columns, axis=1)


@pytest.mark.slow
def test_jacobian_of_every_kind_of_channel_and_unknown() -> None:
    t = np.linspace(0, 0.5, 11)
    names = ("hinge", "speed(hinge)", "acceleration(hinge)", "lag", "tip.x", "tip.z")
    names = (*names, "spring.length", "spring.force")
    known = [n for n in names if "spring" not in n or n in _outputs()]
    data = {"t": t, "command": np.sin(3 * t), **dict.fromkeys(known, 0 * t)}
    free = ["l", "b", "k", "c", "delay", "bias(tip.x)", "gain(hinge)", "u.hinge"]
    made = problem(pendulum(), [Run(data, **DOWN), data], free)
    assert len(made.unknowns) == 7 + 1 + 3
    theta = made.unknowns.start() + 0.01
    J = made.jacobian(theta)
    assert np.abs(J - differenced(made, theta)).max() < 1e-8 * np.abs(J).max()


def _outputs() -> tuple[str, ...]:
    return pendulum().output_names("element_outputs")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "free", "start", "channels"),
    [
        ("quadcopter", ["m_load", "rope"], {}, None),
        ("flexible_arm", ["EI"], {}, None),
        ("four_bar", ["k"], {"drive": 0.4}, ("drive", "coupler_point.x")),
        ("four_bar", ["coupler.hx", "rocker.Jzz"], {"drive": 0.4}, ("drive",)),
        ("panda", ["a7", "link6.hx", "link7.m", "inertia(link5)"], {}, None),
    ],
)
def test_jacobian_of_models(name: str, free: Any, start: Any, channels: Any) -> None:
    model = eomc.build(MODELS / f"{name}.toml")
    rng = np.random.default_rng(0)
    t = np.linspace(0, 0.1, 11)
    chosen = channels or model.coordinates
    torque = {f"tau({n})": rng.normal(size=11) for n in model.speeds}
    inputs = {n: rng.normal(size=11) for n in model.inputs}
    data = {"t": t, **torque, **inputs, **dict.fromkeys(chosen, 0 * t)}
    given = {k: v for k, v in start.items() if k in model.coordinates}
    made = problem(model, Run(data, q=given, u={}), free, chosen)
    theta = made.unknowns.start()
    J, D = made.jacobian(theta), differenced(made, theta, 1e-4)
    assert np.abs(J).max() > 0
    assert np.abs(J - D).max() < 1e-7 * np.abs(J).max()


def test_several_runs_recover_the_parameters(tmp_path: Path) -> None:
    """Of different lengths, starts and sample times; one from a file, one with a known start."""
    second = record(1, 40, q=-0.5)
    table = {**second, "command": np.array([command(t) for t in second["t"]])}
    path = tmp_path / "second.csv"
    rows = np.column_stack(list(table.values()))
    np.savetxt(path, rows, delimiter=",", header=",".join(table), comments="")
    first = Run(record(), q={"hinge": 1.0}, u={"hinge": 0.0}, name="first")
    free = {"l": 0.6, "b": (0.0, 1.0), "k": FreeValue(15.0, log=True)}
    found = eomc.fit(pendulum(), [first, path], free, interpolation="cubic")
    assert found.names == (
        "l",
        "b",
        "k",
        *(f"second.csv: {n}" for n in ("q.hinge", "u.hinge", "z.lag")),
    )
    for name, truth in (("l", 0.5), ("b", 0.05), ("k", 20.0)):
        assert abs(found[name] - truth) < 4 * found.deviations[name] < 0.3 * truth
    assert found.sigma == pytest.approx([1e-3, 1e-3], rel=0.3)
    assert found.is_white and not found.unidentified
    assert json.loads(found.to_json())["estimates"]["l"] == found["l"]
    low, high = found.intervals()["l"]
    assert low < found["l"] < high
    held_out = found.validate(Run(record(2, q=0.3), q={"hinge": 0.3}, u={"hinge": 0.0}))
    assert max(held_out.rms.values()) < 1.3
    assert len(found.plot().axes) == 2


def test_records_in_files(tmp_path: Path) -> None:
    """All readers give the same table; what is no record is named."""
    t = np.linspace(0, 1, 5)
    table = {"t": t, "hinge": np.sin(t), "speed(hinge)": np.cos(t), "tau(hinge)": t**2}
    rows = np.column_stack(list(table.values()))
    csv = tmp_path / "run.csv"
    np.savetxt(csv, rows, delimiter=",", header=",".join(table), comments="", fmt="%.17g")
    parquet, mat = tmp_path / "run.parquet", tmp_path / "run.mat"
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table(table), parquet)
    scipy.io.savemat(mat, {"t": t, "hinge": np.sin(t)})
    bag = ros_bag(tmp_path / "run", table)
    for path in (csv, parquet, mat, bag):
        found = record_of(path)
        assert {"t", "hinge"} <= found.keys() <= table.keys()
        for name, values in found.items():
            assert values == pytest.approx(table[name], abs=1e-9), (path, name)
    (tmp_path / "run.txt").write_text("t, hinge")
    for text, message in (
        ("", "no numbers"),
        ("t,hinge\n0,1\n2\n", "rows have different"),
        ("t,hinge\n0,1\n2,off\n", r"run\.csv, row 3, 'hinge': 'off' is no number"),
    ):
        csv.write_text(text)
        with pytest.raises(FitError, match=message):
            record_of(csv)
    with pytest.raises(FitError, match=r"run\.txt: not a record; give"):
        record_of(tmp_path / "run.txt")


def ros_bag(path: Path, table: dict[str, np.ndarray]) -> Path:
    """States of one joint as messages of ROS 2."""
    rosbag2, typesys = (
        pytest.importorskip("rosbags.rosbag2"),
        pytest.importorskip("rosbags.typesys"),
    )
    store = typesys.get_typestore(typesys.Stores.LATEST)
    JointState = store.types["sensor_msgs/msg/JointState"]
    Header, Time = store.types["std_msgs/msg/Header"], store.types["builtin_interfaces/msg/Time"]
    with rosbag2.Writer(path, version=9) as writer:
        topic = writer.add_connection("/joint_states", JointState.__msgtype__, typestore=store)
        for k, t in enumerate(table["t"]):
            stamp = Time(sec=5 + int(t), nanosec=round(1e9 * (t % 1)))
            rows = (np.array([values[k]]) for name, values in table.items() if name != "t")
            message = JointState(Header(stamp, ""), ["hinge"], *rows)
            data = store.serialize_cdr(message, JointState.__msgtype__)
            writer.write(topic, round(1e9 * t), data)
    return path


def test_report(tmp_path: Path) -> None:
    found = eomc.fit(pendulum(), Run(record(), **DOWN), ["l"], sigma=1e-3)
    held_out = found.validate(Run(record(2, q=0.3), q={"hinge": 0.3}, u={"hinge": 0.0}))
    page = found.report(tmp_path / "fit.html", title="swing <1>", held_out=held_out)
    titles = [section.title for section in page.sections]
    assert titles == ["Estimates", "Measured and simulated", "Residuals", "Held out", "Convergence"]
    assert page.html.count("data:image/png") == 4 and "swing &lt;1&gt;" in page.html
    assert f"{found['l']:.6g}" in page.sections[0].html
    assert found.history[-1] <= found.history[0]


def test_a_fit_that_diverges_keeps_its_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of multiple shooting that lead away from all motions."""
    data = {name: value for name, value in record().items() if name != "tip.x"}
    monkeypatch.setattr(shooting.Shots, "step", lambda self, theta: (theta + np.nan, np.nan))
    with pytest.raises(FitError, match="multiple shooting diverges") as why:
        eomc.fit(pendulum(), Run(data, **DOWN), {"l": 0.55, "b": 0.1}, sigma=1e-3, nodes=6)
    assert why.value.partial.names == ("l", "b")
    assert np.isfinite(why.value.partial.values).all()


def test_inertias_are_those_of_bodies() -> None:
    """Numbers of the coordinates by an independent formula, and back."""
    theta = np.array([0.2, 0.1, -0.3, 0.05, 0.4, -0.2, 0.3, 0.1, -0.15, 0.25])
    values = inertia.numbers(theta)
    known = [1.4918246976412703, 0.149182469764127, -0.223773704646191, 0.372956174410318]
    known += [2.653930110983269, 3.951953536079947, 3.121963018457801]
    known += [-0.330181514907164, -0.507789273088082, 0.369605863259581]
    assert values == pytest.approx(known, rel=1e-14)
    assert inertia.coordinates(values) == pytest.approx(theta, abs=1e-14)
    steps = np.eye(10) * 1e-5
    columns = [inertia.numbers(theta + e) - inertia.numbers(theta - e) for e in steps]
    assert inertia.slopes(theta) == pytest.approx(np.stack(columns, axis=1) / 2e-5, abs=1e-8)


def test_inertia_with_prior() -> None:
    """A prior decides on what the run does not identify."""
    prior = (1.0, 0.0, 0.0, -0.5, 0.3, 0.3, 0.08, 0.0, 0.0, 0.0)
    free = {"inertia(bob)": FreeValue(prior=(prior, 1e-3), start=prior)}
    found = eomc.fit(pendulum(), Run(record(), **DOWN), free, sigma=1e-3)
    assert found.names[0] == "bob.m" and not found.unidentified
    assert np.linalg.eigvalsh(pseudo_inertia(found.values)).min() > 0
    with pytest.raises(FitError, match="the start is no body's"):
        free = {"inertia(bob)": (1.0, 0, 0, 0, 1.0, 0.1, 0.1, 0, 0, 0)}
        eomc.fit(pendulum(), Run(record(), **DOWN), free, sigma=1e-3)


def test_robust_loss_and_prior() -> None:
    data = dict(record())
    data["hinge"] = data["hinge"].copy()
    data["hinge"][::10] += 0.3
    run = Run(data, **DOWN)
    plain = eomc.fit(pendulum(), run, ["l"], sigma=1e-3)
    robust = eomc.fit(pendulum(), run, ["l"], sigma=1e-3, loss="cauchy")
    assert 10 * abs(robust["l"] - 0.5) < abs(plain["l"] - 0.5)
    tied = eomc.fit(pendulum(), run, {"l": FreeValue(prior=(0.5, 1e-9))}, sigma=1e-3)
    assert tied["l"] == pytest.approx(0.5, abs=1e-6)


def test_multiple_shooting_has_the_optimum_of_single_shooting() -> None:
    data = {name: value for name, value in record().items() if name != "tip.x"}
    run = Run(data, **DOWN)
    one, more = (
        eomc.fit(pendulum(), run, {"l": 0.55, "b": 0.1}, sigma=1e-3, nodes=nodes)
        for nodes in (None, 6)
    )
    assert more.values == pytest.approx(one.values, rel=1e-7)
    assert more.covariance == pytest.approx(one.covariance, rel=1e-6)


@pytest.mark.parametrize(
    ("change", "free", "text"),
    [
        ({"t": [0.0, 0.1, 0.1, 0.2]}, ["l"], "run 1: times do not rise after t = 0.1 s"),
        ({"hinge": [0, np.nan, 0, 0]}, ["l"], "run 1, 'hinge': no number at t = 0.1 s"),
        ({"hinge": [0, 1, 2]}, ["l"], r"run 1, 'hinge': shape \(3,\), but 4 times"),
        ({"hing": [0, 1, 2, 3]}, ["l"], "unknown channel 'hing'; did you mean 'hinge'"),
        ({"t": [0.0, 0.1]}, ["l"], "run 1: 2 samples; give at least 3"),
        ({"command": None}, ["l"], "the input 'command' of the model is not recorded"),
        ({}, ["mass"], "no parameter 'mass'"),
        ({}, "l", "give names in a list"),
        ({}, {"l": (1.0, 0.5)}, "the lower bound 1 is not below 0.5"),
        ({}, {"l": FreeValue(2.0, high=1.0)}, "the start 2 is outside"),
        ({}, {"b": FreeValue(-1.0, log=True)}, "the start must be positive"),
        ({}, ["l", "b", "k", "c"], "4 unknowns, but 4 measured values"),
        ({}, {"b": -1e6}, "run 1: the motion diverges after t = "),
        ({}, ["bias(tip.x)"], "no unknown"),
        ({}, [], "free: give at least one parameter"),
        ({"hinge": None}, ["l"], "run 1: no measured channel, such as 'hinge'"),
    ],
)
def test_bad_input_is_named(change: dict[str, Any], free: Any, text: str) -> None:
    data: dict[str, Any] = {"t": [0.0, 0.1, 0.2, 0.3], "hinge": [1.0, 0.9, 0.8, 0.7]}
    data = {**data, "command": command, **change}
    data = {name: value for name, value in data.items() if value is not None}
    with pytest.raises((FitError, eomc.ModelError), match=text):
        eomc.fit(pendulum(), Run(data, **DOWN), free, sigma=0.1)


def test_what_acts_on_nothing_is_named() -> None:
    data = {"t": [0.0, 0.1, 0.2, 0.3], "hinge": [1.0, 0.9, 0.8, 0.7], "command": lambda t: 0.0}
    with pytest.raises(FitError, match="free 'c' acts on nothing that these runs measure"):
        eomc.fit(pendulum(), Run(data, **DOWN), ["l", "c"], sigma=0.1)
    with pytest.raises(FitError, match="loss: unknown 'hubber'; did you mean 'huber'"):
        eomc.fit(pendulum(), Run(data, **DOWN), ["l"], loss="hubber")
    with pytest.raises(FitError, match="nodes is 0; give a whole number"):
        eomc.fit(pendulum(), Run(data, **DOWN), ["l"], nodes=0)
    with pytest.raises(FitError, match="sigma of 'hinge' is -1"):
        eomc.fit(pendulum(), Run(data, **DOWN), ["l"], sigma=-1)
