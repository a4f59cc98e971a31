"""URDF import: what becomes of each element, lines of errors, hostile documents."""

from __future__ import annotations

import builtins
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ending import ending
from scipy.spatial.transform import Rotation

from eomc.derive.formats import load, parse_toml, parse_urdf, toml_text
from eomc.derive.model import Mimic, Model, ModelError

pytest.importorskip("yourdfpy", reason="reading URDF needs yourdfpy")

ARM = """\
<?xml version="1.0"?>
<!-- two links and a gripper -->
<robot name="arm">
  <material name="grey"><color rgba="1 1 1 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.5" rpy="1.57079632679 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.01" ixz="0.02" iyz="0.03"/>
    </inertial>
    <visual><geometry><mesh filename="package://no/such/mesh.dae"/></geometry></visual>
  </link>
  <link name="left finger">
    <inertial><mass value="0.1"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="right finger">
    <inertial><mass value="0.1"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="camera"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1" rpy="0 -1.57079632679 3.14159265359"/>
    <axis xyz="0 0 2"/>
    <limit lower="-1" upper="2" effort="87" velocity="2.5"/>
    <dynamics damping="0.5" friction="0.25"/>
  </joint>
  <joint name="left" type="prismatic">
    <parent link="upper"/><child link="left finger"/>
    <axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.2"/>
  </joint>
  <joint name="right" type="prismatic">
    <parent link="upper"/><child link="right finger"/>
    <axis xyz="0 -1 0"/>
    <mimic joint="left" multiplier="1.5" offset="0.01"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.2"/>
  </joint>
  <joint name="mount" type="fixed">
    <parent link="upper"/><child link="camera"/><origin xyz="0 0 1" rpy="0 0 0.3"/>
  </joint>
  <transmission name="t"><type>x</type></transmission>
</robot>
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "arm.urdf"
    file.write_text(ARM)
    return file


def test_elements(path: Path) -> None:
    model = load(path)
    assert model.name == "arm"
    assert list(model.bodies) == ["base", "upper", "left finger", "right finger", "camera"]
    assert model.coordinates == ("shoulder", "left")
    joint = model.joints["shoulder"]
    assert (joint.parent, joint.child, joint.kind, joint.axis) == (
        "base",
        "upper",
        "revolute",
        (0, 0, 1),
    )
    assert (joint.lower, joint.upper, joint.velocity_limit, joint.effort_limit) == (
        (-1,),
        (2,),
        (2.5,),
        (87,),
    )
    assert (joint.damping, joint.friction) == ((0.5,), (0.25,))
    assert model.joints["right"].mimic == Mimic("left", 1.5, 0.01)
    assert model.joints["root"].kind == "fixed" and model.joints["root"].child == "base"
    assert model.bodies["base"].is_massless
    assert str(model.bodies["upper"].source) == f"{path}:6"
    assert str(model.joints["left"].source) == f"{path}:30"
    assert parse_toml(toml_text(model)) == model


def test_quarter_turns_are_snapped(path: Path) -> None:
    matrix = load(path).joints["shoulder"].placement.matrix
    assert matrix == ((0, 0, 1), (0, -1, 0), (1, 0, 0))
    assert all(isinstance(entry, int) for row in matrix for entry in row)
    raw = load(path, snap=0).joints["shoulder"].placement.matrix
    expected = Rotation.from_euler("xyz", [0, -1.57079632679, 3.14159265359]).as_matrix()
    assert not all(isinstance(entry, int) for row in raw for entry in row)
    assert np.allclose(np.array(raw, dtype=float), expected, rtol=0, atol=1e-15)
    with pytest.raises(ModelError, match="snap is 1"):
        load(path, snap=1)


def test_inertial_frame_is_turned_into_the_link(path: Path) -> None:
    body = load(path).bodies["upper"]
    assert (body.mass, body.com) == (2.0, (0, 0, 0.5))
    # a quarter turn about x: y -> z, z -> -y
    assert body.inertia == pytest.approx((0.1, 0.25, 0.2, -0.02, 0.01, -0.03))


def test_merged_links_are_frames(path: Path) -> None:
    reduced = load(path).reduced()
    assert list(reduced.bodies) == ["upper", "left finger", "right finger"]
    assert reduced.frame_of("camera").body == "upper"
    assert reduced.frame_of("base").body == "world"


def test_floating_base(path: Path) -> None:
    with pytest.warns(UserWarning, match="coordinate 'root_wx' carries no inertia"):
        load(path, base="floating")  # the shoulder turns what the massless base would turn
    inertial = ARM[ARM.index("<inertial>") : ARM.index("</inertial>")] + "</inertial>"
    path.write_text(ARM.replace('<link name="base"/>', f'<link name="base">{inertial}</link>'))
    model = load(path, base="floating")
    assert model.coordinates[:7] == tuple(
        f"root_{s}" for s in ("x", "y", "z", "qw", "qx", "qy", "qz")
    )
    assert model.coordinates[7:] == ("shoulder", "left")


def test_options(path: Path) -> None:
    assert load(path, mimic=False).coordinates == ("shoulder", "left", "right")
    assert load(path, damping=False).joints["shoulder"].damping == (0,)
    assert load(path, damping=False).joints["shoulder"].friction == (0.25,)
    assert load(path, friction=False).joints["shoulder"].friction == (0,)
    assert load(path, locked=["shoulder"]).coordinates == ("left",)
    locked = load(path, locked={"left": 0.02})
    assert locked.coordinates == ("shoulder",)
    assert locked.joints["right"].locked == (pytest.approx(0.04),)
    assert load(path, locked={"left": 0.02}, mimic=False).coordinates == ("shoulder", "right")


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"locked": ["shouler"]}, "unknown joint 'shouler'; did you mean 'shoulder'?"),
        ({"locked": [3]}, "unknown joint '3'"),
        ({"locked": 3}, "give names of joints"),
        ({"locked": {"left": "x"}}, "locked: unknown name 'x'"),
        ({"locked": {"left": math.nan}}, "not finite"),
        ({"locked": {"left": (1, 2)}}, "has 2 entries, needs 1"),
        ({"locked": ["mount"]}, "no coordinate to lock"),
        ({"base": "flying"}, "valid: 'fixed', 'floating'"),
        ({"mimic": "no"}, "True or False"),
        ({"inertia": "hm"}, "valid: 'error', 'warn', 'ignore'"),
    ],
)
def test_options_that_do_not_apply(path: Path, options: dict[str, Any], part: str) -> None:
    with pytest.raises(ModelError) as caught:
        load(path, **options)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '<mass value="2"/>',
            '<mass value="two"/>',
            ":9: link 'upper': mass value is 'two', no number",
        ),
        ('<mass value="2"/>', '<mass value="-2"/>', ":6: body 'upper': mass is -2"),
        (
            '<mass value="2"/>',
            '<mass value="nan"/>',
            ":9: link 'upper': mass value is 'nan', no number",
        ),
        ('<mass value="2"/>', "<mass/>", ":9: link 'upper': <mass> has no value"),
        ('<mass value="2"/>', "", ":7: link 'upper': <inertial> has no <mass>"),
        ('ixx="0.1" ', "", ":10: link 'upper': <inertia> has no ixx"),
        ('xyz="0 0 0.5"', 'xyz="0 0"', ":8: link 'upper': origin xyz has 2 numbers, needs 3"),
        ('xyz="0 0 2"', 'xyz="0 0 0"', ":23: joint 'shoulder': axis has zero length"),
        (
            'type="revolute"',
            'type="ball"',
            ":23: joint 'shoulder': type is 'ball'; valid: revolute",
        ),
        ('type="revolute"', "", ":23: joint 'shoulder': type is 'None'"),
        ('<parent link="base"/>', "", ":23: joint 'shoulder': names no parent link"),
        (
            '<parent link="base"/>',
            '<parent link="bass"/>',
            "unknown parent body 'bass'; did you mean 'base'",
        ),
        (
            '<mimic joint="left"',
            '<mimic joint="lift"',
            ":35: joint 'right': mimics unknown joint 'lift'",
        ),
        ('<mimic joint="left"', "<mimic ", "<mimic> names no joint"),
        ('lower="-1"', 'lower="3"', "joint 'shoulder': lower limit 3.0 is above upper limit 2.0"),
        (
            '<link name="camera"/>',
            '<link name="upper"/>',
            "link 'upper': there are two of this name (first at",
        ),
        ('<link name="camera"/>', "<link/>", ":22: a link has no name"),
        ('<link name="camera"/>', "", "unknown child body 'camera'"),
        (
            '<link name="camera"/>',
            '<link name="camera"/><link name="lost"/>',
            "bodies 'base', 'lost' have no",
        ),
        ("</robot>", "", "no valid XML"),
        ('<robot name="arm">', "<robot>", ""),
        ('<robot name="arm">', '<robot name="arm" xmlns:xacro="http://x">', ""),
    ],
)
def test_errors_name_file_line_element(path: Path, old: str, new: str, message: str) -> None:
    assert old in ARM
    path.write_text(ARM.replace(old, new, 1))
    if not message:
        assert load(path).coordinates == ("shoulder", "left")
        return
    with pytest.raises(ModelError) as caught:
        load(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_documents_with_entities_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    bomb = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    for doctype in (
        f'<!DOCTYPE robot [<!ENTITY x SYSTEM "file://{secret}">]>',
        f'<!DOCTYPE robot [<!ENTITY a0 "ha">{bomb}]>',
        f'<!DOCTYPE robot SYSTEM "file://{secret}">',
    ):
        file = tmp_path / "evil.urdf"
        file.write_text(f'{doctype}<robot name="&x;&a11;"><link name="a"/></robot>')
        with ending(), pytest.raises(ModelError) as caught:
            load(file)
        assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no valid XML"),
        ("<robot/>", "no link"),
        ("<robot name='a'><link name='world'/></robot>", None),
        ("<sdf/>", "the root element is <sdf>, not <robot>"),
        ("<a>" * 5000, "no valid XML"),
        ("<robot>" + "<a>" * 5000 + "</a>" * 5000 + "</robot>", "no valid XML"),
    ],
)
def test_odd_documents(text: str, part: str | None) -> None:
    if part is None:
        assert parse_urdf(text.encode()).bodies == {}
        return
    with pytest.raises(ModelError, match=part):
        parse_urdf(text.encode())


def test_planar_and_floating_joints(tmp_path: Path) -> None:
    file = tmp_path / "m.urdf"
    moments = 'ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"'
    inertial = f'<inertial><mass value="1"/><inertia {moments}/></inertial>'
    file.write_text(
        f"""<robot name="m">
        <link name="world"/><link name="a">{inertial}</link><link name="b">{inertial}</link>
        <joint name="p" type="planar">
          <parent link="world"/><child link="a"/><axis xyz="0 1 0"/>
        </joint>
        <joint name="f" type="floating"><parent link="a"/><child link="b"/></joint></robot>"""
    )
    model = load(file)
    assert model.joints["p"].parent == "world" and model.joints["p"].axis == (0, 1, 0)
    assert model.speeds[:3] == ("p_x", "p_y", "p_theta")
    assert len(model.coordinates) == 3 + 7 and len(model.speeds) == 3 + 6
    with pytest.raises(ModelError, match="from the world there leads 'p' \\(planar\\)"):
        load(file, base="floating")


def test_missing_reader_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def without(name: str, *arguments: Any, **keywords: Any) -> Any:
        if name == "yourdfpy":
            raise ImportError("no", name=name)
        return original(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(
        ModelError, match=r"needs the package yourdfpy; install it with pip install"
    ):
        load(path)


def test_base_of_other_models() -> None:
    model = Model("m")
    model.body("hull", mass=1, inertia=(1, 1, 1))
    from eomc.derive.model.options import with_base

    floating = with_base(model, "floating")
    assert floating.joints["root"].kind == "floating"
    assert with_base(floating, "fixed").joints["root"].kind == "fixed"
    assert with_base(with_base(floating, "fixed"), "floating") == floating
    assert with_base(floating, "floating") == floating
    assert model.joints == {}


def test_snapped_rotations_are_rotations(tmp_path: Path) -> None:
    """Of turns of which only some small entries are within the snap."""
    file = tmp_path / "arm.urdf"
    file.write_text(ARM.replace("0 -1.57079632679 3.14159265359", "1.57079632679 0.3 1.5708"))
    matrix = np.array(load(file).joints["shoulder"].placement.matrix, dtype=float)
    assert np.abs(matrix @ matrix.T - np.eye(3)).max() < 1e-15


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<mass value="1"/>', '<mass value="${m}"/>'),
        ('<link name="base"/>', '<xacro:link name="base"/>'),
        ('<link name="base"/>', '<xacro:macro name="leg"/><link name="base"/>'),
        ('<child link="tip"/>', '<child link="$(arg side)_tip"/>'),
    ],
)
def test_xacro_is_told_by_its_name(old: str, new: str) -> None:
    plain = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
<link name="base"/>
<link name="tip"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="$(find arm)/tip.stl"/></geometry></visual></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="tip"/></joint>
</robot>"""
    assert old in plain
    parse_urdf(plain.encode())
    with pytest.raises(ModelError, match=r"arm.urdf:\d: the file is xacro.*expand it first"):
        parse_urdf(plain.replace(old, new).encode(), "arm.urdf")
