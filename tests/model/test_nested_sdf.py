"""SDF of several models in one, and of older versions, as libsdformat has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dynamics.evaluation import value

import eomc
from eomc import Model, ModelError

LINK = """<link name="{name}">{pose}<inertial><pose>0.1 0 0.2 0 0 0</pose><mass>{mass}</mass>
<inertia><ixx>.11</ixx><iyy>.12</iyy><izz>.13</izz></inertia></inertial></link>"""
ARM = (
    """<sdf version="{version}"><model name="limb">"""
    + LINK.format(name="a", pose="<pose>0 0 0.3 0.2 0 0.1</pose>", mass=2)
    + LINK.format(name="b", pose="<pose>0.4 0 0.3 0.5 0 1</pose>", mass=1)
    + """<joint name="bend" type="revolute"><pose>0.1 0 0 0 0.3 0</pose><parent>a</parent>
<child>b</child><axis><xyz>0 0.6 0.8</xyz>{axis}</axis></joint></model></sdf>"""
)
TOP = """<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity><model name="whole">
<link name="base"/>{nested}
<joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
<joint name="hold" type="revolute"><parent>base</parent><child>{a}</child>
<axis><xyz expressed_in="{frame}">0 0 1</xyz></axis></joint></model></world></sdf>"""
INCLUDE = """<include{merge}><uri>model://limb/model.sdf</uri><name>left</name>
<pose relative_to="base">0.5 0.2 0 0 0.4 0.3</pose></include>"""
AXES = {
    "1.4": "",
    "1.5": "<use_parent_model_frame>1</use_parent_model_frame>",
    "1.6": "<use_parent_model_frame>0</use_parent_model_frame>",
    "1.7": "",
}


def written(folder: Path, version: str = "1.9", merge: bool = False) -> Path:
    """A model that includes another one, which stands in a folder beside it."""
    (folder / "limb").mkdir(exist_ok=True)
    text = ARM.format(version=version, axis=AXES.get(version, ""))
    (folder / "limb" / "model.sdf").write_text(text)
    a, frame = ("a", "_merged__left__model__") if merge else ("left::a", "left")
    nested = INCLUDE.format(merge=' merge="true"' if merge else "")
    path = folder / "whole.sdf"
    path.write_text(TOP.format(nested=nested, a=a, frame=frame))
    return path


def mass_matrix(model: Model, **at: float) -> np.ndarray:
    q = [at[name.rpartition("::")[2]] for name in model.coordinates]
    return np.array(value(eomc.equations(model), "mass_matrix", q=q))


def test_names_of_included_things(tmp_path: Path) -> None:
    model = eomc.load(written(tmp_path))
    assert model.coordinates == ("hold", "left::bend")
    assert {"base", "left::a", "left::b"} <= set(model.bodies) and "left" in model.frames
    merged = eomc.load(written(tmp_path, merge=True))
    assert merged.coordinates == ("hold", "bend")
    one, other = (mass_matrix(m, hold=0.3, bend=-0.8) for m in (model, merged))
    assert np.abs(one - other).max() < 1e-14


def test_a_nested_model_is_the_included_one(tmp_path: Path) -> None:
    path = written(tmp_path)
    expected = mass_matrix(eomc.load(path), hold=0.3, bend=-0.8)
    inner = ARM.format(version="1.9", axis="").partition("<model name=")[2].rpartition("</sdf>")[0]
    inner = (
        '<model name="left"><pose relative_to="base">0.5 0.2 0 0 0.4 0.3</pose>'
        + (inner.partition(">")[2])
    )
    path.write_text(TOP.format(nested=inner, a="left::a", frame="left"))
    assert np.abs(mass_matrix(eomc.load(path), hold=0.3, bend=-0.8) - expected).max() < 1e-14


@pytest.mark.slow
@pytest.mark.parametrize("version", [*AXES, "1.9", "merged"])
def test_libsdformat_reads_the_same(version: str, tmp_path: Path) -> None:
    drake = pytest.importorskip("pydrake.all", reason="Drake (package drake) is not installed")
    merge = version == "merged"
    path = written(tmp_path, "1.9" if merge else version, merge)
    model = eomc.load(path)
    plant = drake.MultibodyPlant(0.0)
    parser = drake.Parser(plant)
    parser.package_map().Add("limb", str(tmp_path / "limb"))
    parser.AddModels(str(path))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    places = []
    for name, angle in (("hold", 0.3), ("bend", -0.8)):
        joint = next(
            plant.GetJointByName(name, instance)
            for instance in map(drake.ModelInstanceIndex, range(plant.num_model_instances()))
            if plant.HasJointNamed(name, instance)
        )
        joint.set_angle(context, angle)
        places.append(joint.velocity_start())
    theirs = plant.CalcMassMatrixViaInverseDynamics(context)[np.ix_(places, places)]
    assert np.abs(mass_matrix(model, hold=0.3, bend=-0.8) - theirs).max() < 1e-12


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("model://../limb", r"whole.sdf:\d: <include>: uri 'model://../limb' leads out of"),
        ("/etc/passwd", "leads out of the folder"),
        ("https://x.org/limb", "give model://name or a file"),
        ("model://arm", r"'model://arm' is not in .*; name folders by packages"),
        ("whole.sdf", "too many files, or they include each other|holds 0 models"),
    ],
)
def test_what_may_not_be_included(uri: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text().replace("model://limb/model.sdf", uri))
    with pytest.raises(ModelError, match=message):
        eomc.load(path)


def test_files_that_include_each_other(tmp_path: Path) -> None:
    path = written(tmp_path)
    limb = tmp_path / "limb" / "model.sdf"
    limb.write_text(limb.read_text().replace("</model>", f"{INCLUDE.format(merge='')}</model>"))
    with pytest.raises(ModelError, match=r"limb/model.sdf:\d+: <include>: too many files"):
        eomc.load(path)


def test_errors_name_the_included_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    limb = tmp_path / "limb" / "model.sdf"
    limb.write_text(limb.read_text().replace("<child>b", "<child>c"))
    with pytest.raises(ModelError, match=r"limb/model.sdf:3: joint 'left::bend': unknown frame"):
        eomc.load(path)
