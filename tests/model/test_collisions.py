"""Collision shapes of robot files as contacts, on request: the same from URDF, MJCF and SDF."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.cli.errors import CommandError
from eomc.cli.model_options import ModelOptions
from eomc.derive.formats import parse_toml, toml_text
from eomc.derive.model import Model
from eomc.meshes.convex_hull import convex_hull

for package in ("yourdfpy", "mujoco", "trimesh"):
    pytest.importorskip(package)

INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'


def urdf(collisions: str, more: str = "") -> str:
    inertial = f'<inertial><mass value="2"/>{INERTIA}</inertial>'
    foot = '<collision><geometry><sphere radius="0.02"/></geometry></collision>'
    return f"""<robot name="walker">
      <link name="trunk">{inertial}{collisions}</link>
      <link name="foot">{inertial}{foot}</link>
      <joint name="leg" type="prismatic"><parent link="trunk"/><child link="foot"/>
        <origin xyz="0 0 -0.5"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>{more}
    </robot>"""


SHAPES = """
  <collision><origin xyz="0.1 0 0" rpy="0 1.5707963267948966 0"/>
    <geometry><box size="0.2 0.4 0.6"/></geometry></collision>
  <collision><geometry><cylinder radius="0.1" length="0.4"/></geometry></collision>"""
MJCF = """<mujoco model="walker"><compiler angle="radian"/><worldbody>{ground}
  <body name="trunk"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
    <geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0" euler="0 1.5707963267948966 0"/>
    <geom type="cylinder" size="0.1 0.2"/>
    <geom type="sphere" size="1" contype="0" conaffinity="0"/>
    <body name="foot" pos="0 0 -0.5"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
      <joint name="leg" type="slide" axis="0 0 1"/>
      <geom type="sphere" size="0.02" condim="{condim}" friction="0.7 0 0"/>
    </body></body></worldbody></mujoco>"""
SDF = """<sdf version="1.9"><model name="walker">
  <link name="trunk"><inertial><mass>2</mass></inertial>
    <collision name="a"><pose>0.1 0 0 0 1.5707963267948966 0</pose>
      <geometry><box><size>0.2 0.4 0.6</size></box></geometry></collision>
    <collision name="b"><geometry><cylinder><radius>0.1</radius><length>0.4</length></cylinder>
      </geometry></collision></link>
  <link name="foot"><pose relative_to="leg"/><inertial><mass>2</mass></inertial>
    <collision name="c"><geometry><sphere><radius>0.02</radius></sphere></geometry>
      <surface><friction><ode><mu>0.7</mu></ode></friction></surface></collision></link>
  <joint name="leg" type="prismatic"><pose relative_to="trunk">0 0 -0.5 0 0 0</pose>
    <parent>trunk</parent><child>foot</child><axis><xyz>0 0 1</xyz></axis></joint>
  </model></sdf>"""
GAZEBO = '<gazebo reference="foot"><mu1>0.7</mu1></gazebo>'


def read(folder: Path, name: str, text: str, contacts: Any, **more: Any) -> Model:
    path = folder / name
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return eomc.load(path, base="floating", contacts=contacts, **more)


def told(model: Model) -> dict[str, tuple[Any, ...]]:
    """Shapes in numbers, and the coefficient of friction."""
    found = {}
    for name, contact in model.contacts.items():
        shape = contact.shape
        sizes = [getattr(shape, word, ()) for word in ("radius", "half_length", "half_sizes")]
        axes = [getattr(shape, word, ()) for word in ("axis", "first")]
        numbers = np.round(np.array([float(x) for a in axes for x in a]), 9).tolist()
        mu = None if contact.friction is None else float(contact.friction.kinetic)
        place = (shape.at.body, *map(float, shape.at.xyz))
        found[name] = (shape.word, str(sizes), numbers, place, mu)
    return found


def test_three_formats_of_one_robot_give_the_same_contacts(tmp_path: Path) -> None:
    models = [
        read(tmp_path, "a.urdf", urdf(SHAPES, GAZEBO), "ground"),
        read(tmp_path, "a.xml", MJCF.format(ground="", condim=3), "ground"),
        read(tmp_path, "a.sdf", SDF, "ground"),
    ]
    first, *others = map(told, models)
    assert list(first) == ["trunk_1", "trunk_2", "foot_1"]
    box = first["trunk_1"]
    assert box[2] == [1, 0, 0, 0, 0, -1] and box[3] == ("trunk", 0.1, 0, 0)
    assert first["foot_1"][4] == 0.7 and first["trunk_2"][4] == 1.0
    assert models[0].contacts["foot_1"].normal.word == "rigid"
    assert others == [first, first]
    for model in models:
        assert model.contacts["trunk_1"].surface.at.body == "world"


def test_contacts_are_made_on_request_alone(tmp_path: Path) -> None:
    assert read(tmp_path, "a.urdf", urdf(SHAPES), None).contacts == {}
    path = tmp_path / "a.xml"
    path.write_text(MJCF.format(ground="", condim=3))
    with pytest.warns(UserWarning, match="geoms is left out: ask for it by contacts="):
        assert eomc.load(path, base="floating").contacts == {}


def test_pairs_by_name(tmp_path: Path) -> None:
    spring = {"kind": "spring", "stiffness": 1e4}
    text = urdf(SHAPES)
    model = read(
        tmp_path, "a.urdf", text, ["f*:ground", "trunk_2:ground"], contact_laws={"normal": spring}
    )
    assert list(model.contacts) == ["foot_1", "trunk_2"]
    assert model.contacts["foot_1"].normal.word == "spring"
    assert model.contacts["foot_1"].friction.word == "coulomb"
    twice = read(tmp_path, "a.urdf", text, ["foot:ground", "foot_1:ground"])
    assert list(twice.contacts) == ["foot_1"]


def test_ground_of_the_file(tmp_path: Path) -> None:
    """A plane of the world stands for z = 0; the larger coefficient counts, none of condim 1."""
    plane = '<geom type="plane" size="1 1 1" pos="0 0 -2" friction="0.9 0 0" euler="0.3 0 0"/>'
    model = read(tmp_path, "a.xml", MJCF.format(ground=plane, condim=3), "foot:ground")
    contact = model.contacts["foot_1"]
    assert contact.friction.kinetic == 0.9
    assert np.allclose([float(x) for x in contact.surface.normal], [0, -np.sin(0.3), np.cos(0.3)])
    assert contact.surface.at.xyz == (0, 0, -2)
    smooth = plane.replace('friction="0.9 0 0"', 'condim="1"')
    made = read(tmp_path, "b.xml", MJCF.format(ground=smooth, condim=1), "foot:ground")
    assert made.contacts["foot_1"].friction is None


def test_links_of_the_world_do_not_meet_the_ground(tmp_path: Path) -> None:
    (tmp_path / "a.urdf").write_text(urdf(SHAPES))
    model = eomc.load(tmp_path / "a.urdf", contacts="ground")
    assert list(model.contacts) == ["foot_1"]


def test_mesh_is_its_hull(tmp_path: Path) -> None:
    """A ball with a dent, of 642 points: 64 vertices, as far outside as is told."""
    import trimesh

    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.1)
    points = np.vstack([ball.vertices, [[0.0, 0, 0.02]]])
    vertices, error = convex_hull(points)
    assert len(vertices) == 64 and 0 < error < 0.01
    planes = trimesh.convex.convex_hull(vertices)
    outside = trimesh.proximity.signed_distance(planes, ball.vertices)
    assert -outside.min() == pytest.approx(error, rel=1e-9)
    ball.export(tmp_path / "ball.stl")
    text = urdf(
        '<collision><origin xyz="0 0 1"/><geometry><mesh filename="ball.stl" scale="1 1 2"/>'
        "</geometry></collision>"
    )
    (tmp_path / "a.urdf").write_text(text)
    with pytest.warns(UserWarning, match="hull is taken with 64 vertices.*'trunk_1'"):
        model = eomc.load(tmp_path / "a.urdf", base="floating", contacts="trunk:ground")
    shape = model.contacts["trunk_1"].shape
    found = np.array(shape.vertices, dtype=float)
    assert parse_toml(toml_text(model)) == model
    assert shape.at.xyz == (0, 0, 1) and np.abs(found[:, 2]).max() == pytest.approx(0.2, rel=0.02)


@pytest.mark.parametrize(
    ("contacts", "laws", "message"),
    [
        ("fot:ground", {}, r"no collision shape 'fot'; did you mean 'foot'"),
        ("all", {}, 'give "ground" or "ONE:OTHER"'),
        ("ground", {"law": 1}, "contact_laws: unknown 'law'"),
        (None, {"normal": 1}, "contact_laws: of contacts; say which"),
        ("trunk_1:foot", {"normal": {}}, "normal: needs kind"),
        ("trunk:trunk", {}, "'trunk:trunk' names no shapes of two links"),
        ("ground:ground", {}, "'ground:ground' names no shapes of two links"),
        (3, {}, 'give "ground" or "ONE:OTHER", not 3'),
        ("ground", "rigid", "contact_laws: give a mapping"),
    ],
)
def test_bad_requests(tmp_path: Path, contacts: Any, laws: Any, message: str) -> None:
    with pytest.raises(eomc.ModelError, match=message):
        read(tmp_path, "a.urdf", urdf(SHAPES), contacts, contact_laws=laws)


def test_bad_geometry(tmp_path: Path) -> None:
    (tmp_path / "a.urdf").write_text(urdf(SHAPES.replace('radius="0.1"', 'radius="0"')))
    with pytest.warns(UserWarning, match=r"a.urdf:\d+: link 'trunk': a collision is left out"):
        eomc.load(tmp_path / "a.urdf", base="floating", contacts="ground")
    mesh = '<collision><geometry><mesh filename="no.stl"/></geometry></collision>'
    with pytest.raises(eomc.ModelError, match=r"a.urdf:\d+: collision 'trunk_1': mesh 'no.stl'"):
        read(tmp_path, "a.urdf", urdf(mesh), "ground")
    toml = tmp_path / "a.toml"
    toml.write_text('name = "empty"')
    with pytest.raises(eomc.ModelError, match="TOML files have no collision shapes"):
        eomc.load(toml, contacts="ground")


def test_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "a.urdf"
    path.write_text(urdf(SHAPES))
    laws = 'normal = {kind = "rigid", restitution = 0.2}; friction = {kind = "dry", kinetic = 0.5}'
    options = ModelOptions(str(path), contacts=["trunk_1:ground"], contact_laws=laws)
    options = replace(options, base="floating")
    (contact,) = options.load().contacts.values()
    assert (contact.normal.restitution, contact.friction.kinetic) == (0.2, 0.5)
    with pytest.raises(CommandError, match="--contact-laws: "):
        replace(options, contact_laws="normal = ").load()
