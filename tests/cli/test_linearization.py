"""``eomc equilibrium``, ``eomc linearize``, ``eomc modes``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli.command import Command

PENDULUM = Path(__file__).parents[2] / "examples" / "models" / "double_pendulum.toml"


def run(eomc: Command, *arguments: object) -> Any:
    """What a command prints with --json; it must succeed."""
    answer = eomc(*arguments, "--json")
    assert answer.code == 0, answer.err
    return json.loads(answer.out)


def test_equilibrium(eomc: Command) -> None:
    found = run(eomc, "equilibrium", PENDULUM, "--tau", "shoulder=1")
    m1, m2, l1, g = 1.0, 0.7, 0.5, 9.81
    # Rods: the lower one hangs straight, its weight acts at the elbow.
    assert found["q"]["shoulder"] == pytest.approx(np.arcsin(1 / ((m1 / 2 + m2) * g * l1)))
    assert found["q"]["elbow"] == pytest.approx(-found["q"]["shoulder"])
    assert found["residual"] < 1e-9


def test_equilibrium_along_a_parameter(eomc: Command) -> None:
    found = run(eomc, "equilibrium", PENDULUM, "--tau", "shoulder=1", "--along", "tau(shoulder)=2")
    values = found["branch"]["values"]
    assert values[0] == 1.0
    assert values[-1] == 2.0
    assert found["branch"]["reached"]
    shoulder = np.array(found["branch"]["q"])[:, 0]
    assert np.sin(shoulder) == pytest.approx(np.array(values) / (1.2 * 9.81 * 0.5))


def test_an_equilibrium_that_shows_what_is_wanted(eomc: Command) -> None:
    given = ("equilibrium", PENDULUM, "--targets", "tip.x=0.3", "--adjust", "tau(shoulder)")
    found = run(eomc, *given)
    # The lower rod hangs straight: the elbow is 0.3 m aside.
    assert abs(np.sin(found["q"]["shoulder"])) == pytest.approx(0.3 / 0.5)
    assert abs(found["tau"]["shoulder"]) == pytest.approx(1.2 * 9.81 * 0.3)
    answer = eomc("equilibrium", PENDULUM, "--targets", "tip.u=0.3")
    assert answer.code != 0
    assert "tip.x" in answer.err


def test_linearize_and_modes_agree(eomc: Command, tmp_path: Path) -> None:
    linear = run(eomc, "linearize", PENDULUM, "--equilibrium", "--out", tmp_path / "out")
    modes = run(eomc, "modes", PENDULUM)
    expected = np.linalg.eigvals(linear["first_order"]["A"])
    got = [complex(row["real"], row["imaginary"]) for row in modes["modes"]]
    assert np.sort_complex(np.array(got)) == pytest.approx(np.sort_complex(expected))
    shape = modes["modes"][0]["shape"]
    assert max(entry["magnitude"] for entry in shape.values()) == pytest.approx(1.0)
    written = json.loads((tmp_path / "out" / "double_pendulum_linear.json").read_text())
    assert written["second_order"]["K"] == linear["second_order"]["K"]


@pytest.mark.slow
def test_pictures(eomc: Command, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "pictures"
    modes = run(
        eomc,
        "modes",
        PENDULUM,
        "--mode",
        1,
        "--animation",
        tmp_path / "m.gif",
        "--root-locus",
        "m2=0.5:2",
        "--out",
        out,
    )
    assert (tmp_path / "m.gif").stat().st_size > 1000
    assert sorted(path.name for path in out.iterdir()) == [
        "double_pendulum_locus.png",
        "double_pendulum_mode_1.png",
    ]
    assert len(modes["files"]) == 3
    run(eomc, "linearize", PENDULUM, "--response", "tau(shoulder):elbow", "--out", out)
    assert (out / "tau_shoulder__to_elbow.png").stat().st_size > 1000


def test_text_is_readable(eomc: Command) -> None:
    text = eomc("modes", PENDULUM, "--shapes").out
    assert "double_pendulum: 4 eigenvalues" in text
    assert "mode 1: magnitude, phase [deg]" in text
    assert "K:" in eomc("linearize", PENDULUM).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["equilibrium", "--q", "knee=1"], "no 'knee' here"),
        (["equilibrium", "--solve-for", "knee"], "no 'knee'"),
        (["equilibrium", "--along", "m2"], "give NAME=VALUE"),
        (["equilibrium", "--steady-turn", "shoulder"], "three speeds"),
        (["equilibrium", "--tau", "shoulder=100"], "no equilibrium near the guess"),
        (["linearize", "--method", "fast"], "method: 'fast'"),
        (["linearize", "--output", "tip.q"], "output 'tip.q'"),
        (["linearize", "--response", "a:b"], "--out FOLDER"),
        (["linearize", "--band", "1", "--out", "x"], "FROM:TO"),
        (["modes", "--mode", "1"], "--animation FILE or --out"),
        (["modes", "--mode", "9", "--out", "x"], "there are 4 modes"),
        (["modes", "--root-locus", "m9=0:1", "--out", "x"], "no parameter 'm9'"),
        (["modes", "--root-locus", "m2=1:1", "--out", "x"], "NAME=FROM:TO"),
    ],
)
def test_refusals(
    eomc: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    command, *rest = arguments
    assert message in eomc(command, PENDULUM, *rest).complaint
    assert list(tmp_path.iterdir()) == []
