"""Every attribute of MuJoCo's own schema that changes its equations is honoured, told or refused.

MuJoCo itself is the judge: an attribute is set in a small document, and if the forces that belong
to a motion change, the model that is read must need the same forces, or a warning or an error must
name the element.
"""

from __future__ import annotations

import re
import warnings
from functools import cache

import numpy as np
import pytest

import eomc
from eomc import ModelError
from eomc.derive.formats import parse_toml, toml_text
from eomc.derive.formats.mjcf.read import parse_mjcf

pytestmark = pytest.mark.variants

mujoco = pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")

BASE = """<mujoco>
<compiler angle="radian"/>
<option><flag/></option>
<worldbody>
  <site name="w" pos="0 0.1 2"/>
  <body name="p" gravcomp="0.2">
    <joint name="a" axis="0 1 0" stiffness="2" damping="0.3" springref="0.1" range="-3 3"/>
    <geom name="g" type="capsule" fromto="0 0 0 0.1 0 -0.6" size="0.03" contype="0"
      conaffinity="0"/>
    <body name="q" pos="0 0 -0.6">
      <joint name="b" type="slide" axis="0 0.6 0.8" pos="0 0 0.1" frictionloss="0.1"/>
      <inertial pos="0.1 0 0" mass="1.5" diaginertia="0.02 0.03 0.04"/>
      <site name="e" pos="0 0.1 -0.2"/>
    </body>
  </body>
  <body name="r" pos="1 0 0"><freejoint name="f"/><geom size="0.2" contype="0" conaffinity="0"/>
  </body>
</worldbody>
<tendon>
  <spatial name="rope" stiffness="5" damping="0.2" springlength="0.3">
    <site site="w"/><site site="e"/>
  </spatial>
  <fixed name="both" stiffness="3" damping="0.1" springlength="0.2">
    <joint joint="a" coef="0.5"/><joint joint="b" coef="2"/>
  </fixed>
</tendon>
<equality>%s</equality>
<actuator>%s</actuator>
</mujoco>"""

ACTUATORS = {
    "motor": 'joint="a" gear="2"',
    "position": 'joint="a" kp="3" group="1" ctrlrange="-0.5 0.5"',
    "velocity": 'joint="b" kv="2"',
    "intvelocity": 'joint="a" kp="2" actrange="-9 9"',
    "general": 'joint="b" gainprm="2" dyntype="filter" dynprm="0.1" biastype="affine" '
    'biasprm="0.1 -2 -0.3"',
    "damper": 'joint="a" kv="2" ctrlrange="0 5"',
    "cylinder": 'joint="a" area="2" timeconst="0.2"',
    "muscle": 'tendon="rope" lengthrange="0.5 4"',
    "adhesion": 'body="p" gain="2" ctrlrange="0 5"',
    "dcmotor": 'joint="a" motorconst="0.1" resistance="2"',
    "pid": 'joint="a" kp="3" ki="1"',
    "orientation": 'site="e" refsite="w" kp="2"',
}
EQUALITIES = {
    "connect": 'body1="q" body2="r" anchor="0.1 0 0"',
    "weld": 'body1="q" body2="r"',
    "joint": 'joint1="a" joint2="b" polycoef="0.1 0.5 0.2 0 0"',
    "tendon": 'tendon1="both"',
}
VALUES = {
    "actuatorfrcrange": "-0.4 0.4",
    "actuatorgravcomp": "true",
    "armature": "0.3",
    "axis": "0.6 0.8 0",
    "damping": "0.7",
    "frictionloss": "0.2",
    "pos": "0.2 0.1 0.3",
    "range": "-0.1 0.1",
    "ref": "0.4",
    "springdamper": "0.2 0.7",
    "springref": "0.5",
    "springyield": "0.01",
    "stiffness": "7",
    "type": None,
    "limited": "true",
    "margin": "0.1",
    "solimplimit": "0.5 0.6 0.01",
    "solreflimit": "0.1 1",
    "solimpfriction": "0.5 0.6 0.01",
    "solreffriction": "0.1 1",
    "user": "1",
    "group": "2",
    "springlength": "0.7",
    "width": "0.01",
    "rgba": "1 0 0 1",
    "ctrlrange": "-0.1 0.1",
    "forcerange": "-0.2 0.2",
    "gear": "3",
    "delay": "0.1",
    "nsample": "3",
    "interp": "linear",
    "cranklength": "0.1",
    "kp": "11",
    "kv": "4",
    "dampratio": "0.5",
    "timeconst": "0.3",
    "inheritrange": "0.5",
    "actlimited": "true",
    "actrange": "-0.05 0.05",
    "actearly": "true",
    "actdim": "1",
    "gainprm": "5",
    "biasprm": "1 -3 -0.2",
    "biastype": "none",
    "gaintype": "affine",
    "dyntype": "integrator",
    "dynprm": "0.5",
    "ffrange": "-1 1",
    "velrange": "-1 1",
    "lengthrange": "0.3 3",
    "area": "4",
    "bias": "1 2 3",
    "diameter": "0.5",
    "gain": "3",
    "force": "20",
    "gravcomp": "0.8",
    "quat": "0.9 0.1 0.2 0.3",
    "euler": "0.1 0.2 0.3",
    "axisangle": "0 1 0 0.4",
    "xyaxes": "0 1 0 1 0 0",
    "zaxis": "0 1 1",
    "mass": "2.5",
    "diaginertia": "0.05 0.06 0.07",
    "active": "false",
    "anchor": "0.2 0 0",
    "polycoef": "0.3 1 0 0 0",
    "relpose": "0 0 0.3 1 0 0 0",
    "solimp": "0.5 0.6 0.01",
    "solref": "0.1 1",
    "torquescale": "2",
    "density": "700",
    "viscosity": "0.3",
    "wind": "1 2 3",
    "gravity": "1 2 -3",
    "size": "0.05",
    "shellinertia": "true",
    "actuatorgroupdisable": "1",
    "fluidshape": "ellipsoid",
    "timestep": "0.1",
    "fullinertia": "0.05 0.06 0.07 0.001 0.002 0.003",
    "cogging": "0.1 3 0",
    "inductance": "0.01",
    "lugre": "10 1 0.1 0.2 0.01 0.1",
    "motorconst": "0.3",
    "resistance": "3",
    "saturation": "0.1",
    "angle": "degree",
    "inertiafromgeom": "true",
    "settotalmass": "3",
    "boundmass": "2",
    "boundinertia": "0.5",
    "balanceinertia": "true",
}
#: Tags of which every attribute is looked at.
LOOKED_AT = (
    "compiler",
    "option",
    "flag",
    "body",
    "inertial",
    "joint",
    "freejoint",
    "geom",
    "spatial",
    "fixed",
    *(f"equality/{tag}" for tag in EQUALITIES),
    *(f"actuator/{tag}" for tag in ACTUATORS),
)
#: Attributes that name or draw something, or concern MuJoCo's solver and compiler alone.
_WORDS = """
    actuatorfrclimited adhesion align alignfree assetdir autolimits body body1 body2 castshadow
    ccd_iterations ccd_tolerance childclass class conaffinity condim cone conflict controller
    contype coordinate cranksite ctrllimited discardvisual eulerseq fitaabb fitscale fluidcoef
    forcelimited fpmax friction fromto fuse fusestatic fvmax gap hfield imax impratio
    inertiagrouprange input integrator iterations jacobian joint joint1 joint2 jointinparent ki
    lmax lmin ls_iterations ls_tolerance magnetic material mesh meshdir mocap name nominal
    noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref passthrough plastic
    posrange priority refsite savecanonical savecompiled saveinertial scale sdf_initpoints
    sdf_iterations simple site site1 site2 sleep sleep_tolerance slewmax slidersite solmix
    solver strippath surfacevel tausmooth tendon tendon1 tendon2 texturedir thermal tolerance
    usethread vmax
"""
NOT_TRIED = frozenset(_WORDS.split())


@cache
def schema() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Attributes by the way to their element, as MuJoCo prints them."""
    found: dict[tuple[str, ...], list[str]] = {}
    way: list[str] = []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        head = re.match(r"^((?:   )*)(\S+) \(.\)\s*(.*)$", line)
        if head:
            way[len(head[1]) // 3 :] = [head[2].removeprefix("(world)")]
            found[tuple(way)] = head[3].split()
        elif way:
            found[tuple(way)] += line.split()
    return {key: tuple(words) for key, words in found.items()}


def attributes(tag: str) -> tuple[str, ...]:
    """Of an element of the file's own parts."""
    section, _, name = tag.rpartition("/")
    return next(
        words
        for way, words in schema().items()
        if way[-1] == (name or tag)
        and "default" not in way
        and "flexcomp" not in way
        and (not section or way[-2] == section)
        and (section or tag != "joint" or way[-2] == "body")
    )


def document(tag: str, attribute: str | None) -> str:
    """The small document, with one attribute more if it is given."""
    section, _, name = tag.rpartition("/")
    actuator = name if section == "actuator" else "position"
    equality = name if section == "equality" else ""
    text = BASE % (
        f"<{equality} {EQUALITIES[equality]}/>" if equality else "",
        f"<{actuator} {ACTUATORS[actuator]}/>",
    )
    if attribute is None:
        return text
    value = "disable" if tag == "flag" else VALUES[attribute]
    if tag == "geom" and attribute == "size":
        value = "0.05"
    start = text.index(f"<{section}>") if section else 0
    return text[:start] + re.sub(
        rf"<{name or tag}\b([^>]*?)(/?)>",
        lambda found: "<{}{} {}={!r}{}>".format(
            name or tag, re.sub(rf'\s{attribute}="[^"]*"', "", found[1]), attribute, value, found[2]
        ),
        text[start:],
        count=1,
        flags=re.DOTALL,
    )


RNG = np.random.default_rng(5)
Q, U, A = (RNG.uniform(-0.5, 0.5, 8) for _ in range(3))
CONTROL, ACT = 0.7, 0.4


def forces_of_mujoco(text: str) -> tuple[np.ndarray, np.ndarray]:
    """Forces that the hinge and the slide need for a motion, and what else tells of equations."""
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    d.qpos[:2], d.qvel[:2] = Q[:2], U[:2]
    d.ctrl[:], d.act[:] = CONTROL, ACT
    mujoco.mj_forward(m, d)
    mass = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, mass)
    a = np.zeros(m.nv)
    a[:2] = A[:2]
    force = mass @ a + d.qfrc_bias - d.qfrc_passive - d.qfrc_actuator
    if d.nf:  # dry friction, a constraint there and smooth here, is whole at these speeds
        force += m.dof_frictionloss * np.sign(d.qvel)
    rows = d.efc_type[: d.nefc] != mujoco.mjtConstraint.mjCNSTR_LIMIT_JOINT
    others = [d.ne, d.nf, *d.act_dot, *np.ravel(d.efc_pos[: d.nefc][rows])]
    return force, np.array([*others, *m.qpos0[:2]], dtype=float)


def read(text: str) -> tuple[eomc.Model | None, set[str]]:
    """The model, and the sentences of warnings; None and the error for what is refused."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            model = parse_mjcf(text.encode(), "m.xml")
        except ModelError as error:
            return None, {str(error)}
    return model, {line for entry in told for line in str(entry.message).splitlines()}


def forces_of_model(model: eomc.Model) -> np.ndarray:
    """The same of the model that is read."""
    quantity = eomc.equations(model).inverse_dynamics
    given = {word.name: np.zeros(word.shape[0]) for word in quantity.inputs}
    given["q"][:2], given["u"][:2], given["a"][:2] = Q[:2], U[:2], A[:2]
    given["q"][2:] = [1, 0, 0, 1, 0, 0, 0]
    for word, value in (("r", CONTROL), ("z", ACT)):
        if word in given:
            given[word][:] = value
    return np.ravel(quantity.evaluate(**given))


def test_every_attribute_of_the_schema_is_known() -> None:
    """A version of MuJoCo with further ones fails here, and asks what they mean."""
    unknown = {
        (tag, word)
        for tag in LOOKED_AT
        if tag != "flag"
        for word in attributes(tag)
        if word not in VALUES and word not in NOT_TRIED
    }
    assert not unknown
    sections = {way[1] for way in schema() if len(way) == 2}
    assert sections == {
        *("compiler", "option", "size", "statistic", "visual", "default", "extension", "asset"),
        *("body", "deformable", "contact", "tendon", "equality", "actuator", "sensor", "custom"),
        "keyframe",
    }


@pytest.mark.parametrize("tag", LOOKED_AT)
def test_attributes_are_honoured_or_reported(tag: str) -> None:
    plain = document(tag, None)
    before, others_before = forces_of_mujoco(plain)
    model, told_before = read(plain)
    assert model is not None
    if not told_before:
        assert np.allclose(forces_of_model(model)[:2], before[:2], rtol=1e-10, atol=1e-10)
    silent, judged = [], 0
    for word in attributes(tag):
        if tag != "flag" and VALUES.get(word) is None:
            continue
        text = document(tag, word)
        try:
            after, others = forces_of_mujoco(text)
        except ValueError:
            continue  # of another attribute's kind, and MuJoCo refuses it here
        same = np.allclose(after, before, rtol=1e-12) and others.shape == others_before.shape
        if same and np.allclose(others, others_before, rtol=1e-12):
            continue
        judged += 1
        model, told = read(text)
        if model is None or told - told_before or told_before:
            continue
        if not np.allclose(forces_of_model(model)[:2], after[:2], rtol=1e-10, atol=1e-10):
            silent.append((word, after[:2], forces_of_model(model)[:2]))
    assert not silent
    assert judged >= {"freejoint": 0, "actuator/adhesion": 0, "flag": 7, "joint": 10}.get(tag, 1)


@pytest.mark.parametrize("flag", ["equality", "limit", "constraint"])
def test_switches_of_constraints(flag: str) -> None:
    text = document("equality/connect", None)
    model, told = read(text.replace("<flag/>", f'<flag {flag}="disable"/>'))
    assert model is not None and not told
    assert ("connect" in model.constraints) == (flag == "limit")
    assert (model.joints["a"].upper is None) == (flag != "equality")


@pytest.mark.parametrize(
    ("tag", "more", "told"),
    [
        ("joint", 'springyield="0.1"', "m.xml:7: springyield of joint 'a'"),
        ("joint", 'actuatorfrcrange="-1 1" actuatorgravcomp="true"', "actuatorfrcrange of joint"),
        ("spatial", 'springyield="0.1"', "springyield of tendon 'rope'"),
    ],
)
def test_limits_of_actuators_are_reported(tag: str, more: str, told: str) -> None:
    """MuJoCo's forces at the tried state are the same with them."""
    model, sentences = read(document(tag, None).replace(f"<{tag} ", f"<{tag} {more} ", 1))
    assert model is not None and any(told in sentence for sentence in sentences)


@pytest.mark.parametrize("name", ["x", "v", "t", "pi", "law", "coordinate", "speed", "q", "a b"])
def test_a_joint_may_have_any_name(name: str) -> None:
    """Laws of tendons and actuators are written in words of their own."""
    text = document("actuator/position", None)
    before, _ = forces_of_mujoco(text)
    for joint in ("a", "b"):
        renamed = text.replace(f'name="{joint}"', f'name="{name}"')
        model, told = read(renamed.replace(f'joint="{joint}"', f'joint="{name}"'))
        assert model is not None and not told and name in model.coordinates
        assert np.allclose(forces_of_model(model)[:2], before[:2], rtol=1e-10, atol=1e-10)
        again = parse_toml(toml_text(model))
        assert np.allclose(forces_of_model(again)[:2], before[:2], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    "flags",
    ["spring damper", "spring gravity", "damper actuation", "constraint clampctrl", "gravity"],
)
def test_switches_together(flags: str) -> None:
    disabled = " ".join(f'{flag}="disable"' for flag in flags.split())
    text = document("actuator/position", None).replace("<flag/>", f"<flag {disabled}/>")
    after, _ = forces_of_mujoco(text)
    model, told = read(text)
    assert model is not None and not told
    assert np.allclose(forces_of_model(model)[:2], after[:2], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("which", ['tendon="rope"', 'tendon="both"', 'joint="a"', 'site="e"'])
def test_ranges_cut_off_at_every_place(which: str) -> None:
    text = document("actuator/motor", None)
    start, end = text.index("<motor"), text.index("</actuator>")
    motor = f'<motor {which} gear="2 1 0 0 0 1" ctrlrange="-0.5 0.5" forcerange="-0.2 0.3"/>'
    text = text[:start] + motor + text[end:]
    after, _ = forces_of_mujoco(text)
    model, told = read(text)
    assert model is not None and not told
    assert np.allclose(forces_of_model(model)[:2], after[:2], rtol=1e-10, atol=1e-10)
