"""What a model says about inertias that no body has goes with it: to build, to files and back."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import eomc
from eomc import Model, ModelError
from eomc.derive.formats.toml_writer import toml_text, write_toml

URDF = """<robot name="arm">
<link name="base"/>
<link name="rod"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


def rod(**options: str) -> Model:
    model = Model("rod", **options)
    model.body("rod", mass=1, inertia=(1, 1, 9))
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 0, 1))
    return model


def test_models_declared_in_python() -> None:
    with pytest.raises(ModelError, match=r"body 'rod': .*; inertia='warn' or 'ignore' accepts it"):
        rod().validate()
    with pytest.warns(UserWarning, match="body 'rod'"):
        rod(inertia="warn").validate()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rod(inertia="ignore").validate()
        assert eomc.equations(rod(inertia="warn")).model.inertia == "warn"
    with pytest.raises(ModelError, match="inertia is 'allow'; valid: 'error', 'warn', 'ignore'"):
        rod(inertia="allow")


def test_what_was_loaded_with_a_warning_is_written_and_loaded_again(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(URDF)
    with pytest.warns(UserWarning, match="body 'rod'"):
        model = eomc.load(tmp_path / "arm.urdf")
    write_toml(model, tmp_path / "arm.toml")
    with pytest.warns(UserWarning, match="body 'rod'"):
        again = eomc.load(tmp_path / "arm.toml")
    assert again == model and again.inertia == "warn"
    with pytest.raises(ModelError, match="body 'rod'"):
        eomc.load(tmp_path / "arm.toml", inertia="error")
    assert "inertia" not in toml_text(Model("empty"))
