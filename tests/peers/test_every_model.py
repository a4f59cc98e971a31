"""Every model in the packages of MuJoCo, Gymnasium and example-robot-data is read, or refused with
a reason that is true; MuJoCo's own reading of it needs the same forces."""

from __future__ import annotations

import re
from pathlib import Path
from runpy import run_path

import pytest

import eomc
from eomc import ModelError

pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")
pytest.importorskip("yourdfpy", reason="the reader of URDF files (package yourdfpy) is missing")

ROBOTS = run_path(str(Path(__file__).parents[2] / "docs" / "robots.py"))
FILES = sorted({path.resolve() for _, path in ROBOTS["robots"]()})

#: Ends of the reasons for which a file is refused, by its name.
REFUSED = {
    "alex_psyonic_hands.urdf": "mimics unknown joint 'index_q1'",
    "cassie.sdf": "<gearbox_reference_body> is not read",
    "quadrotor_base.urdf.xacro": "the robot has no link; the file may hold macros alone",
    "quadrotor_base.xacro": "xacro cannot expand it",
    "ur3.urdf": "the robot has no link",
    "msh.xml": "the model has no body",
}


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_model_is_read(path: Path) -> None:
    if path.name in REFUSED:
        with pytest.raises(ModelError, match=re.escape(REFUSED[path.name])):
            eomc.load(path)
        return
    model, m = ROBOTS["read"](path), ROBOTS["of_mujoco"](path)
    apart = None if m is None else ROBOTS["difference"](model, m)
    if apart is None:
        pytest.skip("MuJoCo does not read it, or it has joints of several speeds")
    assert apart < 1e-9
