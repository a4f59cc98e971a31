"""Elements and attributes of URDF: which are read, which mean nothing for the mechanics.

Of what is neither the reader tells: a misspelt word must not change a robot silently.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eomc.derive.formats.xml_file import decimal_numbers
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.near_names import near_names

__all__ = ["JOINTS", "LOOP_TYPES", "READ", "check_parts", "unread"]

JOINTS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
#: Types of <loop_joint>, an extension, which are kinds of joints.
LOOP_TYPES = ("fixed", "spherical", "revolute", "prismatic", "cylindrical", "planar")
#: Numeric attributes of the elements that are read: how many numbers, and whether they are needed.
_NUMBERS: dict[str, dict[str, tuple[int, bool]]] = {
    "origin": {"xyz": (3, False), "rpy": (3, False)},
    "mass": {"value": (1, True)},
    "inertia": dict.fromkeys(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), (1, True)),
    "axis": {"xyz": (3, True)},
    "limit": dict.fromkeys(("lower", "upper", "velocity", "effort"), (1, False)),
    "dynamics": {"damping": (1, False), "friction": (1, False)},
    "mimic": {"multiplier": (1, False), "offset": (1, False)},
}
_KEPT = {
    "link": ("inertial",),
    "joint": ("parent", "child", "origin", "axis", "limit", "dynamics", "mimic"),
    "inertial": ("origin", "mass", "inertia"),
}
#: Elements of which something is read.
READ = frozenset({*_KEPT, *_NUMBERS, "parent", "child"})
#: Elements and attributes without a part in the mechanics.
_NO_PART = {
    "link": (
        *("name", "type", "visual", "collision", "gazebo", "material", "sensor", "contact"),
        *("self_filter", "self_collision_checking", "collision_checking"),
    ),
    "joint": (
        *("name", "type", "safety_controller", "calibration", "gazebo", "hardwareInterface"),
        *("dont_collapse", "preserveFixedJoint"),
    ),
    "limit": ("acceleration", "deceleration", "jerk", "command_effort", "current"),
    "parent": ("link",),
    "child": ("link",),
    "mimic": ("joint",),
}
#: What means nothing for a joint of this type; losses would, but no element has them there.
_MEANINGLESS = {
    "fixed": ("axis", "limit", "dynamics", "mimic"),
    "floating": ("axis", "limit"),
    "planar": ("limit",),
}


def unread(robot: Any, file: str) -> list[str]:
    """Sentences about what is dropped although it could mean something, one for each word."""
    found: dict[tuple[str, str], list[str]] = {}
    for element in robot:
        if element.tag in ("link", "joint"):
            for key, sentence in _unread(element, file):
                found.setdefault(key, []).append(sentence)
    return [
        first + (f" ({len(more)} more like it)" if more else "") for first, *more in found.values()
    ]


def _unread(element: Any, file: str) -> Iterator[tuple[tuple[str, str], str]]:
    meaningless = _MEANINGLESS.get(element.get("type"), ()) if element.tag == "joint" else ()
    for part in (element, *element.iterdescendants()):
        if part.tag in meaningless:
            continue
        known = (*_KEPT.get(part.tag, ()), *_NUMBERS.get(part.tag, {}), *_NO_PART.get(part.tag, ()))
        if part.tag not in READ or part.getparent().tag not in (*_KEPT, "robot"):
            continue
        words = [*part.attrib, *(str(child.tag) for child in part)]
        for word in (word for word in words if word not in known and not _foreign(word)):
            shown = f"{element.tag} {str(element.get('name'))[:80]!r}"
            place = Source(file, part.sourceline or 0)
            sentence = f"{place}: {shown}: {word[:80]!r} in <{part.tag}> is not read"
            near = near_names(word[:80], known)
            yield (part.tag, word), f"{sentence}; {near}" if near.startswith("did") else sentence


def _foreign(word: str) -> bool:
    return ":" in word or word.startswith("{")


def check_parts(element: Any, shown: str, file: str) -> None:
    """Drop what is not read of a <link> or <joint>, check what is. Raises `ModelError`."""
    meaningless = _MEANINGLESS.get(element.get("type"), ()) if element.tag == "joint" else ()
    for part in list(element):
        if part.tag not in _KEPT[element.tag] or part.tag in meaningless:
            element.remove(part)
            continue
        source = Source(file, part.sourceline or 0)
        if part.tag == "limit" and element.get("type") == "continuous":
            for word in ("lower", "upper"):
                part.attrib.pop(word, None)
        if part.tag == "origin" and part.get("quat_xyzw") is not None:
            raise ModelError(f"{shown}: origin quat_xyzw is not read; give rpy", source)
        _check_numbers(part, shown, source)
        if part.tag == "mimic" and not part.get("joint"):
            raise ModelError(f"{shown}: <mimic> names no joint", source)
        if part.tag == "inertial":
            check_parts(part, shown, file)
            for needed_tag in ("mass", "inertia"):
                if part.find(needed_tag) is None:
                    raise ModelError(f"{shown}: <inertial> has no <{needed_tag}>", source)
        _keep_only(part)


def _keep_only(part: Any) -> None:
    """Leave what is read: the rest may not even be XML to a strict reader."""
    kept = (*_NUMBERS.get(part.tag, ()), "link", "joint")
    for word in [word for word in part.attrib if word not in kept]:
        del part.attrib[word]
    for child in [child for child in part if child.tag not in _KEPT.get(part.tag, ())]:
        part.remove(child)


def _check_numbers(part: Any, shown: str, source: Source) -> None:
    for attribute, (count, needed) in _NUMBERS.get(part.tag, {}).items():
        text = part.get(attribute)
        if text is None and needed:
            raise ModelError(f"{shown}: <{part.tag}> has no {attribute}", source)
        if text is None or (part.tag == "limit" and text.strip().lower().lstrip("+-") == "inf"):
            continue
        what, numbers = f"{shown}: {part.tag} {attribute}", decimal_numbers(text)
        if numbers is None:
            raise ModelError(f"{what} is {text[:80]!r}, no number", source)
        if len(numbers) != count:
            raise ModelError(f"{what} has {len(numbers)} numbers, needs {count}", source)
        if any(number in (float("inf"), -float("inf")) for number in numbers):
            raise ModelError(f"{what} is {text[:80]!r}, not finite", source)
