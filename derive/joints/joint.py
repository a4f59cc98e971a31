"""Joints between bodies: kind, placement on both sides, losses, drive and limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from eomc.derive.fields.field import SCALAR, FieldKind, body, number, of_kind, record, truth
from eomc.derive.fields.field import placement as placed
from eomc.derive.joints.joint_kind import JointKind, joint_kind
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.scalar import Scalar, Vector3, scalar
from eomc.derive.placement.placement import Placement

__all__ = ["Joint", "Mimic", "mimic_of"]


@dataclass(frozen=True)
class Mimic:
    """The joint follows another one: q = multiplier * q_joint + offset (rad or m)."""

    joint: str
    multiplier: Scalar = 1
    offset: Scalar = 0

    def __post_init__(self) -> None:
        if not isinstance(self.joint, str):
            raise ModelError("mimic: name the joint to follow")
        object.__setattr__(self, "multiplier", scalar(self.multiplier, "mimic multiplier"))
        object.__setattr__(self, "offset", scalar(self.offset, "mimic offset"))


def mimic_of(value: Any) -> Mimic | None:
    """A mimic rule from None, a `Mimic`, a joint's name, or a mapping of its fields."""
    if value is None or isinstance(value, Mimic):
        return value
    if isinstance(value, str):
        return Mimic(value)
    if (
        isinstance(value, dict)
        and set(value) <= {"joint", "multiplier", "offset"}
        and "joint" in value
    ):
        return Mimic(**value)
    raise ModelError("mimic: give Mimic(joint, multiplier, offset)")


class _ForEach(FieldKind):
    def schema(self) -> dict[str, Any]:
        """One scalar, or a list."""
        return {"type": ["number", "string", "array"], "items": SCALAR}


class _LockedAt(FieldKind):
    def schema(self) -> dict[str, Any]:
        """True, a scalar, or a list."""
        return {"type": ["boolean", "number", "string", "array"], "items": SCALAR}


class _MimicRule(FieldKind):
    def schema(self) -> dict[str, Any]:
        """A name, or a rule."""
        rule = {
            "type": "object",
            "properties": {"joint": {"type": "string"}, "multiplier": SCALAR, "offset": SCALAR},
            "required": ["joint"],
            "additionalProperties": False,
        }
        return {"anyOf": [{"type": "string"}, rule]}


def each(units: str, meaning: str, default: Any = ()) -> Any:
    """One scalar for each speed or coordinate of a joint."""
    return of_kind(_ForEach(meaning, units), default=default)


@record
class Joint:
    """A joint: the child's joint frame moves in the parent's joint frame as its kind allows.

    `placement` is the joint frame in the parent body frame, `child_placement` the joint frame in
    the child body frame. `axis`, `axis_2`: unit vectors in the joint frame, for the kinds that have
    them; `pitch` [m/rad]; `sequence` of intrinsic Euler angles; `at` the station of a deformable
    parent, by name or in metres; `own`: words and values of further arguments, which the kind alone
    has. `damping`, `friction` (one entry a speed): generalized force -damping*u -
    friction*tanh(u/friction_speed). `rotor_inertia` seen through `gear_ratio` adds
    gear_ratio**2*rotor_inertia to the joint's inertia. Limits are data for the user of the compiled
    model: `lower`, `upper` one entry a coordinate, `velocity_limit`, `effort_limit` one a speed,
    +-inf for none, None if not declared. `locked`: the coordinates at which the joint is frozen, or
    None. `cut`: the joint closes a loop by a constraint and has no coordinates of its own.
    """

    name: str
    kind: str
    parent: str = body("that carries the joint")
    child: str = body("that moves")
    axis: Vector3 | None = None
    axis_2: Vector3 | None = None
    pitch: Scalar | None = None
    sequence: str | None = None
    at: str | Scalar | None = None
    own: tuple[tuple[str, Any], ...] = ()
    placement: Placement = placed(
        "of the joint frame in the parent", of="parent", default=Placement()
    )
    child_placement: Placement = placed(
        "of the joint frame in the child", of="child", default=Placement()
    )
    damping: tuple[Scalar, ...] = each("N m s/rad or N s/m", "one a speed, or one for all")
    friction: tuple[Scalar, ...] = each("N m or N", "one a speed, or one for all")
    friction_speed: Scalar = number("rad/s or m/s", "where friction is established", default=1e-3)
    rotor_inertia: Scalar = number("kg m^2 or kg", "of the drive", default=0)
    gear_ratio: Scalar = number("", "turns of the rotor for one of the joint", default=1)
    lower: tuple[Scalar, ...] | None = each("rad or m", "limit of each coordinate", None)
    upper: tuple[Scalar, ...] | None = each("rad or m", "limit of each coordinate", None)
    velocity_limit: tuple[Scalar, ...] | None = each("rad/s or m/s", "of each speed", None)
    effort_limit: tuple[Scalar, ...] | None = each("N m or N", "of each speed", None)
    mimic: Mimic | None = of_kind(_MimicRule("joint that it follows"), default=None)
    cut: bool = truth("closes a loop by a constraint", default=False)
    locked: tuple[Scalar, ...] | None = of_kind(
        _LockedAt("coordinates to freeze it at"), default=None
    )
    source: Source | None = field(default=None, compare=False, repr=False)

    @cached_property
    def declaration(self) -> JointKind:
        """The registered kind."""
        return joint_kind(self.kind)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the joint's coordinates, whether free or not."""
        return self.declaration.coordinate_names(self.name)

    @property
    def speeds(self) -> tuple[str, ...]:
        """Names of the joint's generalized speeds, whether free or not."""
        return self.declaration.speed_names(self.name)

    def argument(self, word: str) -> Any:
        """The value of an argument that joints of this kind alone have."""
        return dict(self.own)[word]

    @property
    def direction(self) -> Vector3:
        """The unit axis of a kind that has one."""
        if self.axis is None:
            raise ModelError(f"joint {self.name!r}: kind {self.kind!r} has no axis", self.source)
        return self.axis

    @property
    def second_direction(self) -> Vector3:
        """The second unit axis of a kind that has two."""
        if self.axis_2 is None:
            raise ModelError(f"joint {self.name!r}: kind {self.kind!r} has no axis_2", self.source)
        return self.axis_2

    @property
    def is_fixed(self) -> bool:
        """True if the joint never moves: of a kind without coordinates, or locked."""
        return self.locked is not None or self.declaration.is_immobile
