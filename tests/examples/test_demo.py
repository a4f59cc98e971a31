"""The demonstration checks what it claims to check, and its robot is the real one."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from peers.robot_files import robot_file

import eomc

EXAMPLES = Path(__file__).parents[2] / "examples"
PANDA = EXAMPLES / "models" / "panda.toml"


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("matplotlib", reason="the demonstration draws with matplotlib")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    spec = importlib.util.spec_from_file_location("demo", EXAMPLES / "demo.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "demo", module)
    spec.loader.exec_module(module)
    return module


def test_a_check_fails_above_its_tolerance_and_for_nan(demo: ModuleType) -> None:
    checks = demo.Checks()
    checks.at_most("fine", 1.0, 1.0)
    assert checks.passed
    checks.at_most("not a number", float("nan"), 1.0)
    assert not checks.passed
    assert checks.table().count("FAIL") == 1


@pytest.mark.slow
def test_a_breach_ends_the_demonstration_with_an_error(
    demo: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    textbook = demo.newton_euler
    monkeypatch.setattr(demo, "newton_euler", lambda *state: 1.000001 * textbook(*state))
    assert demo.main(tmp_path) == 1
    printed = capsys.readouterr().out
    (breach,) = (line for line in printed.splitlines() if line.endswith("FAIL"))
    assert "textbook Newton-Euler" in breach
    assert {path.name for path in tmp_path.glob("*.png")} == {
        *("swing.png", "energy_error.png", "motion.png")
    }
    assert (tmp_path / "panda" / "panda.h").is_file()


def test_panda_stands_as_its_data_sheet_says() -> None:
    """All joints at zero: the arm points up, the flange down, 88 mm before the axis."""
    pose = eomc.equations(eomc.load(PANDA)).frame_flange_pose.evaluate(q=np.zeros(7))
    height = 0.333 + 0.316 + 0.384 - 0.107
    expected = [[1, 0, 0, 0.088], [0, -1, 0, 0], [0, 0, -1, height], [0, 0, 0, 1]]
    assert np.allclose(pose, expected, atol=1e-15)


def test_panda_moves_as_the_published_robot_description() -> None:
    pinocchio = pytest.importorskip("pinocchio", reason="needs pin, for the kinematics of a URDF")
    file = robot_file("panda_description/urdf/panda.urdf")
    robot = pinocchio.buildModelFromUrdf(str(file))
    state = robot.createData()
    equations = eomc.equations(eomc.load(PANDA))
    rng = np.random.default_rng(3)
    for angles in rng.uniform(-2.5, 2.5, (5, 7)):
        q = np.zeros(robot.nq)
        q[:7] = angles
        pinocchio.forwardKinematics(robot, state, q)
        for joint in range(1, 8):
            pose = getattr(equations, f"frame_link{joint}_pose").evaluate(q=angles)
            expected = state.oMi[robot.getJointId(f"panda_joint{joint}")].homogeneous
            assert np.allclose(pose, expected, atol=1e-12)
