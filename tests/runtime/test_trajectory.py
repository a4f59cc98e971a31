"""The record of a run: channels, what is computed on demand, files, pictures."""

import csv
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eomc

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def run(chain: eomc.CompiledModel) -> eomc.Trajectory:
    return eomc.simulate(
        chain, {"shoulder": 0.5}, {"elbow": 1.0}, t_span=1, step=0.1, tau=[0.1, 0.0]
    )


def test_channels_by_name(run: eomc.Trajectory, tumbler: eomc.CompiledModel) -> None:
    assert np.array_equal(run["elbow"], run.q[:, 1])
    assert np.array_equal(run["speed(shoulder)"], run.u[:, 0])
    assert np.array_equal(run["tau(shoulder)"], np.full(run.count, 0.1))
    assert np.array_equal(run["energy"], run.kinetic_energy + run.potential_energy)
    assert run.final.q.tolist() == run.q[-1].tolist()
    with pytest.raises(KeyError, match="did you mean 'elbow'"):
        run["elbo"]
    free = eomc.simulate(tumbler, u={"base_wz": 1.0}, t_span=0.1)
    assert np.array_equal(free["base_wz"], free["speed(base_wz)"])
    assert repr(run).startswith("<Trajectory of 'chain': 11 points")


def test_functions_along_the_run(run: eomc.Trajectory, chain: eomc.CompiledModel) -> None:
    for row in (0, 5, -1):
        q, u, tau = run.q[row], run.u[row], run.tau[row]
        assert run.kinetic_energy[row] == chain.kinetic_energy(q, u)
        assert np.array_equal(run.accelerations[row], chain.forward_dynamics(q, u, tau))
        assert np.array_equal(run.evaluate("mass_matrix")[row], chain.mass_matrix(q))
    assert run.evaluate("inverse_dynamics") == pytest.approx(run.tau, abs=1e-12)
    with pytest.raises(AttributeError, match="no function 'mas'"):
        run.evaluate("mas")
    with pytest.raises(ValueError, match="takes 'du'"):
        run.evaluate("integrate")


def test_csv_holds_every_channel_exactly(run: eomc.Trajectory, tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    run.to_csv(path)
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    names = ["shoulder", "elbow", "speed(shoulder)", "speed(elbow)", "tau(shoulder)", "tau(elbow)"]
    units = ["rad", "rad", "rad/s", "rad/s", "N m", "N m"]
    assert header == ["t [s]", *(f"{n} [{u}]" for n, u in zip(names, units, strict=True))]
    table = np.array(rows, dtype=float)
    assert np.array_equal(table, np.column_stack([run.t, run.q, run.u, run.tau]))
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.csv"]


def test_npz_holds_everything_exactly(
    run: eomc.Trajectory, chain: eomc.CompiledModel, tmp_path: Path
) -> None:
    path = tmp_path / "run.npz"
    run.to_npz(path)
    again = eomc.Trajectory.from_npz(path, chain)
    for name in ("t", "q", "u", "tau", "r", "s"):
        assert np.array_equal(getattr(again, name), getattr(run, name))
    assert again.coordinates == run.coordinates and again.speeds == run.speeds
    assert np.array_equal(again.energy, run.energy)
    assert again.statistics == run.statistics
    alone = eomc.Trajectory.from_npz(path)
    with pytest.raises(ValueError, match="needs the model"):
        _ = alone.energy


def test_npz_holds_events(swing: eomc.CompiledModel, tmp_path: Path) -> None:
    def never(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return 1.0

    run = eomc.simulate(swing, [1.0], t_span=3, events=[lambda t, q, u: q[0], never])
    assert [found.t.size for found in run.events] == [4, 0]
    run.to_npz(tmp_path / "run.npz")
    again = eomc.Trajectory.from_npz(tmp_path / "run.npz").events
    assert len(again) == 2
    for kept, found in zip(again, run.events, strict=True):
        for name in ("t", "q", "u"):
            assert np.array_equal(getattr(kept, name), getattr(found, name))
            assert getattr(kept, name).shape == getattr(found, name).shape


def test_parameters_of_the_run_are_remembered(swing: eomc.CompiledModel, tmp_path: Path) -> None:
    run = eomc.simulate(swing, [1.0], t_span=1, parameters={"m": 3.0})
    run.to_npz(tmp_path / "run.npz")
    again = eomc.Trajectory.from_npz(tmp_path / "run.npz", swing)
    assert again.potential_energy[0] == pytest.approx(-3.0 * 9.81 * 0.5 * np.cos(1.0))


def test_a_failed_write_leaves_what_was_there(
    run: eomc.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.csv"
    path.write_text("precious")

    def fail(*arguments: object, **options: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(np, "savetxt", fail)
    with pytest.raises(OSError, match="disk full"):
        run.to_csv(path)
    assert path.read_text() == "precious"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.csv"]
    with pytest.raises(OSError):
        run.to_npz(tmp_path / "missing" / "run.npz")
    with pytest.raises(IsADirectoryError):
        run.to_npz(tmp_path)


@given(st.binary(max_size=200))
def test_a_file_that_is_no_trajectory_is_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "garbage.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"garbage\.npz holds no trajectory"):
        eomc.Trajectory.from_npz(path)


def test_a_foreign_npz_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(ValueError, match="holds no trajectory"):
        eomc.Trajectory.from_npz(tmp_path / "other.npz")
    with pytest.raises(FileNotFoundError):
        eomc.Trajectory.from_npz(tmp_path / "absent.npz")


def test_plots_draw_on_axes_and_show_nothing(
    run: eomc.Trajectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib import pyplot

    monkeypatch.setattr(pyplot, "show", lambda *a, **k: pytest.fail("a window was opened"))
    upper, lower = run.plot()
    assert [line.get_label() for line in upper.lines] == ["shoulder", "elbow"]
    assert [line.get_label() for line in lower.lines] == ["speed(shoulder)", "speed(elbow)"]
    ax = pyplot.figure().subplots()
    assert run.plot(ax, ["elbow", "tau(elbow)"]) is ax
    assert np.array_equal(ax.lines[0].get_ydata(), run["elbow"])
    energy = run.plot(channels="energy")
    assert [line.get_label() for line in energy.lines][-1] == "energy"
    assert run.plot(channels="elbow").get_ylabel() == "elbow [rad]"
    figures = len(pyplot.get_fignums())
    with pytest.raises(KeyError, match="no channel 'elbo'"):
        run.plot(channels=["elbo"])
    assert len(pyplot.get_fignums()) == figures
    pyplot.close("all")
