"""The controller on the page of ros2_control, compiled with a stand-in for its headers and run."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import eomc

HOUSE = Path(__file__).parents[2]
STAND_IN = Path(__file__).parent / "ros_stand_in"


@pytest.mark.slow
def test_the_controller_of_the_page_commands_computed_torque(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not here")
    model = HOUSE / "examples" / "models" / "arm.toml"
    shutil.copy(HOUSE / "examples" / "ros2" / "arm_control" / "computed_torque.cpp", tmp_path)
    eomc.emit(model, tmp_path / "arm", functions="inverse_dynamics")
    commands = (
        "gcc -std=c99 -O1 -ffp-contract=off -c arm/arm.c",
        "g++ -std=c++17 -O1 -Wall -Wextra -Werror -ffp-contract=off -Iarm "
        f"-I{STAND_IN} computed_torque.cpp {STAND_IN / 'run.cpp'} arm.o -o run",
    )
    for command in commands:
        done = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    done = subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=True)
    names, efforts = done.stdout.splitlines()
    assert names.split() == [
        "shoulder/position",
        "shoulder/velocity",
        "elbow/position",
        "elbow/velocity",
    ]
    q, u, goal = np.array([0.4, 0.3]), np.array([-0.1, 0.2]), np.array([0.5, 0.2])
    arm = eomc.build(model)
    tau = arm.inverse_dynamics(q, u, 100 * (goal - q) - 20 * u, parameters={"payload": 2.0})
    np.testing.assert_allclose([float(x) for x in efforts.split()], tau, rtol=1e-14)
