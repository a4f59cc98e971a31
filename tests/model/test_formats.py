"""MJCF, SDF, xacro and Denavit-Hartenberg files: what becomes of them, what faults are told."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import sympy
from ending import ending
from hypothesis import given, settings
from hypothesis import strategies as st
from model.damaged import damaged

import eomc
from eomc import Model, ModelError
from eomc.derive.formats import load, register_format, toml_text
from eomc.derive.formats.dh import read_dh
from eomc.derive.formats.format import Format, format_of
from eomc.derive.formats.mjcf.read import parse_mjcf
from eomc.derive.formats.sdf.read import parse_sdf
from eomc.derive.formats.toml import parse_toml
from eomc_published.formats import files
from eomc_published.formats.puma_560 import PUMA_560

pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")
pytest.importorskip("xacro", reason="the package xacro is not installed")

TABLE = """# convention: modified
# name: arm
# degrees: true
# gravity: 0 -9.81 0
name, kind,      a,   alpha, d,   theta, mass, x,    ixx,  iyy,  izz
turn, revolute,  0,   0,     0.1, 0,     1,    0.1,  0.01, 0.01, 0.01
push, prismatic, 0.2, 90,    0,   0,     2,    -0.1, 0.02, 0.02, 0.02
"""


def silently(read: Callable[[], Model]) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return read()


def mjcf(text: str) -> Model:
    return silently(lambda: parse_mjcf(text.encode(), "robot.xml"))


def sdf(text: str) -> Model:
    return silently(lambda: parse_sdf(text.encode(), "arm.sdf"))


def table(text: str, tmp_path: Path) -> Model:
    path = tmp_path / "arm.csv"
    path.write_text(text)
    return load(path)


def test_elements_of_mjcf() -> None:
    model = mjcf(files.EVERYTHING)
    assert model.name == "everything" and model.gravity == (0.5, 0, -9.7)
    assert list(model.bodies) == ["trunk", "leg", "leg_yaw", "foot", "tail"]
    assert model.joints["root"].kind == "floating" and model.joints["ankle"].kind == "spherical"
    yaw = model.joints["yaw"]
    assert (yaw.parent, yaw.child, yaw.rotor_inertia) == ("trunk", "leg_yaw", 0.02)
    assert yaw.lower == pytest.approx((-np.pi / 3,)) and yaw.damping == (0.3,)
    assert model.joint_springs["yaw_spring"].stiffness == 3
    assert set(model.cables) == {"rope", "band", "pull"}
    assert list(model.inputs) == ["x_control", "wag_control", "velocity", "pull", "sum", "jet"]
    assert "mast" in model.frames and len(model.visuals) == 6
    assert str(model.bodies["leg"].source) == "robot.xml:15"
    assert parse_toml(toml_text(model)) == model


def test_equalities_of_mjcf() -> None:
    model = mjcf(
        files.LOOPS.replace(
            "</equality>",
            """
      <weld name="glue" body1="left" body2="right" active="false"/>
      <joint name="geared" joint1="c" joint2="a" polycoef="0 1 0.5"/></equality>""",
        )
    )
    assert list(model.constraints) == ["pin", "geared"]
    welded = mjcf(files.LOOPS.replace("<connect", "<weld").replace(' anchor="1 0 0"', ""))
    assert welded.joints["pin"].cut


def test_equalities_of_mjcf_between_sites_and_tendons() -> None:
    """c turns to reference 0; the tendons are 2 a and 3 c long, so that 2 a = 0.1 + 0.5 (3 c)."""
    there, here = '<site name="there" pos="1 0 0"/>', '<site name="here"/>'
    text = files.LOOPS.replace('<body name="right"', f'{there}<body name="right"')
    text = text.replace("</body>\n  </worldbody>", f"{here}</body></worldbody>")
    model = mjcf(
        text.replace(
            '<connect name="pin" body1="coupler" body2="right" anchor="1 0 0"/>',
            """<weld name="glue" site1="there" site2="here"/>
            <connect name="held" site1="there" site2="here"/>
            <joint name="still" joint1="c" polycoef="0.2 0 0 0 0"/>
            <tendon name="belt" tendon1="first" tendon2="second" polycoef="0.1 0.5 0 0 0"/>""",
        ).replace(
            "<equality>",
            """<tendon>
              <fixed name="first"><joint joint="a" coef="2"/></fixed>
              <fixed name="second"><joint joint="c" coef="3"/></fixed>
            </tendon><equality>""",
        )
    )
    a, c = sympy.symbols("a c")
    assert model.joints["glue"].cut and model.joints["glue"].child == "right"
    assert model.constraints["held"].kind == "coincident"
    still, belt = (model.constraints[name].expression for name in ("still", "belt"))
    assert sympy.simplify(still - (c - 0.2)) == 0
    assert sympy.simplify(belt - (2 * a - 0.1 - 1.5 * c)) == 0


def test_what_is_left_out_is_told() -> None:
    text = files.EVERYTHING.replace(' gravity="0.5 0 -9.7"', ' density="1000"').replace(
        '<motor name="x" joint="yaw" gear="12"/>', '<muscle name="x" joint="yaw"/>'
    )
    with pytest.warns(UserWarning) as told:
        parse_mjcf(text.encode(), "robot.xml")
    words = str(told[0].message)
    assert "robot.xml:47: actuator 'x' is left out: its gain" in words
    assert "contact of 6 geoms" in words and "fluid" in words


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name="wag" axis="0 0.6 0.8"', 'name="wag" axis="0 0 0"', "robot.xml:30: no valid MJCF"),
        ('size="0.2 0.1 0.05"', 'size="0.2 0.1 -1"', "robot.xml:11: no valid MJCF"),
        ('size="0.2 0.1 0.05"', 'size="0.2 big 0.05"', "robot.xml:11: no valid MJCF"),
        ('joint="yaw" gear', 'joint="jaw" gear', "robot.xml:47: no valid MJCF"),
        ("<freejoint", "<freejiont", "robot.xml:10: no valid MJCF: XML Error: Schema violation"),
        ('size="0.2 0.1 0.05"', 'size=""', "robot.xml:11: <geom>: size is empty"),
        ("<worldbody>", '<worldbody><replicate count="1000000"/>', "robot.xml:8: <replicate"),
        ("<worldbody>", "<worldbody><composite/>", "robot.xml:8: <composite> (a body of many"),
        ("<worldbody>", '<include file="none.xml"/><worldbody>', ":8: <include>: none.xml"),
        ("<worldbody>", '<include file="/dev/zero"/><worldbody>', "is no regular file"),
        ("<mujoco", "<robot", "no valid XML"),
        ('mass="0.4"', 'mass="-0.4"', "robot.xml:28: no valid MJCF"),
    ],
)
def test_faults_of_mjcf(old: str, new: str, message: str) -> None:
    assert old in files.EVERYTHING
    with pytest.raises(ModelError) as caught:
        mjcf(files.EVERYTHING.replace(old, new, 1))
    assert message in str(caught.value)


def test_mjcf_of_several_files(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    head, rest = files.LOOPS.split("<equality>")
    (tmp_path / "parts" / "pin.xml").write_text(
        f"<mujocoinclude>\n<equality>{rest[:-10]}</mujocoinclude>"
    )
    path = tmp_path / "loops.xml"
    path.write_text(f'{head}<include file="parts/pin.xml"/></mujoco>')
    model = silently(lambda: load(path))
    assert str(model.constraints["pin"].source).endswith("pin.xml:3")
    path.write_text(path.read_text().replace("parts/pin.xml", "loops.xml"))
    with pytest.raises(ModelError, match="does not include itself"):
        load(path)


def test_elements_of_sdf() -> None:
    model = sdf(files.SDF)
    assert model.name == "arm" and model.gravity == (0, 0.3, -9.81)
    assert model.coordinates == ("shoulder", "elbow")
    assert model.joints["elbow"].parent == "upper" and model.frames["wrist"].body == "upper"
    assert model.bodies["base"].inertia == (1, 1, 1, 0, 0, 0)
    assert str(model.bodies["upper"].source) == "arm.sdf:8"
    weld = '<joint name="weld" type="fixed"><parent>world</parent><child>base</child></joint>'
    assert sdf(files.SDF.replace(weld, "")).joints["root"].kind == "floating"
    static = files.SDF.replace(weld, "<static>true</static>")
    assert sdf(static).joints["root"].kind == "fixed"


def test_visuals_of_sdf() -> None:
    shapes = {
        "crate": "<box><size>0.1 0.2 0.3</size></box>",
        "ball": "<sphere><radius>0.1</radius></sphere>",
        "rod": "<cylinder><radius>0.1</radius><length>0.5</length></cylinder>",
        "pill": "<capsule><radius>0.1</radius><length>0.5</length></capsule>",
        "egg": "<ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid>",
        "shell": "<mesh><uri>model://arm/shell.stl</uri><scale>1 1 2</scale></mesh>",
        "ground": "<plane><normal>0 0 1</normal></plane>",
        "flat": "<box><size>0 1 1</size></box>",
        "song": "<mesh><uri>model://arm/song.wav</uri></mesh>",
    }
    visuals = "".join(
        f'''<visual name="{name}"><pose>0 0 0.1 0 0 0</pose><geometry>{shape}</geometry>
        <material><diffuse>0.2 0.4 1.5 0.5</diffuse></material></visual>'''
        for name, shape in shapes.items()
    )
    twice = '<visual name="ball"><geometry><sphere/></geometry></visual>'
    model = sdf(files.SDF.replace("</inertial></link>", f"</inertial>{visuals}{twice}</link>", 1))
    drawn = ["crate", "ball", "rod", "pill", "egg", "shell", "ball_2"]
    assert list(model.visuals) == [f"base_{name}" for name in drawn]
    shell = model.visuals["base_shell"]
    assert shell.body == "base" and shell.placement.xyz == (0, 0, 0.1)
    assert (shell.color, shell.opacity) == ("#3366ff", 0.5)
    assert "package://arm/shell.stl" in repr(shell.shape)
    plain = files.SDF.replace(
        "</inertial></link>",
        "</inertial><visual name='v'><geometry><sphere/></geometry><material><diffuse>1 0 0"
        "</diffuse></material></visual></link>",
        1,
    )
    assert sdf(plain).visuals["base_v"].opacity == 1.0


def test_joints_of_sdf() -> None:
    axes = "<axis><xyz>1 0 0</xyz></axis>"
    second = "<axis2><xyz>0 1 0</xyz><dynamics><damping>0.2</damping></dynamics></axis2>"
    slide = "<axis><xyz>1 0 0</xyz><dynamics><damping>0.1</damping></dynamics></axis>"
    assert slide in files.SDF

    def elbow(kind: str, inside: str) -> Model:
        return sdf(
            files.SDF.replace(slide, inside).replace(
                'name="elbow" type="prismatic"', f'name="elbow" type="{kind}"'
            )
        )

    universal = elbow("universal", axes + second).joints["elbow"]
    assert universal.axis_2 == (0, 1, 0) and universal.damping == (0, 0.2)
    assert elbow("ball", "").joints["elbow"].kind == "spherical"
    screw = elbow("screw", axes + "<screw_thread_pitch>0.5</screw_thread_pitch>").joints["elbow"]
    assert screw.pitch == pytest.approx(0.5 / (2 * np.pi))
    limits = "<limit><lower>-1e16</lower><upper>2</upper><effort>-1</effort></limit></axis>"
    turning = elbow("revolute", axes.replace("</axis>", limits)).joints["elbow"]
    assert (turning.lower, turning.upper) == ((-np.inf,), (2.0,))
    assert turning.effort_limit == (np.inf,)
    endless = elbow("continuous", axes.replace("</axis>", limits)).joints["elbow"]
    assert endless.upper in (None, (np.inf,))
    told = "<mimic joint='shoulder'><multiplier>2</multiplier><reference>0.1</reference></mimic>"
    mimic = elbow("revolute", axes.replace("</axis>", told + "</axis>")).joints["elbow"].mimic
    assert mimic is not None and (mimic.joint, mimic.multiplier, mimic.offset) == (
        "shoulder",
        2.0,
        -0.2,
    )
    for inside, message in (
        (axes, "give <screw_thread_pitch>"),
        (axes.replace("</axis>", "<mimic/></axis>"), "<mimic> names no joint"),
        (
            axes.replace("</axis>", "<mimic joint='shoulder' axis='axis2'/></axis>"),
            "of a second axis",
        ),
    ):
        with pytest.raises(ModelError, match=message):
            elbow("screw" if "thread" in message else "revolute", inside)
    with pytest.raises(ModelError, match="has no <axis2>"):
        elbow("universal", axes)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('version="1.9"', 'version="1.3"', "arm.sdf:2: SDF version is '1.3'"),
        ('type="revolute"', 'type="gearbox"', "arm.sdf:20: joint 'shoulder': type 'gearbox'"),
        ("<parent>wrist", "<parent>wirst", "arm.sdf:28: joint 'elbow': unknown frame 'wirst'; did"),
        ('attached_to="upper"', 'attached_to="wrist"', "attached in a circle"),
        ('relative_to="base"', 'relative_to="upper"', "leads in a circle"),
        ("0 0 0.1 0.3 0 0", "0 0 0.1 0.3 0", "joint 'shoulder': <pose> has 5 numbers, needs 6"),
        ("0 1 0.5", "0 0 0", "<axis>: has zero length"),
        ("<mass>2</mass>", "<mass>two</mass>", "arm.sdf:10: link 'upper': <inertial>: <mass> is"),
        ('<frame name="wrist"', '<frame name="upper"', "two of this name (first at arm.sdf:8)"),
        ("<model name", "<modell name", "<modell> is not read; did you mean 'model'"),
        ("</model>", "<gripper/></model>", "<gripper> in a model is not read"),
        ("</model>", "<linc/></model>", "model 'arm': <linc> is not read; did you mean 'link'"),
    ],
)
def test_faults_of_sdf(old: str, new: str, message: str) -> None:
    assert old in files.SDF
    text = files.SDF.replace(old, new, 1).replace(
        "</model>" if "modell" in new else "\0", "</modell>"
    )
    with pytest.raises(ModelError) as caught:
        sdf(text)
    assert message in str(caught.value)


def test_tables(tmp_path: Path) -> None:
    model = table(TABLE, tmp_path)
    assert (model.name, model.gravity) == ("arm", (0, -9.81, 0))
    assert model.coordinates == ("turn", "push")
    assert model.joints["push"].placement.matrix == ((1, 0, 0), (0, 0, -1), (0, 1, 0))
    assert parse_toml(toml_text(model)) == model
    chain = '[[dh_chain]]\nname = "c"\nconvention = "standard"\nlinks = [{a = 1, mass = 1}]'
    assert parse_toml(chain).coordinates == ("c_1",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# convention: modified", "#", "arm.csv:1: says no convention"),
        ("modified", "standart", "arm.csv:1: convention: no 'standart'; did you mean 'standard'"),
        ("alpha", "alfa", "arm.csv:5: column 'alfa' is unknown; did you mean 'alpha'"),
        ("0.1, 0, ", "0.1, ", "arm.csv:6: has 10 cells; there are 11 columns"),
        ("90", "right", "arm.csv:7: column 'alpha' is 'right', no number"),
        ("prismatic", "screw", "row 2: kind: no 'screw'"),
        ("0 -9.81 0", "down", "arm.csv:4: gravity is 'down', no number"),
    ],
)
def test_faults_of_tables(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in TABLE
    with pytest.raises(ModelError) as caught:
        table(TABLE.replace(old, new, 1), tmp_path)
    assert message in str(caught.value)


def test_published_inertias_that_no_body_has() -> None:
    with pytest.raises(ModelError, match="triangle inequality"):
        eomc.equations(eomc.from_dh(PUMA_560, convention="standard"))
    with pytest.warns(UserWarning, match="triangle inequality"):
        eomc.from_dh(PUMA_560, convention="standard", inertia="warn").validate()
    eomc.equations(eomc.from_dh(PUMA_560, convention="standard", inertia="ignore"))


def test_xacro(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf.xacro"
    path.write_text(files.XACRO)
    assert load(path).bodies["lower"].mass == 1.25
    for old, new, message in (
        ("${m}", "${n}", "arm.urdf.xacro:1: xacro cannot expand it: .*'n' is not defined"),
        ("${m}", "-1", "arm.urdf.xacro: body 'upper': mass is -1"),
        ("</robot>", "", "arm.urdf.xacro:20: no valid XML"),
    ):
        path.write_text(files.XACRO.replace(old, new, 1))
        with pytest.raises(ModelError, match=message):
            load(path)


BOMB = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 30))


@pytest.mark.parametrize("suffix", [".xml", ".sdf", ".urdf.xacro"])
def test_entities_are_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"bomb{suffix}"
    path.write_text(f'<!DOCTYPE r [<!ENTITY e0 "x">{BOMB}]><mujoco model="&e29;"/>')
    with ending(), pytest.raises(ModelError, match="entit"):
        load(path)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["mjcf", "loops", "sdf"]))
def test_damaged_documents(seed: int, which: str) -> None:
    """A model, or a `ModelError`; nothing else."""
    text, read = {
        "mjcf": (files.EVERYTHING, mjcf),
        "loops": (files.LOOPS, mjcf),
        "sdf": (files.SDF, sdf),
    }[which]
    try:
        silently(lambda: read(damaged(text, random.Random(seed)))).validate(inertia="ignore")
    except ModelError as error:
        assert len(str(error)) < 2000


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_damaged_tables(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    path = tmp_path_factory.mktemp("tables") / "arm.csv"
    path.write_text(damaged(TABLE, random.Random(seed)))
    try:
        read_dh(path).validate(inertia="ignore")
    except ModelError as error:
        assert str(path) in str(error)


def test_robots_whose_last_link_has_no_inertia() -> None:
    def arm(inertia: str) -> Model:
        model = Model("arm", inertia=inertia)
        model.body("rod", mass=1, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1))
        model.body("tip")
        model.joint("a", "revolute", parent="world", child="rod", axis=(0, 1, 0))
        model.joint("b", "revolute", parent="rod", child="tip", axis=(0, 1, 0), damping=0.3)
        return model

    with pytest.raises(ModelError, match="'b' carries no inertia"):
        eomc.equations(arm("error"))
    with pytest.warns(UserWarning, match="'b' carries no inertia.*forward dynamics is refused"):
        arm("warn").validate()
    built = eomc.build(arm("ignore"), functions=["inverse_dynamics"], flags=("-O0",))
    torque = built.inverse_dynamics([0.0, 0.0], [1.0, 2.0], [3.0, 4.0])
    assert torque == pytest.approx([0.11 * 3 - 0.1 * 9.81, 0.6])
    with pytest.raises(ModelError, match="'b' carries no inertia"):
        eomc.build(arm("ignore"), functions=["forward_dynamics"])


def test_nothing_movable(tmp_path: Path) -> None:
    path = tmp_path / "stone.urdf"
    path.write_text('<robot name="stone"><link name="base"/></robot>')
    assert eomc.equations(load(path)).coordinates == ()
    with pytest.raises(ModelError, match="nothing moves freely in model 'stone'"):
        eomc.build(load(path))


def test_a_format_is_one_record(tmp_path: Path) -> None:
    def read(path: str | Path, *, snap: float) -> Model:
        model = Model(Path(path).read_text().strip())
        model.body("stone", mass=1, inertia=(1, 1, 1))
        model.joint("fall", "prismatic", parent="world", child="stone", axis=(0, 0, 1))
        return model

    register_format(Format("one word", (".word",), read))
    path = tmp_path / "a.word"
    path.write_text("pebble")
    assert load(path).name == "pebble" and format_of("b.WORD").name == "one word"
    with pytest.raises(ModelError, match=r"suffix '.toml' is that of TOML"):
        register_format(Format("other", (".toml",), read))
