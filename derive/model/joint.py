"""Joints between bodies: kind, placement on both sides, losses, drive and limits."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import sympy

from eomc.derive.model.errors import ModelError, Source
from eomc.derive.model.joint_kinds import JointKind, joint_kind
from eomc.derive.model.placement import Placement
from eomc.derive.model.rotation import cross
from eomc.derive.model.scalar import Scalar, Vector3, is_zero, scalar

__all__ = ["Joint", "Mimic", "Prescription", "mimic_of", "normal_directions", "unit_vector"]


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


@dataclass(frozen=True)
class Prescription:
    """The motion of a joint or coordinate is given from outside; the needed force is an output."""

    name: str
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Joint:
    """A joint: the child's joint frame moves in the parent's joint frame as its kind allows.

    `placement` is the joint frame in the parent body frame, `child_placement` the joint frame in
    the child body frame. `axis`, `axis2`: unit vectors in the joint frame, for the kinds that have
    them; `pitch` [m/rad]; `sequence` of intrinsic Euler angles; `at` the station of a deformable
    parent, by name or in metres. `damping`, `friction` (one entry a
    speed): generalized force -damping*u - friction*tanh(u/friction_speed). `rotor_inertia` seen
    through `gear_ratio` adds gear_ratio**2*rotor_inertia to the joint's inertia. Limits are data
    for the user of the compiled model: `lower`, `upper` one entry a coordinate, `velocity_limit`,
    `effort_limit` one a speed, +-inf for none, None if not declared. `locked`: the coordinates at
    which the joint is frozen, or None. `cut`: the joint closes a loop by a constraint and has no
    coordinates of its own.
    """

    name: str
    kind: str
    parent: str
    child: str
    axis: Vector3 | None = None
    axis2: Vector3 | None = None
    pitch: Scalar | None = None
    sequence: str | None = None
    at: str | Scalar | None = None
    placement: Placement = Placement()  # noqa: RUF009  (immutable)
    child_placement: Placement = Placement()  # noqa: RUF009
    damping: tuple[Scalar, ...] = ()
    friction: tuple[Scalar, ...] = ()
    friction_speed: Scalar = 1e-3
    rotor_inertia: Scalar = 0
    gear_ratio: Scalar = 1
    lower: tuple[Scalar, ...] | None = None
    upper: tuple[Scalar, ...] | None = None
    velocity_limit: tuple[Scalar, ...] | None = None
    effort_limit: tuple[Scalar, ...] | None = None
    mimic: Mimic | None = None
    cut: bool = False
    locked: tuple[Scalar, ...] | None = None
    source: Source | None = field(default=None, compare=False, repr=False)

    @property
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

    @property
    def direction(self) -> Vector3:
        """The unit axis of a kind that has one."""
        if self.axis is None:
            raise ModelError(f"joint {self.name!r}: kind {self.kind!r} has no axis", self.source)
        return self.axis

    @property
    def is_fixed(self) -> bool:
        """True if the joint never moves: of kind fixed, or locked."""
        return self.kind == "fixed" or self.locked is not None


def unit_vector(vector: Vector3, what: str) -> Vector3:
    """`vector` divided by its length; coordinate axes become exact, unit vectors stay as they are.

    >>> unit_vector((0, 0, -2.0), "axis")
    (0, 0, -1)

    Raises `ModelError` if the length is zero.
    """
    nonzero = [i for i, entry in enumerate(vector) if not is_zero(entry)]
    if not nonzero:
        raise ModelError(f"{what} has zero length; give a nonzero 3-vector")
    numeric = all(isinstance(entry, int | float) for entry in vector)
    if numeric and len(nonzero) == 1:
        sign = 1 if vector[nonzero[0]] > 0 else -1
        x, y, z = (sign if i in nonzero else 0 for i in range(3))
        return (x, y, z)
    if numeric:
        return _unit_numbers(vector)
    return _unit_expressions(vector, what)


def _unit_numbers(vector: Vector3) -> Vector3:
    number = [float(entry) for entry in vector]
    largest = max(abs(entry) for entry in number)
    number = [entry / largest for entry in number]
    norm = math.sqrt(math.fsum(entry * entry for entry in number))
    if abs(largest * norm - 1.0) <= 1e-15:  # a unit vector already, to rounding: keep its digits
        return vector
    x, y, z = (0 if is_zero(entry) else entry / norm for entry in number)
    return (x, y, z)


def _unit_expressions(vector: Vector3, what: str) -> Vector3:
    square = sympy.Add(*(entry**2 for entry in map(sympy.sympify, vector)))
    if square.count_ops() > 100:
        raise ModelError(f"{what} is too long an expression to normalize; give shorter components")
    if sympy.trigsimp(sympy.cancel(square)) == 1:
        return vector
    if square == 0:
        raise ModelError(f"{what} has zero length; give a nonzero 3-vector")
    x, y, z = (0 if is_zero(entry) else scalar(entry / sympy.sqrt(square)) for entry in vector)
    return (x, y, z)


def normal_directions(axis: Vector3) -> tuple[Vector3, Vector3]:
    """Two unit vectors t1, t2 with t1 x t2 = axis: the x and y directions of a planar joint.

    For the coordinate axes they follow cyclically: z has x, y; x has y, z; y has z, x. Otherwise t1
    is the cyclically next coordinate axis after the largest component of `axis`, made normal to it.

    >>> normal_directions((0, 0, 1))
    ((1, 0, 0), (0, 1, 0))
    """
    sizes = [abs(float(entry)) if isinstance(entry, int | float) else 0.5 for entry in axis]
    if sum(is_zero(entry) for entry in axis) == 2:
        largest = next(i for i, entry in enumerate(axis) if not is_zero(entry))
    else:
        largest = max(range(3), key=lambda i: sizes[i])
    following = (largest + 1) % 3
    along = axis[following]
    rejected = tuple(
        (1 if i == following else 0) - (0 if is_zero(along) else along * entry)
        for i, entry in enumerate(axis)
    )
    x, y, z = rejected
    first = unit_vector((x, y, z), "direction normal to the axis")
    return first, cross(axis, first)
