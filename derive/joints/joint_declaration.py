"""From the arguments of a joint's declaration to a checked `Joint`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from eomc.derive.fields.field import is_required
from eomc.derive.joints.joint import Joint, mimic_of
from eomc.derive.joints.joint_kind import JointKind, joint_kind
from eomc.derive.joints.pose import neutral
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, is_zero, scalar, vector
from eomc.derive.placement.placement import placement

__all__ = ["declared_joint", "lock_values"]

#: Arguments of a joint that only some kinds take.
_SPECIFIC = ("axis", "axis_2", "pitch", "sequence", "at")


def declared_joint(source: Source | None, **given: Any) -> Joint:
    """The joint that the arguments of `Model.joint` declare.

    Raises `ModelError` for an argument that the kind does not take or lacks, and for wrong lengths.
    """
    kind = joint_kind(given["kind"])
    for word in ("parent", "child"):
        if not isinstance(given[word], str):
            raise ModelError(f"{word}: name a body, not {type(given[word]).__name__}")
    values = _arguments(kind, given)
    mimic = mimic_of(given["mimic"])
    speeds, coordinates = len(kind.speeds), len(kind.coordinates)
    rotor = scalar(given["rotor_inertia"], "rotor_inertia")
    if not is_zero(rotor) and speeds != 1:
        raise ModelError(
            f"rotor_inertia belongs to a joint of one speed; kind {kind.name!r} has {speeds}"
        )
    lower, upper = (_limits(given[word], coordinates, word) for word in ("lower", "upper"))
    if not kind.rates and (lower or upper):
        raise ModelError(
            f"lower and upper do not apply to kind {kind.name!r} (quaternion coordinates)"
        )
    joint = Joint(
        name=given["name"],
        kind=kind.name,
        parent=given["parent"],
        child=given["child"],
        **{word: values.pop(word) for word in _SPECIFIC if word in values},
        own=tuple(values.items()),
        placement=_placement(given["placement"], "placement"),
        child_placement=_placement(given["child_placement"], "child_placement"),
        damping=_losses(given["damping"], speeds, "damping"),
        friction=_losses(given["friction"], speeds, "friction"),
        friction_speed=scalar(given["friction_speed"], "friction_speed"),
        rotor_inertia=rotor,
        gear_ratio=scalar(given["gear_ratio"], "gear_ratio"),
        lower=lower,
        upper=upper,
        velocity_limit=_limits(given["velocity_limit"], speeds, "velocity_limit"),
        effort_limit=_limits(given["effort_limit"], speeds, "effort_limit"),
        mimic=mimic,
        cut=_cut(given["cut"]),
        source=source,
    )
    kind.check(joint)
    joint = replace(joint, locked=lock_values(joint, given["locked"]))
    if mimic is not None:
        _check_mimic(kind, joint.name, mimic.joint, joint.locked)
    if joint.cut and not (mimic is None and joint.locked is None):
        raise ModelError("a cut joint has no coordinates to lock or to follow others")
    return joint


def _arguments(kind: JointKind, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments that the kind takes, read."""
    for word in _SPECIFIC:
        if given[word] is not None and word not in kind.takes:
            takes = ", ".join(sorted(kind.takes)) or f"none of {', '.join(_SPECIFIC)}"
            raise ModelError(f"kind {kind.name!r} takes no {word}; it takes {takes}")
    for word in given["own"]:
        if word not in kind.takes:
            known = [*(word for word in given if word != "own"), *kind.takes]
            raise ModelError(f"unknown key {word!r}; {near_names(word, known)}")
    words = {**given, **given["own"]}
    return {word: _value(kind, word, words.get(word)) for word in kind.arguments}


def _value(kind: JointKind, word: str, given: Any) -> Any:
    """An argument read, or its default."""
    entry = kind.arguments[word]
    if given is None and is_required(entry):
        raise ModelError(f"kind {kind.name!r} needs {word}, {entry.metadata['kind'].meaning}")
    return entry.metadata["kind"].read(entry.default if given is None else given, word)


def _check_mimic(kind: JointKind, name: str, target: str, locked: object) -> None:
    if locked is not None:
        raise ModelError("mimic and locked are both given; give one of them")
    if len(kind.coordinates) != 1:
        raise ModelError(
            f"mimic joins joints of one coordinate, kind {kind.name!r} has another number"
        )
    if target == name:
        raise ModelError("the joint mimics itself; name another joint")


def lock_values(joint: Joint, value: Any) -> tuple[Scalar, ...] | None:
    """Coordinates to freeze a joint at: True is the neutral position, None or False free."""
    kind = joint.declaration
    if value is None or value is False:
        return None
    if not kind.coordinates:
        raise ModelError(f"a joint of kind {kind.name!r} has no coordinate to lock")
    if value is True:
        return neutral(joint)
    values = value if hasattr(value, "__len__") and not isinstance(value, str) else (value,)
    locked = vector(values, len(kind.coordinates), "locked")
    parts = kind.quaternion(locked)
    if parts and all(is_zero(entry) for entry in parts):
        raise ModelError("locked: quaternion has zero length; give (w, x, y, z) of a rotation")
    return locked


def _placement(value: Any, what: str) -> Any:
    try:
        return placement(value)
    except ModelError as error:
        raise error.within(what, None) from None


def _cut(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ModelError(f"cut: give true or false, not {value!r}")
    return value


def _losses(value: Any, length: int, what: str) -> tuple[Scalar, ...]:
    if hasattr(value, "__len__") and not isinstance(value, str):
        return vector(value, length, what)
    return (scalar(value, what),) * length


def _limits(value: Any, length: int, what: str) -> tuple[Scalar, ...] | None:
    if value is None:
        return None
    if not hasattr(value, "__len__") or isinstance(value, str):
        value = [value] * length
    entries = tuple(value)
    if len(entries) != length or not length:
        raise ModelError(f"{what}: has {len(entries)} entries, needs {length}")
    return tuple(
        float(entry) if isinstance(entry, float) and math.isinf(entry) else scalar(entry, what)
        for entry in entries
    )
