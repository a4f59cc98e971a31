"""URDF files of real robots, read as Pinocchio reads them: links, masses, frames, inertias."""

from __future__ import annotations

import importlib.metadata
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

from eomc.derive.formats import load, parse_toml, toml_text
from eomc.derive.language.value import value_of
from eomc.derive.model import Model

pin = pytest.importorskip("pinocchio", reason="the package pin is not installed")
pytest.importorskip("yourdfpy", reason="the package yourdfpy is not installed")

ROBOTS = {
    "panda": "panda_description/urdf/panda.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
    "talos_with_mimic_joints": "talos_data/robots/talos_full_v2.urdf",
    "g1": "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "anymal_b": "anymal_b_simple_description/robots/anymal.urdf",
    "anymal_c": "anymal_c_simple_description/urdf/anymal.urdf",
    "icub": "icub_description/robots/icub.urdf",
}
#: Robots whose files hold inertias that no body has; they load with a warning that names the link.
WARNED = {"anymal_b": "base", "anymal_c": "hatch"}


def robot_file(robot: str) -> Path:
    """Path of a robot's URDF file in the package example-robot-data; skips the test without it."""
    try:
        package = importlib.metadata.distribution("example-robot-data")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package example-robot-data is not installed")
    for file in package.files or ():
        if str(file).endswith(f"example-robot-data/robots/{ROBOTS[robot]}"):
            return Path(str(package.locate_file(file)))
    pytest.skip(f"example-robot-data has no {ROBOTS[robot]}")


def read(robot: str, **options: object) -> Model:
    with warnings.catch_warnings():
        if robot in WARNED:
            warnings.filterwarnings("ignore", message=".*inertia", category=UserWarning)
        else:
            warnings.simplefilter("error")
            # Words of simulators, as a second stiffness beside damping, are told.
            warnings.filterwarnings("ignore", message=".* is not read", category=UserWarning)
        return load(robot_file(robot), **options)  # type: ignore[arg-type]


@pytest.fixture(params=ROBOTS)
def robot(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_links_joints_and_mass(robot: str) -> None:
    model = read(robot, mimic=False)
    reduced = model.reduced()
    theirs = pin.buildModelFromUrdf(str(robot_file(robot)))
    links = {frame.name for frame in theirs.frames if frame.type == pin.FrameType.BODY}
    assert set(model.bodies) | {"universe", "world"} == links | {"universe", "world"}
    assert set(reduced.joints) == set(theirs.names) - {"universe"}
    assert len(model.speeds) == theirs.nv
    mass = math.fsum(value_of(body.mass) for body in reduced.bodies.values())
    assert mass == pytest.approx(pin.computeTotalMass(theirs), rel=1e-12)


def test_mimic_joints_are_honoured(robot: str) -> None:
    model = read(robot)
    mimics = [joint.name for joint in model.joints.values() if joint.mimic is not None]
    assert len(mimics) == {"panda": 1, "talos_with_mimic_joints": 12}.get(robot, 0)
    assert len(model.speeds) == len(read(robot, mimic=False).speeds) - len(mimics)


def test_floating_base(robot: str) -> None:
    model = read(robot, base="floating", mimic=False)
    theirs = pin.buildModelFromUrdf(str(robot_file(robot)), pin.JointModelFreeFlyer())
    assert len(model.speeds) == theirs.nv
    mass = math.fsum(value_of(body.mass) for body in model.reduced().bodies.values())
    assert mass == pytest.approx(pin.computeTotalMass(theirs), rel=1e-12)


def test_frames_of_all_links_at_a_random_position(robot: str) -> None:
    """With every joint locked all links are frames of the world: forward kinematics by merging."""
    theirs = pin.buildModelFromUrdf(str(robot_file(robot)))
    data = theirs.createData()
    rng = np.random.default_rng(5)
    values, q = {}, pin.neutral(theirs)
    for name in list(theirs.names)[1:]:
        joint = theirs.joints[theirs.getJointId(name)]
        values[name] = float(rng.uniform(-1, 1))
        turns = joint.nq == 2  # an unbounded joint: cosine and sine of the angle
        q[joint.idx_q : joint.idx_q + joint.nq] = (
            (math.cos(values[name]), math.sin(values[name])) if turns else values[name]
        )
    pin.framesForwardKinematics(theirs, data, q)
    reduced = read(robot, mimic=False, locked=values).reduced()
    assert reduced.coordinates == ()
    for name in reduced.frames:
        place = reduced.frame_of(name).placement
        expected = data.oMf[theirs.getFrameId(name, pin.FrameType.BODY)]
        assert reduced.frame_of(name).body == "world"
        rotation = np.array([[value_of(entry) for entry in row] for row in place.matrix])
        assert np.allclose(rotation, expected.rotation, rtol=0, atol=1e-10)
        xyz = [value_of(entry) for entry in place.xyz]
        assert np.allclose(xyz, expected.translation, rtol=0, atol=1e-10)


def test_inertia_of_the_frozen_robot(robot: str) -> None:
    """A floating robot with all joints locked is one rigid body."""
    theirs = pin.buildModelFromUrdf(str(robot_file(robot)), pin.JointModelFreeFlyer())
    movable = list(theirs.names)[2:]
    data = theirs.createData()
    pin.crba(theirs, data, pin.neutral(theirs))
    composite = data.Ycrb[1]
    reduced = read(robot, base="floating", mimic=False, locked=movable).reduced()
    (body,) = reduced.bodies.values()
    assert value_of(body.mass) == pytest.approx(composite.mass, rel=1e-12)
    com = [value_of(entry) for entry in body.com]
    assert np.allclose(com, composite.lever, rtol=0, atol=1e-10)
    xx, yy, zz, xy, xz, yz = (value_of(entry) for entry in body.inertia_com)
    expected = composite.inertia
    scale = np.abs(expected).max()
    inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    assert np.allclose(inertia, expected, rtol=0, atol=1e-10 * scale)


def test_written_as_toml_it_stays_the_same(robot: str) -> None:
    model = read(robot)
    assert parse_toml(toml_text(model), check=False) == model


@pytest.mark.filterwarnings("ignore:.*inertia violates")
@pytest.mark.parametrize(("name", "link"), WARNED.items())
def test_impossible_inertia_is_warned_of(name: str, link: str) -> None:
    with pytest.warns(UserWarning, match=rf"\.urdf:\d+: body '{link}': inertia violates"):
        load(robot_file(name))
    with pytest.raises(ValueError, match="inertia violates"):
        load(robot_file(name), inertia="error")
