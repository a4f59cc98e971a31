"""What decides on reading a robot's file: its mechanics, by the rules of its own format."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation

import eomc
from eomc import Model, ModelError
from eomc.derive.formats import load, parse_urdf
from eomc.derive.formats.mjcf.read import parse_mjcf
from eomc.derive.formats.sdf.read import parse_sdf
from eomc.derive.model.options import with_base
from eomc_published.formats import files

pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")
pytest.importorskip("yourdfpy", reason="reading URDF needs yourdfpy")

MASS = '<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>'  # noqa: E501
ARM = f"""<robot name="arm">
<link name="base"/><link name="top"/><link name="a">{MASS}</link>
<joint name="f" type="fixed"><parent link="base"/><child link="top"/></joint>
<joint name="j" type="continuous"><parent link="top"/><child link="a"/><axis xyz="0 1 0"/></joint>
</robot>"""
DOOR = """<sdf version="1.9"><model name="m"><frame name="up"><pose>0 0 1 0 0 0</pose></frame>
<link name="a"><inertial><pose>0 0 0 0 0 0</pose><mass>2</mass><inertia><ixx>.1</ixx><iyy>.2</iyy>
<izz>.25</izz></inertia></inertial></link>
<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis>
</joint></model></sdf>"""


def told(read: Callable[[], Model]) -> tuple[Model, str]:
    """The model, and what warnings say."""
    with warnings.catch_warnings(record=True) as entries:
        warnings.simplefilter("always")
        model = read()
    return model, "\n".join(str(entry.message) for entry in entries)


def urdf(text: str) -> tuple[Model, str]:
    return told(lambda: with_base(parse_urdf(text.encode(), "a.urdf"), "fixed"))


def sdf(text: str) -> tuple[Model, str]:
    return told(lambda: parse_sdf(text.encode(), "a.sdf"))


def mjcf(text: str) -> tuple[Model, str]:
    return told(lambda: parse_mjcf(text.encode(), "a.xml"))


def test_copies_are_counted_along_their_nesting() -> None:
    rings = '<replicate count="30" euler="0 0 9"><geom size=".01" pos=".2 0 0"/></replicate>' * 6
    body = '<mujoco><worldbody><body><joint name="j" axis="0 1 0"/>{}</body></worldbody></mujoco>'
    assert len(mjcf(body.format(rings))[0].visuals) == 180
    bomb = '<replicate count="100">' * 4 + '<geom size=".01"/>' + "</replicate>" * 4
    many = '<replicate count="9000"><geom size=".1"/></replicate>' * 40
    for text in (bomb, many, '<replicate count="1_0"><geom size=".1"/></replicate>'):
        with pytest.raises(ModelError, match=r"a.xml:1: <(replicate|geom)"):
            mjcf(body.format(text))


def test_resources_of_pictures_cannot_stop_a_model() -> None:
    model, _ = mjcf("""<mujoco><default><texture width="9000"/><default class="hills">
      <geom type="hfield" hfield="h" density="100"/></default></default>
      <asset><texture name="none" type="2d" file="none.png"/><texture file="x/wood.png" type="2d"/>
      <texture name="sky" type="cube" fileback="a.png" filefront="b.png"/>
      <material name="m" texture="none"/><material name="w" texture="wood"/>
      <material name="l"><layer texture="none" role="rgb"/></material>
      <hfield name="h" nrow="9999" ncol="9999" size="1 1 .2 .1"/></asset>
      <worldbody><geom class="hills"/><light type="image" texture="sky"/>
      <body><joint name="j"/><geom size=".1" material="w"/></body></worldbody></mujoco>""")
    assert model.coordinates == ("j",)


def test_loops_close_where_the_file_draws_them(tmp_path: Path) -> None:
    """Neutral coordinates are those of the file, unless `ref` or a free joint says otherwise."""
    text = """<mujoco><compiler angle="radian"/><worldbody><body name="a"><geom size=".05"/></body>
      <body name="b" pos="1 2 3" quat="0.5 0.5 -0.5 0.5"><freejoint name="f"/><inertial pos="0 0 0"
        mass="1" diaginertia=".0016667 .0016667 .0016667"/>
        <body name="c"><joint name="x_qw" ref="1" axis="0 1 0"/><geom size=".1"/></body></body>
      </worldbody><equality><connect body1="a" body2="b" anchor="0 0 0"/></equality></mujoco>"""
    model, _ = mjcf(text)
    assert {name: float(guess.value) for name, guess in model.initial_guesses.items()} == {
        "f_x": 1,
        "f_y": 2,
        "f_z": 3,
        "f_qw": 0.5,
        "f_qx": 0.5,
        "f_qy": -0.5,
        "f_qz": 0.5,
        "x_qw": 1,
    }
    start = eomc.assemble(eomc.build(model, flags=("-O0",)))
    assert start.q[:3] == pytest.approx([1, 2, 3], abs=1e-9)
    path = tmp_path / "far.xml"
    path.write_text(text)
    assert list(told(lambda: load(path, locked=["f"]))[0].initial_guesses) == ["x_qw"]


@pytest.mark.parametrize(
    "text",
    [
        ARM.replace("</robot>", "<gazebo><sensor:camera ns:x='1'/></gazebo></robot>"),
        ARM.replace('<link name="top"/>', '<link name="top" sensor:x="1"><drake:y/></link>'),
        "\n\n<?xml version='1.0'?>\n" + ARM,
        ARM.replace("</robot>", "<!-- ---- a -- b ---- --></robot>"),
    ],
)
def test_what_readers_of_robots_take_for_xml(text: str) -> None:
    model, sentences = urdf(text)
    assert model.coordinates == ("j",) and not sentences


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<child link="top"/>', '<child link="top"/><axis xzy="0 0 1"/>'),
        ('<child link="top"/>', '<child link="top"/><axis xyz="0 0 0"/>'),
        ('<child link="top"/>', '<child link="top"/><limit lower="x" upper=""/>'),
        ('<child link="top"/>', '<child link="top"/><dynamics damping="none"/>'),
        ('<child link="top"/>', '<child link="top"/><mimic/>'),
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><limit lower="0" upper="free" effort="3"/>'),
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><safety_controller k_velocity="a"/>'),
    ],
)
def test_what_means_nothing_decides_nothing(old: str, new: str) -> None:
    model, sentences = urdf(ARM.replace(old, new, 1))
    assert model.coordinates == ("j",) and not sentences


@pytest.mark.parametrize(
    "visual",
    [
        '<geometry><box size="1 2"/></geometry>',
        '<geometry><sphere radius="wide"/></geometry>',
        '<origin xyz="0 0"/><geometry><sphere radius="1"/></geometry>',
        '<geometry><mesh filename="a.stl" scale="1 nan 1"/></geometry>',
        '<geometry><sphere radius="1"/></geometry><material><color rgba="red"/></material>',
    ],
)
def test_unreadable_visuals_are_reported(visual: str) -> None:
    text = ARM.replace('<link name="top"/>', f'<link name="top"><visual>{visual}</visual></link>')
    model, sentences = urdf(text)
    assert model.coordinates == ("j",) and not model.visuals
    assert sentences.startswith("a.urdf:2: link 'top': visual") and "not shown" in sentences
    shape = "<visual name='v'><geometry><sphere><radius>wide</radius></sphere></geometry></visual>"
    model, sentences = sdf(DOOR.replace("</inertial>", f"</inertial>{shape}"))
    assert model.coordinates == ("j",) and "not shown" in sentences


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><dynamics dampng="3"/>', "'dampng' in <dyn"),
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><dynamic damping="3"/>', "'dynamic' in <joint"),
        ('<mass value="1"/>', '<mass value="1"/><density value="2"/>', "'density' in <inertial"),
        ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0" frame="top"/>', "'frame' in <axis"),
    ],
)
def test_unused_words_are_reported(old: str, new: str, word: str) -> None:
    model, sentences = urdf(ARM.replace(old, new, 1))
    assert model.coordinates == ("j",)
    assert f"a.urdf:{2 if 'mass' in old else 4}: " in sentences and word in sentences


def test_losses_of_joints_of_several_speeds_are_told() -> None:
    more = '<joint name="p" type="planar"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
    more += f'<dynamics damping="1"/><mimic joint="j"/></joint><link name="b">{MASS}</link>'
    _, sentences = urdf(ARM.replace("</robot>", f"{more}</robot>"))
    assert "damping and friction of joint 'p' is left out" in sentences
    assert "mimic of joint 'p' is left out" in sentences
    with pytest.raises(ModelError, match="origin quat_xyzw is not read; give rpy"):
        urdf(ARM.replace("<axis", '<origin quat_xyzw="0 0 0 1"/><axis'))


@pytest.mark.parametrize(
    "number", ["1_000", "nan", "infinity", "0x1p3", "1e999", "\uff11", "1,5", ""]
)
def test_numbers_are_decimal(number: str) -> None:
    """As std::istream reads them; Python takes most of these."""
    with pytest.raises(ModelError, match=r"a.urdf:\d: .*(no number|not finite|has 0 numbers)"):
        urdf(ARM.replace('<mass value="1"/>', f'<mass value="{number}"/>'))
    with pytest.raises(ModelError, match=r"a.sdf:\d: .*(no number|not finite|has 0 numbers)"):
        sdf(DOOR.replace("<mass>2<", f"<mass>{number}<"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<inertial><pose>", '<inertial><pose relative_to="up">', "relative_to is not read here"),
        ("<frame", '<pose relative_to="up">1 0 0 0 0 0</pose><frame', "relative_to is not read"),
        ("<inertial><pose>", '<inertial><pose degrees="often">', "degrees is 'often'"),
        ("<inertial>", '<inertial auto="perhaps">', "auto is 'perhaps'"),
        ("<izz>", "<izy>0</izy><izz>", "<izy> is not read; did you mean"),
    ],
)
def test_attributes_of_sdf_are_refused(old: str, new: str, message: str) -> None:
    assert old in DOOR
    with pytest.raises(ModelError, match=rf"a.sdf:\d: .*{message}"):
        sdf(DOOR.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<xyz>", '<xyz expresed_in="up">', "'expresed_in' is left out"),
        ("<inertial><pose>", '<inertial><pose frame="up">', "'frame' is left out"),
        ('<link name="a">', '<link name="a" relative_to="up">', "'relative_to' is left out"),
        ("</link>", "<enable_wind>true</enable_wind></link>", "the wind is left out"),
    ],
)
def test_attributes_of_sdf_are_told(old: str, new: str, message: str) -> None:
    assert old in DOOR
    _, sentences = sdf(DOOR.replace(old, new, 1))
    assert message in sentences and "a.sdf:" in sentences


def test_visuals_of_sdf_relative_to_frames() -> None:
    shape = '<visual name="v"><pose relative_to="up">0.1 0 0 0 0 0</pose><geometry><sphere/></geometry></visual>'  # noqa: E501
    model, _ = sdf(DOOR.replace("</inertial>", f"</inertial>{shape}"))
    assert model.visuals["a_v"].placement.xyz == (0.1, 0, 1.0)


def test_robots_without_inertia_have_kinematics(tmp_path: Path) -> None:
    path = tmp_path / "bare.urdf"
    path.write_text(ARM.replace(MASS, ""))
    with pytest.warns(UserWarning, match="coordinate 'j' carries no inertia.*rest is built"):
        model = load(path)
    built = eomc.build(model, frames=["a"], flags=("-O0",))
    assert built.frame("a").pose([0.3])[:3, :3] == pytest.approx(
        Rotation.from_rotvec([0, 0.3, 0]).as_matrix()
    )
    for ask in (
        lambda: eomc.build(model, functions=["forward_dynamics"]),
        lambda: eomc.emit(model, tmp_path / "c", functions=["forward_dynamics_derivatives"]),
        lambda: eomc.simulate(built, t_span=1.0),
        lambda: eomc.equations(model).forward_dynamics.to_sympy(),
    ):
        with pytest.raises(ModelError, match=r"'j' carries no inertia .*functions="):
            ask()


def test_inertias_that_rounding_left_unsymmetric() -> None:
    rng = np.random.default_rng(1)
    a = sympy.Symbol("a")
    for turn in Rotation.random(20, random_state=rng):
        matrix = turn.as_matrix() @ np.diag([0.1, 0.2, 0.25]) @ turn.as_matrix().T
        matrix[0, 1] += 3e-11
        for given in (matrix, matrix.tolist(), sympy.Matrix(matrix)):
            model = Model("m")
            model.body("b", mass=1, inertia=given)
            assert model.bodies["b"].inertia[3] == (matrix[0, 1] + matrix[1, 0]) / 2
    same = [[2, 0.1 * (a + 1) ** 2, 0], [0.1 * a**2 + 0.2 * a + 0.1, 2, 0], [0, 0, 2]]
    Model("m").body("b", mass=1, inertia=same)
    for wrong in ([[1, 1e-8, 0], [0, 1, 0], [0, 0, 1]], [[1, a, 0], [2 * a, 1, 0], [0, 0, 1]]):
        with pytest.raises(ModelError, match="not symmetric at row 1, column 2"):
            Model("m").body("b", mass=1, inertia=wrong)


def test_bases(tmp_path: Path) -> None:
    path = tmp_path / "one.urdf"
    path.write_text(f'<robot name="one"><link name="b">{MASS}</link></robot>')
    model = load(path, base="floating_euler")
    assert model.coordinates == tuple(f"root_{word}" for word in ("x", "y", "z", "a1", "a2", "a3"))
    assert model.joints["root"].sequence == "zyx"  # yaw, pitch, roll
    built = eomc.build(model, functions=["coordinate_rates"], frames=["b"], flags=("-O0",))
    pose = built.frame("b").pose([0.1, 0.2, 0.3, 0.6, 0.5, 0.4])
    rpy = Rotation.from_euler("xyz", [0.4, 0.5, 0.6]).as_matrix()
    assert pose[:3, :3] == pytest.approx(rpy) and pose[:3, 3] == pytest.approx([0.1, 0.2, 0.3])
    path.write_text(
        ARM.replace('name="j"', 'name="root_x"').replace(
            '<link name="base"/>', f'<link name="base">{MASS}</link>'
        )
    )
    for base in ("floating", "floating_euler"):
        assert load(path, base=base).coordinates[0] == "root_joint_x"


def test_a_free_base_by_angles(tmp_path: Path) -> None:
    path = tmp_path / "free.xml"
    path.write_text(files.EVERYTHING)
    model, _ = told(lambda: load(path, base="floating_euler"))
    assert model.joints["root"].kind == "floating_euler"


def test_coordinates_of_a_free_joint_are_no_other_joints() -> None:
    geom = '<geom size=".1"/>'
    model, _ = mjcf(f"""<mujoco><worldbody><body><freejoint name="f"/>{geom}<body>
      <joint name="f_x"/>{geom}</body></body><body><joint type="ball" name="x"/>{geom}<body>
      <joint name="x_"/><joint name="x_wx"/>{geom}</body></body></worldbody></mujoco>""")
    assert len(set(model.coordinates)) == 7 + 1 + 4 + 2
    root = DOOR.replace("<parent>world", "<parent>b").replace("<joint", "<link name='b'/><joint")
    model, _ = sdf(root.replace('name="j"', 'name="root_x"'))
    assert len(set(model.coordinates)) == 7 + 1


def test_limits_that_are_negative_are_told() -> None:
    limit = '<axis xyz="0 1 0"/><limit effort="-1" velocity="-2"/>'
    model, sentences = urdf(ARM.replace('<axis xyz="0 1 0"/>', limit))
    assert model.joints["j"].effort_limit is None
    assert "velocity limit of joint 'j' is left out" in sentences
