"""Every model in the packages of MuJoCo, Gymnasium and example-robot-data is read, or refused with
a reason that is true; MuJoCo's own reading of it needs the same forces."""

from __future__ import annotations

import importlib.metadata
import re
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc import Model, ModelError

mujoco = pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")
pytest.importorskip("yourdfpy", reason="the reader of URDF files (package yourdfpy) is missing")

#: Ends of the reasons for which a file is refused, by its name.
REFUSED = {
    "alex_psyonic_hands.urdf": "mimics unknown joint 'index_q1'",
    **dict.fromkeys(
        (
            "cassie.sdf",
            "cassie_reduced.sdf",
            "cassie_simple.sdf",
            "cassie_v2.sdf",
            "cassie_wo_gearbox_spring.sdf",
        ),
        "SDF version is '1.6'; files of 1.7 and later are read",
    ),
    "quadrotor_base.urdf.xacro": "the robot has no link; the file may hold macros alone",
    "quadrotor_base.xacro": "xacro cannot expand it",
    "ur3.urdf": "the robot has no link",
    "msh.xml": "the model has no body",
}


def files() -> list[Path]:
    """Of the packages that are installed."""
    found: list[Path] = []
    for name, part in (
        ("example-robot-data", "robots/"),
        ("mujoco", "mujoco/testdata/"),
        ("mujoco-core", "mujoco/testdata/"),
        ("gymnasium", "mujoco/assets/"),
    ):
        try:
            package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        found += [
            Path(str(package.locate_file(entry)))
            for entry in package.files or ()
            if part in str(entry)
            and Path(str(entry)).suffix in (".urdf", ".sdf", ".xml", ".xacro")
            and Path(str(entry)).name != "package.xml"
        ]
    return sorted({path.resolve() for path in found if path.is_file()})


FILES = [path for path in files() if path.suffix != ".xml" or "<mujoco" in path.read_text()]


def read(path: Path) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        options = {"mimic": False, "friction": False, "snap": 0.0, "inertia": "ignore"}
        return eomc.load(path, **options)  # type: ignore[arg-type]


def of_mujoco(path: Path) -> object:
    """MuJoCo's own model, without meshes; None where it refuses the file."""
    if path.suffix != ".urdf":
        return mujoco.MjModel.from_xml_path(str(path))
    root = ET.parse(path).getroot()
    for link in root.iter("link"):
        for tag in ("visual", "collision"):
            for part in link.findall(tag):
                link.remove(part)
    for joint in root.iter("joint"):
        for part in joint.findall("mimic"):
            joint.remove(part)
    settings = ET.SubElement(root, "mujoco")
    ET.SubElement(settings, "compiler", {"fusestatic": "false", "strippath": "false"})
    try:
        return mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))
    except ValueError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_model_is_read(path: Path) -> None:
    if path.name in REFUSED:
        with pytest.raises(ModelError, match=re.escape(REFUSED[path.name])):
            eomc.load(path)
        return
    model = read(path)
    m = of_mujoco(path) if path.suffix in (".urdf", ".xml") else None
    if m is None:
        pytest.skip("MuJoCo does not read it")
    compare(model, m)


def compare(model: Model, m: object) -> None:
    """Inverse dynamics of hinges and slides at a random motion, to rounding of the inertias."""
    names = [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_JOINT, k) for k in range(m.njnt)]
    if not names or set(names) != set(model.coordinates) or m.nv != len(names):
        pytest.skip("joints of several speeds are compared elsewhere")
    rng = np.random.default_rng(3)
    d = mujoco.MjData(m)
    d.qpos[:], d.qvel[:], a = (rng.uniform(-0.5, 0.5, m.nv) for _ in range(3))
    m.opt.density = m.opt.viscosity = 0  # told as left out
    m.opt.gravity[:] = [float(entry) for entry in model.gravity]
    mujoco.mj_forward(m, d)
    mass = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, mass)
    expected = mass @ a + d.qfrc_bias - d.qfrc_passive - d.qfrc_actuator
    order = [names.index(name) for name in model.coordinates]
    quantity = eomc.equations(model).inverse_dynamics
    given = {word.name: np.zeros(word.shape[0]) for word in quantity.inputs}
    given |= {"q": d.qpos[order], "u": d.qvel[order], "a": a[order]}
    found = np.ravel(quantity.evaluate(**given))
    scale = np.abs(mass) @ np.abs(a) + np.abs(d.qfrc_bias) + np.abs(d.qfrc_passive)
    assert np.abs(found - expected[order]).max() < 1e-9 * scale.max()
