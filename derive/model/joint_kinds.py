"""The kinds of joints as data: names of coordinates and speeds, and the arguments they take.

The mechanics of a kind (transform, motion subspace, rates) live under the same name in the
derivation. A new kind is one new file that registers itself here with `register_joint_kind`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eomc.derive.model.errors import ModelError
from eomc.derive.model.near_names import near_names

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.model.placement import Placement
    from eomc.derive.model.scalar import Scalar

__all__ = ["JointKind", "joint_kind", "joint_kinds", "register_joint_kind"]

#: Arguments of a joint that only some kinds take.
SPECIFIC = ("axis", "axis2", "pitch", "sequence", "at")


@dataclass(frozen=True)
class JointKind:
    """What the declaration of a joint kind needs to know.

    `coordinates` and `speeds` are suffixes: a joint named j has the coordinates j_<suffix>, or
    plain j if the one suffix is "". `takes` are the specific arguments (axis, axis2, pitch,
    sequence, at) that apply. `rates`: the speeds are the time derivatives of the coordinates.
    `pose(joint, q)` is the placement of the child-side joint frame in the parent-side one at given
    coordinates; a kind without it cannot be locked. `subspace(joint, q)` are the twists (omega, v)
    of the child-side joint frame in its own axes, one a unit speed, of a joint of plain numbers; a
    kind without it is not searched for coordinates that carry no inertia. `neutral` are the
    coordinates at which the placement is the identity.
    """

    name: str
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    takes: frozenset[str] = frozenset()
    rates: bool = True
    pose: Callable[[Joint, tuple[Scalar, ...]], Placement] | None = field(
        default=None, compare=False
    )
    subspace: Callable[[Joint, tuple[Scalar, ...]], list[tuple[Scalar, ...]]] | None = field(
        default=None, compare=False
    )
    neutral: tuple[int, ...] = ()

    def coordinate_names(self, joint: str) -> tuple[str, ...]:
        """Names of the coordinates of a joint of this kind."""
        return tuple(f"{joint}_{suffix}" if suffix else joint for suffix in self.coordinates)

    def speed_names(self, joint: str) -> tuple[str, ...]:
        """Names of the generalized speeds of a joint of this kind."""
        return tuple(f"{joint}_{suffix}" if suffix else joint for suffix in self.speeds)

    @property
    def neutral_coordinates(self) -> tuple[int, ...]:
        """Coordinates of the neutral position: zeros, or the identity quaternion."""
        return self.neutral or (0,) * len(self.coordinates)


_KINDS: dict[str, JointKind] = {}
_ALIASES = {"continuous": "revolute", "floating_planar": "planar"}


def register_joint_kind(kind: JointKind) -> JointKind:
    """Make `kind` known; the same kind may be registered again, another one of its name may not."""
    known = _KINDS.get(kind.name)
    if known is not None and known != kind:
        raise ModelError(f"joint kind {kind.name!r} is already registered with other coordinates")
    if not kind.takes <= set(SPECIFIC):
        raise ModelError(f"joint kind {kind.name!r}: takes must be among {', '.join(SPECIFIC)}")
    return _KINDS.setdefault(kind.name, kind)


def joint_kind(name: str) -> JointKind:
    """The kind called `name` ("continuous" is "revolute", "floating_planar" is "planar").

    >>> from eomc.derive.model import joint_kind
    >>> joint_kind("floating").speed_names("base")
    ('base_vx', 'base_vy', 'base_vz', 'base_wx', 'base_wy', 'base_wz')

    Raises `ModelError` with the valid names.
    """
    from eomc.derive.model import (  # noqa: F401  (they register the kinds of this package)
        attachment_joints,
        joint_poses,
        orbit_joints,
    )

    kind = _KINDS.get(_ALIASES.get(name, name) if isinstance(name, str) else "")
    if kind is None:
        raise ModelError(f"unknown kind {name!r}; {near_names(str(name), _KINDS)}")
    return kind


def joint_kinds() -> tuple[str, ...]:
    """Names of all registered kinds, in order of registration."""
    from eomc.derive.model import attachment_joints, joint_poses, orbit_joints  # noqa: F401

    return tuple(_KINDS)
