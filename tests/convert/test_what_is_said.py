"""What each format says of a model, what it lists as left out, and what is refused."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from cli.command import Command

import eomc
from eomc import Model, ModelError, Placement
from eomc.derive.formats.convert import written
from eomc.derive.formats.numeric_pose import rpy_matrix, rpy_of

pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")
pytest.importorskip("yourdfpy", reason="reading URDF needs yourdfpy")

EXAMPLES = Path(__file__).parents[2] / "examples" / "models"
SUFFIXES = (".urdf", ".sdf", ".xml")


def machine() -> Model:
    """Joints of many kinds, a loop closed at zero, shapes, a contact, springs and a cable."""
    model = Model("machine", gravity=(0.1, 0, -9.7))
    for name in ("trunk", "nut", "cross", "ball", "bar"):
        model.body(name, mass=1.5, com=(0.1, 0, 0.2), inertia=(0.11, 0.12, 0.13, 0.01, 0, 0.02))
    model.joint("rail", "prismatic", parent="world", child="trunk", axis=(1, 0, 0), lower=-1)
    model.joint(
        "arm", "universal", parent="trunk", child="cross", placement=(0, 0.3, 0), damping=0.2
    )
    model.joint("turn", "revolute", parent="cross", child="ball", axis=(0, 1, 1), upper=2)
    model.joint("bar", "revolute", parent="trunk", child="bar", axis=(0, 0, 1), effort_limit=7)
    model.joint("tilt", "revolute", parent="bar", child="nut", axis=(0, 1, 0), friction=0.1)
    model.joint(
        "closing",
        "revolute",
        parent="nut",
        child="trunk",
        axis=(0, 1, 0),
        placement=(0.2, 0, 0),
        child_placement=(0.2, 0, 0),
        cut=True,
    )
    model.joint_spring("k", joint="turn", stiffness=3, damping=0.5, free_angle=0.2)
    model.cable("rope", route=["world", {"body": "trunk", "xyz": (1, 0, 0)}], length=1, modulus=50)
    model.contact(
        "foot",
        shape={"kind": "sphere", "at": "ball", "radius": 0.1},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "kelvin_voigt", "stiffness": 1e4, "damping": 10},
        friction={"kind": "coulomb", "coefficient": 0.4},
    )
    model.visual("hull", body="trunk", shape={"kind": "box", "size": (1, 2, 3)}, color="#ff8000")
    model.frame("eye", body="ball", placement=Placement(xyz=(0, 0, 1), rpy=(0.1, -1.2, 3)))
    return model


def back(suffix: str, tmp_path: Path) -> Model:
    path = tmp_path / f"a{suffix}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        eomc.convert(machine(), path)
        return eomc.load(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_elements_come_back(suffix: str, tmp_path: Path) -> None:
    model = back(suffix, tmp_path)
    bar = "bar_joint" if suffix == ".sdf" else "bar"  # where no joint may be called as a link
    if suffix != ".sdf":  # which does not say where a loop is cut
        assert model.coordinates == machine().coordinates
    assert {*model.joints} >= {"rail", "turn", bar, "tilt"}
    assert "eye" in (model.bodies if suffix == ".urdf" else model.frames)
    (hull,) = (v for v in model.visuals.values() if v.body == "trunk" and v.shape.word == "box")
    assert hull.color == "#ff8000" and np.allclose(np.array(hull.shape.size, float), [1, 2, 3])
    joints = model.joints
    assert joints["rail"].lower == (-1.0,) and joints[bar].effort_limit == (7.0,)
    assert joints["tilt"].friction == (0.1,)
    if suffix != ".urdf":
        spring = next(iter(model.joint_springs.values()))
        damping = spring.damping or joints["turn"].damping[0]
        assert (spring.stiffness, damping, spring.free_angle) == (3.0, 0.5, 0.2)


@pytest.mark.parametrize("suffix", (".urdf", ".xml"))
def test_loops_stay_closed(suffix: str, tmp_path: Path) -> None:
    """At zero the loop of the file holds the same directions as that of the model."""
    spaces = []
    for model in (machine(), back(suffix, tmp_path)):
        rows = np.atleast_2d(
            eomc.equations(model).constraint_jacobian.evaluate(q=np.zeros(len(model.coordinates)))
        )
        spaces.append(np.linalg.pinv(rows, rcond=1e-9) @ rows)
    assert np.abs(spaces[0] - spaces[1]).max() < 1e-9


def test_what_mjcf_says_besides(tmp_path: Path) -> None:
    import mujoco

    text, told = (made := written(machine(), "a.xml")).text, made.left_out
    m = mujoco.MjModel.from_xml_string(text)
    assert m.ntendon == 1 and m.npair == 1 and m.tendon_stiffness[0] == 50
    assert list(m.tendon_lengthspring[0]) == [0, 1] and m.pair_friction[0][0] == 0.4
    assert m.opt.gravity.tolist() == [0.1, 0, -9.7] and m.neq == 2
    assert told == ("contact 'foot': the normal force is MuJoCo's, by its solref",)


def test_a_loop_of_sdf_may_be_cut_elsewhere(tmp_path: Path) -> None:
    model = back(".sdf", tmp_path)
    assert [cut.kind for cut in model.cuts()] == ["revolute"]
    made = eomc.equations(model)
    assert made.redundancy().rank == eomc.equations(machine()).redundancy().rank


def test_what_urdf_leaves_out() -> None:
    assert written(machine(), "a.urdf").left_out == (
        "joint 'closing' becomes <loop_joint>, which few programs read",
        "gravity (0.1, 0.0, -9.7) is left out: URDF has none",
        "cable 'rope' is left out: URDF has no element for it",
        "contact 'foot' is left out: URDF has no element for it",
        "joint_spring 'k' is left out: URDF has no element for it",
    )


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_joints_without_a_word_are_all_named(suffix: str) -> None:
    model = Model("m")
    for name in ("a", "b"):
        model.body(name, mass=1, inertia=(1, 1, 1))
        model.joint(name, "planar_body", parent="world", child=name, axis=(0, 0, 1))
    with pytest.raises(ModelError, match=r"no such joint: 'a' \(planar_body\), 'b' \(planar_body"):
        written(model, f"a{suffix}")


def test_nothing_half_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_text("before")
    with pytest.raises(ModelError, match="strict: joint 'closing' becomes"):
        eomc.convert(machine(), path, strict=True)
    with pytest.raises(ModelError, match="deformable 'link': URDF has rigid bodies only"):
        eomc.convert(EXAMPLES / "flexible_arm.toml", path)
    with pytest.raises(ModelError, match="Denavit-Hartenberg table files are only read; written"):
        eomc.convert(machine(), tmp_path / "a.csv")
    with pytest.raises(ModelError, match=r"body 'arm': .* are those of no body"):
        eomc.convert(_impossible(), tmp_path / "a.xml")
    assert path.read_text() == "before" and [p.name for p in tmp_path.iterdir()] == ["a.urdf"]


def _impossible() -> Model:
    model = Model("m", inertia="ignore")
    model.body("arm", mass=1, inertia=(1, 1, 3))
    model.joint("j", "revolute", parent="world", child="arm", axis=(0, 1, 0))
    return model


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = Command(capsys)
    done = command("convert", EXAMPLES / "quadcopter.toml", "-o", tmp_path / "q.sdf")
    assert done.code == 0 and done.out.strip() == str(tmp_path / "q.sdf")
    assert "eomc: force 'rotor1', 'rotor2', 'rotor3', 'rotor4' are left out" in done.err
    done = command("convert", EXAMPLES / "pendulum.toml", "-o", tmp_path / "p.xml", "--json")
    assert json.loads(done.out) == {"file": str(tmp_path / "p.xml"), "left_out": []}
    done = command("convert", EXAMPLES / "quadcopter.toml", "-o", tmp_path / "r.sdf", "--strict")
    assert done.code == 2 and not (tmp_path / "r.sdf").exists()


def test_roll_pitch_yaw_near_their_singularity() -> None:
    rng = np.random.default_rng(5)
    for gap in (0, 1e-17, 1e-12, 1e-8, 1e-4, 1.0):
        for side in (1, -1):
            turned = rpy_matrix(rng.uniform(-3, 3), side * (np.pi / 2 - gap), rng.uniform(-3, 3))
            assert np.abs(rpy_matrix(*rpy_of(turned)) - turned).max() < 1e-15
