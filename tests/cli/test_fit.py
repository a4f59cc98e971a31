"""``eomc fit``."""

import json
from pathlib import Path

import numpy as np
import pytest
from cli.command import Command


@pytest.fixture
def swing(tmp_path: Path) -> Path:
    """A small swing of the rod: a harmonic motion to a relative error of 1e-5."""
    t = np.linspace(0, 2, 101)
    path = tmp_path / "swing.csv"
    angle = 0.01 * np.cos(np.sqrt(1.5 * 9.81 / 0.4) * t)
    np.savetxt(path, np.column_stack([t, angle]), delimiter=",", header="t,hinge", comments="")
    return path


def test_a_length_from_a_record(eomc: Command, pendulum: Path, swing: Path, tmp_path: Path) -> None:
    start = ("--q", "hinge=0.01", "--u", "hinge=0")
    arguments = (pendulum, swing, "--free", "l=0.3:0.6", *start, "--held-out", swing)
    told = json.loads(eomc("fit", *arguments, "--json").out)
    assert told["estimates"]["l"] == pytest.approx(0.4, rel=1e-4)
    assert told["held_out"]["rms"] == told["rms"]
    both = eomc("fit", pendulum, swing, "--free", "l", "--free", "m", *start)
    assert "acts on nothing" in both.complaint and "'m'" in both.complaint


@pytest.mark.parametrize(
    ("free", "text"),
    [("l=a", "--free l=a"), ("mass", "no parameter 'mass'"), ("bias(q)", "no unknown 'bias(q)'")],
)
def test_wrong_names(eomc: Command, pendulum: Path, swing: Path, free: str, text: str) -> None:
    assert text in eomc("fit", pendulum, swing, "--free", free).complaint
