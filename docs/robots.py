"""Robots of other packages: which are read, and how closely MuJoCo's reading needs the same forces.

``python docs/robots.py`` reads all of them and writes docs/robots.json, of which the documentation
makes its table. It needs the packages mujoco, gymnasium, example-robot-data and yourdfpy.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np

import eomc
from eomc import Model, ModelError

RECORD = Path(__file__).parent / "robots.json"
PACKAGES = {
    "example-robot-data": "robots/",
    "mujoco": "mujoco/testdata/",
    "mujoco-core": "mujoco/testdata/",
    "gymnasium": "mujoco/assets/",
}

_FOLDERS = re.compile(r"/[^\s:]*/")


def robots() -> Iterator[tuple[str, Path]]:
    """Package and path of every model file of the packages that are installed."""
    for name, part in PACKAGES.items():
        try:
            package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        for entry in sorted(package.files or (), key=str):
            path = Path(str(package.locate_file(entry)))
            if part not in str(entry) or path.name == "package.xml" or not path.is_file():
                continue
            is_mjcf = path.suffix == ".xml" and "<mujoco" in path.read_text(encoding="utf-8")
            if path.suffix in (".urdf", ".sdf", ".xacro") or is_mjcf:
                yield name.removesuffix("-core"), path


def read(path: Path) -> Model:
    """As the file has it: mimic joints free, without dry friction, numbers not rounded."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return eomc.load(path, mimic=False, friction=False, snap=0.0, inertia="ignore")


def of_mujoco(path: Path) -> Any:
    """MuJoCo's own model, without meshes; None where it does not read the file."""
    import mujoco

    if path.suffix not in (".urdf", ".xml"):
        return None
    if path.suffix == ".xml":
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


def difference(model: Model, m: Any) -> float | None:
    """The largest difference of inverse dynamics at a random motion, of the largest force; None
    where joints have several speeds."""
    import mujoco

    names = [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_JOINT, k) for k in range(m.njnt)]
    if not names or set(names) != set(model.coordinates) or m.nv != len(names):
        return None
    rng = np.random.default_rng(3)
    d = mujoco.MjData(m)
    d.qpos[:], d.qvel[:], a = (rng.uniform(-0.5, 0.5, m.nv) for _ in range(3))
    m.opt.density = m.opt.viscosity = 0  # which the reader names as left out
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
    return float(np.abs(found - expected[order]).max() / scale.max())


def outcome(path: Path) -> str:
    """One phrase: agreement, or the reason of a refusal."""
    try:
        model = read(path)
    except ModelError as error:
        return "refused: " + shorten(_FOLDERS.sub("", error.message), 90, placeholder=" ...")
    m = of_mujoco(path)
    apart = None if m is None else difference(model, m)
    size = f"{len(model.speeds)} speeds"
    return size if apart is None else f"{size}; as MuJoCo within {_rounded_up(apart):.0e}"


def _rounded_up(apart: float) -> float:
    return float(10 ** np.ceil(np.log10(max(apart, 1e-16))))


def robots_table() -> str:
    """Rows of the record: package, file, outcome."""
    rows = json.loads(RECORD.read_text(encoding="utf-8"))
    lines = ["| package | file | read |", "| --- | --- | --- |"]
    lines += [f"| {package} | `{file}` | {said} |" for package, file, said in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    found = []
    for package, path in robots():
        found.append((package, path.name, outcome(path)))
        print(*found[-1], sep="  ", file=sys.stderr)
    RECORD.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
