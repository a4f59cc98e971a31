"""Units of models with rigid contacts: Co-Simulation by steps that solve for impulses."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.model import ModelError
from eomc_published.fmi.unit import instance

pytestmark = pytest.mark.variants

fmpy = pytest.importorskip("fmpy")


def ball() -> eomc.Model:
    """Bounces on a table, where it would rub."""
    model = eomc.Model("ball")
    model.body("slide")
    model.body("ball", mass=1)
    model.joint("x", "prismatic", parent="world", child="slide", axis=(1, 0, 0))
    model.joint("z", "prismatic", parent="slide", child="ball", axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "point", "at": "ball"},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "rigid", "restitution": 0.8},
        friction={"kind": "dry", "kinetic": 0.1},
    )
    return model


def unit(folder: Path, version: str, **given: Any) -> Path:
    start = {"q": {"z": 1.0}, "u": {"x": 2.0}, "method": "moreau"}
    return eomc.fmu(
        ball(), folder / f"ball{version}.fmu", version=version, platforms="host", **start | given
    )


@pytest.mark.parametrize("version", ["2", "3"])
def test_a_unit_steps_as_simulate_does(tmp_path: Path, version: str) -> None:
    file = unit(tmp_path, version)
    about = fmpy.read_model_description(str(file), validate=True)
    assert about.modelExchange is None
    names = ["q.x", "q.z", "impulses.floor.gap", "impulses.residual"]
    found = fmpy.simulate_fmu(
        str(file), fmi_type="CoSimulation", stop_time=1, output_interval=0.01, output=names
    )
    own = eomc.simulate(eomc.build(ball()), {"z": 1.0}, {"x": 2.0}, 1, method="moreau", step=1e-3)
    for name, column in (("q.x", 0), ("q.z", 1)):
        assert np.abs(found[name] - own.q[::10, column]).max() < 1e-12
    assert found["impulses.residual"].max() < 1e-10


@pytest.mark.slow
def test_a_state_saved_in_a_bounce_is_resumed_to_the_bit(tmp_path: Path) -> None:
    file = unit(tmp_path, "3")
    with instance(file, stepping=True) as one:
        # Communication steps that are no multiples of the inner ones.
        h, t = 7.3e-3, 0.0
        for _ in range(62):
            one.step(t, h)
            t += h
        content, names = one.saved(), ["q.x", "q.z", "u.x", "u.z", "impulses.floor.gap"]
        ends = []
        for _ in range(2):
            for k in range(20):
                one.step(t + k * h, h)
            ends.append(one.get(names))
            one.resume(content)
        assert (ends[0] == ends[1]).all()


def test_other_methods_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="method='moreau' or 'stewart_trinkle'"):
        unit(tmp_path, "3", method="rk4")
    with pytest.raises(ModelError, match="moreau"):
        unit(tmp_path, "3", method="moro")
