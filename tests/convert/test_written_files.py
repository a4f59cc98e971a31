"""Models written for other programs: these programs, and eomc, read the same mechanics back."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynamics.evaluation import value
from peers.random_trees import random_tree

import eomc
from eomc import Model, ModelError
from eomc.binding.arrays import Array
from eomc.derive.equations import Equations
from eomc_published.formats.mujoco_witness import MujocoState, Witness

pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")
pytest.importorskip("yourdfpy", reason="reading URDF needs yourdfpy")

EXAMPLES = Path(__file__).parents[2] / "examples" / "models"
RIGID = (
    *("arm", "double_pendulum", "four_bar", "furuta", "panda", "pendulum"),
    *("planar_free_flyer", "quadcopter", "spatial_free_flyer", "spring_mass"),
)
STATES = 2
TOLERANCE = 1e-10
SINGLE = 1e-6
"""Of the schema of OpenUSD, whose numbers are floats."""


def read(path: Path | str, **options: Any) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return eomc.load(path, friction=False, **options)


@cache
def example(name: str) -> Model:
    """Mimic joints move freely: as coordinates of their own they stand in every format."""
    return read(EXAMPLES / f"{name}.toml", mimic=False)


def bare(model: Model, *kept: str, armature: bool = False) -> Model:
    """Without elements that act, but for the kinds `kept`, and without rotors."""
    model = model.copy()
    for word, table in model.acting().items():
        if word not in kept:
            table.clear()
    if not armature:
        for name, joint in model.joints.items():
            model.joints[name] = replace(joint, rotor_inertia=0)
    return model


def states(model: Model, seed: int = 43) -> list[MujocoState]:
    return list(Witness.states(type("Of", (), {"model": model})(), seed, STATES))  # type: ignore[arg-type]


@cache
def equations(model_id: int) -> Equations:
    return eomc.equations(_MODELS[model_id])


_MODELS: dict[int, Model] = {}


def mechanics(model: Model, state: MujocoState) -> dict[str, Array]:
    """Mass matrix and bias by the graph."""
    _MODELS[id(model)] = model
    made = equations(id(model))
    signals = {"r": state.control[: len(model.inputs)]} if model.inputs else {}
    return {
        "mass_matrix": value(made, "mass_matrix", q=state.q),
        "bias": value(made, "bias", q=state.q, u=state.u, **signals),
    }


def agree(expected: dict[str, Array], got: dict[str, Array], tolerance: float = TOLERANCE) -> None:
    for name, entries in expected.items():
        scale = np.abs(entries).max()
        assert np.abs(got[name] - entries).max() <= tolerance * scale, name


def write(model: Model, path: Path) -> tuple[str, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return eomc.convert(model, path)


@pytest.mark.parametrize("name", RIGID)
@pytest.mark.parametrize("suffix", [".urdf", ".sdf", ".xml", ".usda"])
def test_eomc_reads_its_own_files(name: str, suffix: str, tmp_path: Path) -> None:
    if suffix == ".usda":
        pytest.importorskip("pxr", reason="OpenUSD (package usd-core) is not installed")
    model, path = example(name), tmp_path / f"a{suffix}"
    write(model, path)
    kept = {".urdf": (), ".sdf": ("joint_spring",), ".usda": ("joint_spring",)}.get(suffix)
    expected = model if kept is None else bare(model, *kept)
    if suffix == ".urdf":
        expected.gravity = (0, 0, -9.81)
    if suffix == ".xml" and name == "spring_mass":  # a spring by a law has no tendon
        expected = model.copy()
        del expected.springs["between"]
    back = read(path)
    assert len(back.coordinates) == len(model.coordinates)
    for state in states(model):
        tolerance = SINGLE if suffix == ".usda" else TOLERANCE
        agree(mechanics(expected, state), mechanics(back, state), tolerance)


@cache
def written_tree(seed: int) -> Model:
    """A random tree of joints that MuJoCo has, free ones on the world alone."""
    rng = np.random.default_rng(seed)
    model = random_tree(seed, joints=6)
    for name, joint in model.joints.items():
        free = joint.kind in ("floating", "floating_euler") and joint.parent != "world"
        if joint.kind == "screw" or free:
            model.joints[name] = replace(
                joint,
                kind="cylindrical",
                pitch=None,
                axis=(0, 0, 1),
                sequence=None,
                damping=(0, 0),
                friction=(0, 0),
            )
        elif joint.kind == "floating":
            model.joints[name] = replace(joint, placement=eomc.Placement())
        if len(joint.speeds) == 1:
            armature = float(rng.uniform(0, 0.1))
            model.joints[name] = replace(model.joints[name], rotor_inertia=armature)
    model.validate()
    return model


def loaded(name: str) -> Model:
    return written_tree(int(name)) if name.isdigit() else example(name)


@pytest.mark.parametrize("name", [*RIGID, "1", "2", "3", "4"])
def test_mujoco_reads_the_same_mechanics(name: str, tmp_path: Path) -> None:
    """Inputs, springs and dampers are those of the file."""
    model, path = loaded(name), tmp_path / "a.xml"
    write(model, path)
    back = read(path)
    expected = model
    if name == "spring_mass":
        expected = model.copy()
        del expected.springs["between"]
    witness = Witness(path, back)
    for state in states(back):
        got = witness.mechanics(state)
        agree(mechanics(expected, state), {word: got[word] for word in ("mass_matrix", "bias")})


def pinocchio_states(theirs: Any, model: Model, state: MujocoState) -> tuple[Array, Array, Array]:
    """Pinocchio's q and v, and the places of its speeds among ours."""
    ours = dict(zip(model.coordinates, state.q, strict=True))
    speeds = dict(zip(model.speeds, state.u, strict=True))
    q, v, places = np.zeros(theirs.nq), np.zeros(theirs.nv), np.zeros(theirs.nv, dtype=int)
    for index in range(1, theirs.njoints):
        name, joint = theirs.names[index], theirs.joints[index]
        words, rates = (name,), (name,)
        if joint.nv == 6:
            words = tuple(f"{name}_{word}" for word in ("x", "y", "z", "qx", "qy", "qz", "qw"))
            rates = tuple(f"{name}_{word}" for word in ("vx", "vy", "vz", "wx", "wy", "wz"))
        values = [ours[word] for word in words]
        if joint.nq == 2:
            values = [np.cos(values[0]), np.sin(values[0])]
        q[joint.idx_q : joint.idx_q + joint.nq] = values
        v[joint.idx_v : joint.idx_v + joint.nv] = [speeds[word] for word in rates]
        places[joint.idx_v : joint.idx_v + joint.nv] = [model.speeds.index(word) for word in rates]
    return q, v, places


@pytest.mark.parametrize("name", [*RIGID, "2", "4", "10"])
def test_pinocchio_reads_the_same_mechanics(name: str, tmp_path: Path) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")
    model, path = bare(loaded(name)), tmp_path / "a.urdf"
    if {"spherical"} & {joint.kind for joint in model.joints.values()}:
        with pytest.raises(ModelError, match=r"URDF has no such joint: 'j\d' \(spherical\)"):
            write(model, path)
        return
    write(model, path)
    for name, joint in model.joints.items():  # which Pinocchio leaves to the user
        still = (0,) * len(joint.speeds)
        model.joints[name] = replace(joint, damping=still, friction=still)
    model.gravity = (0, 0, -9.81)
    theirs = pin.buildModelFromUrdf(str(path))
    data = theirs.createData()
    for state in states(model):
        q, v, places = pinocchio_states(theirs, model, state)
        mass = np.triu(pin.crba(theirs, data, q))
        mass = mass + np.triu(mass, 1).T
        bias = pin.nonLinearEffects(theirs, data, q, v)
        expected = mechanics(model, state)
        back = np.argsort(places)
        agree(expected, {"mass_matrix": mass[np.ix_(back, back)], "bias": bias[back]})


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGID)
@pytest.mark.parametrize("suffix", [".urdf", ".sdf"])
def test_drake_reads_the_same_mechanics(name: str, suffix: str, tmp_path: Path) -> None:
    """With libsdformat, whose rules the file obeys; of a free base its parser alone."""
    drake = pytest.importorskip("pydrake.all", reason="Drake (package drake) is not installed")
    model, path = bare(example(name)), tmp_path / f"a{suffix}"
    write(model, path)
    plant = drake.MultibodyPlant(0.0)
    if model.cuts() and suffix == ".urdf":
        with pytest.raises(RuntimeError, match="loop joints are not supported"):
            drake.Parser(plant).AddModels(str(path))
        return
    drake.Parser(plant).AddModels(str(path))
    plant.Finalize()
    assert plant.num_velocities() == len(model.speeds)
    if any(len(joint.speeds) > 1 for joint in model.joints.values()) or suffix == ".urdf":
        return
    for joint in model.joints.values():
        model.joints[joint.name] = replace(joint, damping=(0,) * len(joint.speeds))
    context = plant.CreateDefaultContext()
    places = [plant.GetJointByName(speed).velocity_start() for speed in model.speeds]
    order = np.argsort(places)
    for state in states(model):
        plant.SetPositionsAndVelocities(context, np.concatenate([state.q[order], state.u[order]]))
        mass = plant.CalcMassMatrixViaInverseDynamics(context)[np.ix_(places, places)]
        bias = plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context)
        agree(mechanics(model, state), {"mass_matrix": mass, "bias": bias[places]})


def test_forces_on_a_tendon_are_cut_off_together(tmp_path: Path) -> None:
    """Two motors on a tendon of a range, and the force of a site in the axes of the world."""
    path = tmp_path / "a.xml"
    path.write_text("""<mujoco><worldbody><site name="here"/><site name="axes" quat=".9 .1 .2 .3"/>
      <body name="b" pos="0 0 1"><joint name="x" type="slide" axis="1 0 0"/>
      <joint name="y" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/><site name="there" pos=".1 0 .2"/>
      </body></worldbody><tendon><spatial name="t" actuatorfrcrange="-3 2"><site site="here"/>
      <site site="there"/></spatial></tendon><actuator><motor name="a" tendon="t" gear="20"/>
      <motor name="c" tendon="t" gear="20"/><motor name="s" site="there" refsite="axes"
      gear="1 2 3 .1 .2 .3"/></actuator></mujoco>""")
    model = read(path)
    assert "t_actuators" in model.cables
    witness = Witness(path, model)
    for state in states(model):
        control = replace(state, control=10 * state.control)
        got = witness.mechanics(control)
        agree(mechanics(model, control), {word: got[word] for word in ("mass_matrix", "bias")})


def test_a_joint_on_a_massless_base_is_one_on_the_world_of_sdf(tmp_path: Path) -> None:
    model = Model("arm")
    model.body("base")
    model.body("mast")
    model.body("rod", mass=1, com=(0.2, 0, 0), inertia=(0.1, 0.2, 0.3))
    model.joint("root", "fixed", parent="world", child="base", placement=(0, 0, 0.5))
    model.joint("top", "fixed", parent="base", child="mast", placement=(0.1, 0, 0))
    model.joint("hinge", "revolute", parent="mast", child="rod", axis=(0, 1, 0))
    assert write(model, tmp_path / "arm.sdf") == ()
    assert "<parent>world</parent>" in (tmp_path / "arm.sdf").read_text()
    back = read(tmp_path / "arm.sdf")
    for state in states(model):
        agree(mechanics(model, state), mechanics(back, state))


TOUCHING = """<robot name="crawler">
  <link name="hull"><inertial><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.1" rpy="0 0.3 0"/><geometry><box size="0.4 0.2 0.1"/></geometry>
    </collision></link>
  <link name="paw"><inertial><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.1 0 -0.1"/><geometry><sphere radius="0.04"/></geometry></collision>
    <collision><geometry><cylinder radius="0.03" length="0.2"/></geometry></collision></link>
  <joint name="knee" type="continuous"><parent link="hull"/><child link="paw"/>
    <origin xyz="0.2 0 0"/><axis xyz="0 1 0"/></joint>
  <gazebo reference="paw"><mu1 value="0.7"/></gazebo>
</robot>"""


def touching(path: Path) -> set[tuple[Any, ...]]:
    """Collision shapes by the link that moves them: sizes and pose in its frame."""
    found = set()
    for collision in read(path, base="floating", collisions=True).collisions:
        sizes = np.ravel([v for k, v in collision.shape.items() if k not in ("kind", "points")])
        pose = np.ravel([collision.placement.xyz, *collision.placement.matrix]).astype(float)
        numbers = tuple(np.round(np.concatenate([sizes, pose]).astype(float), 9) + 0.0)
        found.add((collision.link, collision.shape["kind"], collision.friction, numbers))
    return found


@pytest.mark.parametrize("suffix", [".urdf", ".sdf", ".xml"])
def test_collision_shapes_come_back(suffix: str, tmp_path: Path) -> None:
    source, path = tmp_path / "crawler.urdf", tmp_path / f"again{suffix}"
    source.write_text(TOUCHING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        left_out = eomc.convert(source, path, base="floating")
    assert not any("collision" in sentence for sentence in left_out)
    expected = touching(source)
    assert len(expected) == 3
    if suffix == ".xml":  # where MuJoCo's coefficient stands if the file has none
        expected = {(link, kind, 1.0 if mu is None else mu, n) for link, kind, mu, n in expected}
    assert touching(path) == expected


def test_a_collision_without_words_is_listed(tmp_path: Path) -> None:
    source = tmp_path / "crawler.urdf"
    source.write_text(TOUCHING)
    model = read(source, base="floating", collisions=True)
    model.collisions = tuple(
        replace(c, shape={"kind": "plane"}) if c.name == "hull_1" else c for c in model.collisions
    )
    with pytest.warns(UserWarning, match="collision 'hull_1' is left out: URDF has no element"):
        eomc.convert(model, tmp_path / "again.urdf")


def test_openusd_has_colliders_with_friction(tmp_path: Path) -> None:
    pxr = pytest.importorskip("pxr.Usd", reason="OpenUSD (package usd-core) is not installed")
    from pxr import UsdPhysics, UsdShade

    source, path = tmp_path / "crawler.urdf", tmp_path / "crawler.usda"
    source.write_text(TOUCHING)
    assert eomc.convert(source, path, base="floating") == ()
    stage = pxr.Stage.Open(str(path))
    colliders = [p for p in stage.Traverse() if p.HasAPI(UsdPhysics.CollisionAPI)]
    found = {}
    for prim in colliders:
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")
        rubs = UsdPhysics.MaterialAPI(material).GetDynamicFrictionAttr().Get() if material else None
        found[prim.GetTypeName()] = rubs
    expected = {"Cube": None, "Sphere": 0.7, "Cylinder": 0.7}
    assert {k: v and round(v, 6) for k, v in found.items()} == expected
