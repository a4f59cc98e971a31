"""Elements and attributes that the specifications of URDF and SDF have: none is dropped silently.

Each is put into a small file with a value that is not its default. The model changes, a warning or
an error names it, or it stands in a list of what has no part in the mechanics of one model.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest

from eomc import Model, ModelError
from eomc.derive.formats import parse_urdf, toml_text
from eomc.derive.formats.sdf.read import parse_sdf
from eomc.derive.model.options import with_base

pytest.importorskip("yourdfpy", reason="reading URDF needs yourdfpy")

URDF = """<robot name="arm"><link name="base"/>
<link name="a"><inertial><origin/><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><origin/><parent link="base"/><child link="a"/><axis xyz="1 0 0"/>
<limit effort="9" velocity="9" lower="-9" upper="9"/><dynamics/></joint>
<joint name="k" type="revolute"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>
<limit effort="9" velocity="9" lower="-9" upper="9"/><mimic joint="j"/></joint></robot>"""
#: Attributes by element, of urdf.xsd and of version 1.2 of the format; None is an element.
URDF_WORDS = {
    "origin": {"xyz": "1 2 3", "rpy": "1 2 3", "quat_xyzw": "0 0 1 0"},
    "mass": {"value": "3"},
    "inertia": dict.fromkeys(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), "1.1"),
    "axis": {"xyz": "0 1 0"},
    "limit": {
        "lower": "-1",
        "upper": "1",
        "effort": "1",
        "velocity": "1",
        "acceleration": "1",
        "deceleration": "1",
        "jerk": "1",
    },
    "dynamics": {"damping": "1", "friction": "1"},
    "mimic": {"multiplier": "2", "offset": "1"},
    "joint": {"safety_controller": None, "calibration": None},
    "link": {"visual": None, "collision": None},
}
URDF_NO_PART = {
    "limit": ("acceleration", "deceleration", "jerk"),
    "joint": ("safety_controller", "calibration"),
    "link": ("visual", "collision"),
}

SDF = """<sdf version="1.12"><world name="w"><gravity>0 0 -9.8</gravity>
<model name="m"><frame name="up"><pose>0 0 1 0.3 0 0.1</pose></frame>
<pose>0 0 0 0 0 0.2</pose><link name="a"><inertial><pose>0 0 0.1 0 0 0.1</pose><mass>2</mass>
<inertia><ixx>.2</ixx><iyy>.22</iyy><izz>.24</izz></inertia></inertial></link><link name="b"/>
<joint name="j" type="screw"><pose>0 0 0 0 0 0</pose><parent>world</parent><child>a</child>
<screw_thread_pitch>0.1</screw_thread_pitch><axis><xyz>0 1 0</xyz>
<limit></limit><dynamics></dynamics></axis></joint>
<joint name="k" type="fixed"><parent>a</parent><child>b</child></joint></model></world></sdf>"""
#: Children, and attributes after @, with values that are not the default; of version 1.12.
SDF_WORDS = {
    "world": {
        "audio": "",
        "wind": "<linear_velocity>1 0 0</linear_velocity>",
        "include": "",
        "magnetic_field": "1 0 0",
        "atmosphere": "",
        "gui": "",
        "physics": "",
        "scene": "",
        "light": "",
        "frame": "",
        "joint": "",
        "actor": "",
        "plugin": "",
        "road": "",
        "spherical_coordinates": "",
        "state": "",
        "population": "",
        "gravity": "1 0 0",
    },
    "model": {
        "static": "true",
        "self_collide": "true",
        "allow_auto_disable": "false",
        "plugin": "",
        "gripper": "",
        "include": "",
        "model": "",
        "enable_wind": "true",
        "@canonical_link": "b",
        "@placement_frame": "up",
        "@namespace": "x",
    },
    "link": {
        "gravity": "false",
        "enable_wind": "true",
        "self_collide": "true",
        "kinematic": "true",
        "must_be_base_link": "true",
        "velocity_decay": "<linear>1</linear>",
        "collision": "",
        "sensor": "",
        "projector": "",
        "audio_sink": "",
        "audio_source": "",
        "battery": "",
        "light": "",
        "particle_emitter": "",
        "pose": "1 0 0 0 0 0",
    },
    "inertial": {
        "mass": "3",
        "density": "5",
        "auto_inertia_params": "",
        "fluid_added_mass": "",
        "@auto": "true",
    },
    "inertia": dict.fromkeys(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), "0.21"),
    "inertial><pose": {"@relative_to": "up", "@degrees": "true", "@rotation_format": "quat_xyzw"},
    "joint": {
        "gearbox_ratio": "2",
        "gearbox_reference_body": "a",
        "thread_pitch": "2",
        "screw_thread_pitch": "0.4",
        "axis2": "",
        "physics": "",
        "sensor": "",
        "@type": "revolute",
    },
    'joint name="j" type="screw"><pose': {"@relative_to": "up"},
    "axis": {"mimic": "", "initial_position": "1"},
    "axis><xyz": {"@expressed_in": "up"},
    "dynamics": {"damping": "1", "friction": "1", "spring_stiffness": "1", "spring_reference": "1"},
    "limit": {
        "lower": "-1",
        "upper": "1",
        "effort": "1",
        "velocity": "1",
        "stiffness": "1",
        "dissipation": "3",
    },
    "frame": {"@attached_to": "b"},
}
SDF_NO_PART = {
    "world": (
        "audio",
        "magnetic_field",
        "atmosphere",
        "gui",
        "physics",
        "scene",
        "light",
        "frame",
        "road",
        "spherical_coordinates",
        "state",
        "population",
        "wind",
    ),
    "model": ("self_collide", "allow_auto_disable", "@namespace"),
    "link": (
        "self_collide",
        "must_be_base_link",
        "sensor",
        "projector",
        "audio_sink",
        "audio_source",
        "battery",
        "light",
        "particle_emitter",
    ),
    "inertial": ("density", "auto_inertia_params"),
    "joint": ("axis2", "physics", "sensor", "thread_pitch"),
    "axis": ("initial_position",),
    "dynamics": ("spring_reference",),
    "limit": ("stiffness", "dissipation"),
}


def outcome(read: Callable[[], Model]) -> str:
    """The model as text with its warnings, or the error."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            text = toml_text(read())
        except ModelError as error:
            return str(error)
    return text + "".join(str(entry.message) for entry in told)


def urdf(text: str) -> str:
    return outcome(lambda: with_base(parse_urdf(text.encode(), "a.urdf"), "fixed"))


def sdf(text: str) -> str:
    return outcome(lambda: parse_sdf(text.encode(), "a.sdf"))


@pytest.mark.parametrize("tag", URDF_WORDS)
def test_words_of_urdf(tag: str) -> None:
    plain = urdf(URDF)
    assert plain.startswith("version = 2\nname = ")
    for word, value in URDF_WORDS[tag].items():
        head, tail = URDF.split(f"<{tag}", 1)
        inside, rest = tail.split(">", 1)
        if value is None:
            text = f"{head}<{tag}{inside}><{word}/>{rest}"
        else:
            kept = inside.rstrip("/") if f"{word}=" not in inside else _without(inside, word)
            text = (
                f'{head}<{tag}{kept} {word}="{value}"{"/" if inside.endswith("/") else ""}>{rest}'
            )
        dropped = urdf(text) == plain
        assert dropped == (word in URDF_NO_PART.get(tag, ())), word


def _without(inside: str, word: str) -> str:
    before, after = inside.rstrip("/").split(f'{word}="', 1)
    return before + after.split('"', 1)[1]


@pytest.mark.parametrize("tag", SDF_WORDS)
def test_words_of_sdf(tag: str) -> None:
    plain = sdf(SDF)
    assert plain.startswith("version = 2\nname = ")
    for word, value in SDF_WORDS[tag].items():
        head, tail = SDF.split(f"<{tag}", 1)
        inside, rest = tail.split(">", 1)
        if word.startswith("@"):
            kept = _without(inside, word[1:]) if f" {word[1:]}=" in inside else inside
            text = f'{head}<{tag}{kept} {word[1:]}="{value}">{rest}'
        else:
            name = ' name="n"' if word in ("frame", "plugin", "light") else ""
            if f"<{word}>" in rest.split(f"</{tag.split()[0]}>")[0] and f"<{word}>" in rest:
                start, old = rest.split(f"<{word}>", 1)
                rest = start + old.split(f"</{word}>", 1)[1]
            text = f"{head}<{tag}{inside}><{word}{name}>{value}</{word}>{rest}"
        dropped = sdf(text) == plain
        assert dropped == (word in SDF_NO_PART.get(tag, ())), word
