"""From the arguments of a joint's declaration to a checked `Joint`."""

from __future__ import annotations

import math
from typing import Any

from eomc.derive.model.errors import ModelError, Source
from eomc.derive.model.joint import Joint, mimic_of, unit_vector
from eomc.derive.model.joint_kinds import SPECIFIC, JointKind, joint_kind
from eomc.derive.model.placement import placement
from eomc.derive.model.rotation import cross
from eomc.derive.model.scalar import Scalar, Vector3, is_zero, scalar, vector, vector3

__all__ = ["declared_joint", "lock_values"]

_DEFAULT_AXES: dict[tuple[str, str], Vector3] = {
    ("universal", "axis"): (1, 0, 0),
    ("universal", "axis2"): (0, 1, 0),
    ("planar", "axis"): (0, 0, 1),
}
_DEFAULT_SEQUENCE = "zyx"


def declared_joint(source: Source | None, **given: Any) -> Joint:
    """The joint that the arguments of `Model.joint` declare.

    Raises `ModelError` for an argument that the kind does not take or lacks, and for wrong lengths.
    """
    kind = joint_kind(given["kind"])
    for word in ("parent", "child"):
        if not isinstance(given[word], str):
            raise ModelError(f"{word}: name a body, not {type(given[word]).__name__}")
    for word in SPECIFIC:
        if given[word] is not None and word not in kind.takes:
            takes = ", ".join(sorted(kind.takes)) or f"none of {', '.join(SPECIFIC)}"
            raise ModelError(f"kind {kind.name!r} takes no {word}; it takes {takes}")
    mimic = mimic_of(given["mimic"])
    locked = lock_values(kind, given["locked"])
    if mimic is not None:
        _check_mimic(kind, given["name"], mimic.joint, locked)
    speeds, coordinates = len(kind.speeds), len(kind.coordinates)
    axis, axis2 = _axes(kind, given["axis"], given["axis2"])
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
    return Joint(
        name=given["name"],
        kind=kind.name,
        parent=given["parent"],
        child=given["child"],
        axis=axis,
        axis2=axis2,
        pitch=_pitch(kind, given["pitch"]),
        sequence=_sequence(kind, given["sequence"]),
        at=_station(kind, given["at"]),
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
        cut=_cut(given["cut"], mimic is not None or locked is not None),
        locked=locked,
        source=source,
    )


def _check_mimic(kind: JointKind, name: str, target: str, locked: object) -> None:
    if locked is not None:
        raise ModelError("mimic and locked are both given; give one of them")
    if len(kind.coordinates) != 1:
        raise ModelError(
            f"mimic joins joints of one coordinate, kind {kind.name!r} has another number"
        )
    if target == name:
        raise ModelError("the joint mimics itself; name another joint")


def lock_values(kind: JointKind, value: Any) -> tuple[Scalar, ...] | None:
    """Coordinates to freeze a joint at: True is the neutral position, None or False free."""
    if value is None or value is False:
        return None
    if kind.name == "fixed":
        raise ModelError("a fixed joint has no coordinate to lock")
    if value is True:
        return kind.neutral_coordinates
    values = value if hasattr(value, "__len__") and not isinstance(value, str) else (value,)
    locked = vector(values, len(kind.coordinates), "locked")
    if not kind.rates and all(is_zero(entry) for entry in locked[-4:]):
        raise ModelError("locked: quaternion has zero length; give (w, x, y, z) of a rotation")
    return locked


def _placement(value: Any, what: str) -> Any:
    try:
        return placement(value)
    except ModelError as error:
        raise error.within(what, None) from None


def _axes(kind: JointKind, axis: Any, axis2: Any) -> tuple[Vector3 | None, Vector3 | None]:
    units: list[Vector3 | None] = []
    for word, value in (("axis", axis), ("axis2", axis2)):
        if word not in kind.takes:
            units.append(None)
            continue
        if value is None:
            value = _DEFAULT_AXES.get((kind.name, word))
        if value is None:
            raise ModelError(f"kind {kind.name!r} needs {word}; give a 3-vector in the joint frame")
        units.append(unit_vector(vector3(value, word), word))
    first, second = units
    if first and second and all(is_zero(entry) for entry in cross(first, second)):
        raise ModelError("axis and axis2 are parallel; give two directions")
    return first, second


def _pitch(kind: JointKind, value: Any) -> Scalar | None:
    if "pitch" not in kind.takes:
        return None
    if value is None:
        raise ModelError(f"kind {kind.name!r} needs pitch, metres per radian")
    return scalar(value, "pitch")


def _sequence(kind: JointKind, value: Any) -> str | None:
    if "sequence" not in kind.takes:
        return None
    if value is None:
        return _DEFAULT_SEQUENCE
    valid = isinstance(value, str) and len(value) == 3 and set(value) <= set("xyz")
    if not valid or value[0] == value[1] or value[1] == value[2]:
        raise ModelError(
            f"sequence is {value!r}; give three of x, y, z, none twice in a row, such as 'zyx'"
        )
    return str(value)


def _cut(value: Any, is_bound: bool) -> bool:
    if not isinstance(value, bool):
        raise ModelError(f"cut: give true or false, not {value!r}")
    if value and is_bound:
        raise ModelError("a cut joint has no coordinates to lock or to follow others")
    return value


def _station(kind: JointKind, value: Any) -> str | Scalar | None:
    """A station's name, or a number or expression in metres."""
    if "at" not in kind.takes:
        return None
    if value is None:
        raise ModelError(f"kind {kind.name!r} needs at, a station of the parent such as 'tip'")
    if isinstance(value, str) and value.isidentifier():
        return value
    return scalar(value, "at")


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
