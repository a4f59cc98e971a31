"""Meshes are read below the model's folder and named packages alone, whatever their names say."""

from __future__ import annotations

from pathlib import Path

import pytest

import eomc
from eomc.meshes.mesh_files import MeshError, find_mesh, read_mesh

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """home/secret.obj, home/robot/urdf with a mesh, home/robot/meshes, and a package beside."""
    for variable in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "EOMC_MESHES"):
        monkeypatch.delenv(variable, raising=False)
    for place in ("", "robot/urdf/", "robot/meshes/", "other/meshes/", "plain/"):
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / "secret.obj").write_text(TRIANGLE)
    (tmp_path / "other" / "package.xml").write_text("<package/>")
    (tmp_path / "robot" / "urdf" / "link.obj").symlink_to(tmp_path / "secret.obj")
    return tmp_path


def names(home: Path) -> tuple[str, ...]:
    """That lead out of home/robot."""
    return (
        "../../secret.obj",
        "../../plain/secret.obj",
        str(home / "secret.obj"),
        f"file://{home}/secret.obj",
        f"file://{home}/robot/../secret.obj",
        "link.obj",
        "package://../../secret.obj",
        "package://robot/../secret.obj",
        "package://robot/urdf/../../secret.obj",
        "package://other/../secret.obj",
        f"package://{home.name}/secret.obj",
        "package://plain/secret.obj",
        "package://tmp/secret.obj",
        f"package:/{home}/secret.obj",
        "file:///../../secret.obj",
    )


def test_names_that_lead_out_are_refused(home: Path) -> None:
    for name in names(home):
        with pytest.raises(MeshError, match=r"is outside the model's folder|is not there"):
            find_mesh(name, [home / "robot" / "urdf"])
    with pytest.raises(MeshError, match=r"is outside .* and is not read; name its folder by pack"):
        find_mesh("../../secret.obj", [home / "robot" / "urdf"])


def test_what_is_below_or_named_is_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = home / "robot" / "urdf"
    for name in (
        "secret.obj",
        "./secret.obj",
        "../urdf/secret.obj",
        str(own / "secret.obj"),
        f"file://{own}/secret.obj",
        "package://robot/meshes/secret.obj",
        "package://other/meshes/secret.obj",
    ):
        assert find_mesh(name, [own]).samefile(
            home
            / (
                "robot/meshes"
                if "robot/meshes" in name
                else "other/meshes"
                if "other" in name
                else "robot/urdf"
            )
            / "secret.obj"
        )
    for name in ("../../secret.obj", str(home / "secret.obj"), f"file://{home}/secret.obj"):
        assert find_mesh(name, [own, home]).samefile(home / "secret.obj")
    assert find_mesh("package://plain/secret.obj", [own, home / "plain"]).parent.name == "plain"
    monkeypatch.setenv("EOMC_MESHES", str(home))
    assert find_mesh("../../plain/secret.obj", [own]).samefile(home / "plain" / "secret.obj")


def test_packages_of_a_model(home: Path) -> None:
    """The same rule for a page: what `load` was told goes with the compiled model."""
    pytest.importorskip("yourdfpy", reason="reading URDF needs yourdfpy")
    pytest.importorskip("trimesh", reason="reading meshes needs trimesh")
    path = home / "robot" / "urdf" / "arm.urdf"
    path.write_text("""<robot name="arm"><link name="base"/><link name="a"><inertial>
    <mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="../../secret.obj"/></geometry></visual></link>
    <joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>""")
    built = eomc.build(eomc.load(path), functions=["mass_matrix"], flags=("-O0",))
    with pytest.warns(UserWarning, match="outside the model's folder"):
        assert built.picture()["missing_meshes"] == ["../../secret.obj"]
    built = eomc.build(eomc.load(path, packages=home), functions=["mass_matrix"], flags=("-O0",))
    assert len(built.picture()["meshes"]) == 1


def test_what_the_users_own_python_names_is_read(home: Path) -> None:
    pytest.importorskip("trimesh", reason="reading meshes needs trimesh")
    model = eomc.Model("arm")
    model.body("a", mass=1, inertia=(1, 1, 1))
    model.joint("j", "revolute", parent="world", child="a", axis=(0, 1, 0))
    model.visual("v", body="a", shape={"kind": "mesh", "file": str(home / "secret.obj")})
    built = eomc.build(model, functions=["mass_matrix"], flags=("-O0",))
    assert len(built.picture()["meshes"]) == 1


def test_files_that_a_mesh_names(tmp_path: Path) -> None:
    """Buffers of glTF stand beside it or below; elsewhere they are not read."""
    trimesh = pytest.importorskip("trimesh", reason="reading meshes needs trimesh")
    folder = tmp_path / "meshes"
    folder.mkdir()
    parts = trimesh.exchange.gltf.export_gltf(trimesh.Scene(trimesh.creation.box()))
    for name, data in parts.items():
        (folder / name).write_bytes(data)
    assert len(read_mesh(folder / "model.gltf", 100)[1]) == 12
    buffer = next(name for name in parts if name.endswith(".bin"))
    (folder / buffer).rename(tmp_path / buffer)
    text = (folder / "model.gltf").read_text()
    for name in (f"../{buffer}", str(tmp_path / buffer)):
        (folder / "other.gltf").write_text(text.replace(buffer, name))
        with pytest.raises(MeshError, match="which is outside its folder"):
            read_mesh(folder / "other.gltf", 100)
