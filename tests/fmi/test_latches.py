"""Units of models with latches: Co-Simulation through captures and releases."""

from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.derive.model import ModelError

pytestmark = [pytest.mark.variants, pytest.mark.slow]

fmpy = pytest.importorskip("fmpy")


def carts(**latch: object) -> eomc.Model:
    """Two carts on a rail, with a coupling that an input releases."""
    model = eomc.Model("carts", gravity=(0, 0, 0))
    for name, mass in (("a", 1), ("b", 3)):
        model.body(name, mass=mass)
        model.joint(name, "prismatic", parent="world", child=name, axis=(1, 0, 0))
    model.input("release")
    given = {"gap": 2e-3, "speed": 1, "opens": "release - 0.5"} | latch
    model.latch("coupling", joint="fixed", parent="a", child="b", placement=(0.2, 0, 0), **given)
    return model


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_unit_captures_and_releases(tmp_path: Path, version: str) -> None:
    start = {"q": {"b": 0.5}, "u": {"a": 0.6}}
    file = eomc.fmu(carts(), tmp_path / "carts.fmu", version=version, platforms="host", **start)
    about = fmpy.read_model_description(str(file), validate=True)
    assert about.modelExchange is None
    released = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (2.0, 1.0)], dtype="f8")
    signals = released.view([("time", "f8"), ("r.release", "f8")]).reshape(-1)
    found = fmpy.simulate_fmu(
        str(file),
        fmi_type="CoSimulation",
        stop_time=2,
        output_interval=0.01,
        input=signals,
        output=["q.a", "q.b", "u.a", "u.b", "latches.coupling.closed"],
    )
    closed = found["latches.coupling.closed"]
    begins = float(found["time"][closed > 0.5][0])
    assert begins == pytest.approx(0.298 / 0.6, abs=0.012)
    assert found["time"][closed > 0.5][-1] == pytest.approx(1.0, abs=0.012)
    momentum = found["u.a"] + 3 * found["u.b"]
    assert np.abs(momentum - 0.6).max() < 1e-14
    held = closed > 0.5
    assert np.abs(found["u.a"] - found["u.b"])[held].max() < 1e-15
    assert np.ptp((found["q.b"] - found["q.a"])[held]) < 1e-12
    assert 0.2 < (found["q.b"] - found["q.a"])[held][0] < 0.202


def test_what_cannot_close_stops_the_unit(tmp_path: Path) -> None:
    model = carts(closes="t - 0.1")
    file = eomc.fmu(model, tmp_path / "carts.fmu", q={"b": 0.5}, platforms="host")
    with pytest.raises(Exception, match=r"fmi3DoStep|Error|error"):
        fmpy.simulate_fmu(str(file), fmi_type="CoSimulation", stop_time=0.2, output_interval=0.01)


def test_methods_that_step_through_no_latches_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="'rodas4p' steps through no latches; take 'rk4'"):
        eomc.fmu(carts(), tmp_path / "carts.fmu", method="rodas4p", platforms=())
