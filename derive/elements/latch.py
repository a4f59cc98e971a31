"""Latches: joints that close and open during a run, as bodies dock, are gripped and let go."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from eomc.derive.elements.element import Element, Mechanism
from eomc.derive.fields.field import (
    OptionalDirection,
    OptionalNumber,
    Placed,
    body,
    direction,
    number,
    truth,
    words,
)
from eomc.derive.fields.field import placement as placed
from eomc.derive.fields.part import positive
from eomc.derive.fields.scope import FORCE
from eomc.derive.joints.joint import Joint
from eomc.derive.joints.joint_declaration import declared_joint
from eomc.derive.joints.joint_kind import JOINT_KINDS
from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import check_new
from eomc.derive.language.near_names import near_names
from eomc.derive.language.registry import kind
from eomc.derive.placement.placement import Placement

__all__ = ["Latch"]

_UNSAID = dict.fromkeys(
    ("axis_2", "pitch", "sequence", "at", "lower", "upper", "velocity_limit", "effort_limit")
)
_LOSSLESS = {"damping": 0, "friction": 0, "friction_speed": 1e-3, "rotor_inertia": 0}


@kind("latch", plural="latches")
class Latch(Element):
    """A joint between two bodies that closes and opens during a run.

    Open it does nothing. Closed it is a joint of its name that closes a loop, and holds the gap
    and the turn at which it closed. It closes where `closes` rises through zero or, without that,
    as soon as `gap` and the other limits that are given are met; it opens where `opens` rises
    through zero. A latch never closes beyond a limit: what its joint leaves free is not limited.
    """

    limits: ClassVar[tuple[str, ...]] = ("gap", "speed", "angle", "angular_speed")
    events: ClassVar[tuple[str, ...]] = ("closes", "opens")

    joint: str = words("kind of the joint, one that can close a loop")
    parent: str = body("that carries the joint frame")
    child: str = body("that is caught")
    axis: OptionalDirection = direction("in the joint frame, of kinds that have one", default=None)
    placement: Placed = placed("of the joint frame in the parent", of="parent", default=Placement())
    child_placement: Placed = placed(
        "of the joint frame in the child", of="child", default=Placement()
    )
    closed: bool = truth("at the start of a run", default=False)
    gap: OptionalNumber = number("m", "largest gap at which it closes", default=None)
    speed: OptionalNumber = number("m/s", "largest rate of the gap", default=None)
    angle: OptionalNumber = number("rad", "largest turn at which it closes", default=None)
    angular_speed: OptionalNumber = number("rad/s", "largest rate of the turn", default=None)
    closes: OptionalNumber = number(
        "", "it closes where this rises through 0", scope=FORCE, default=None
    )
    opens: OptionalNumber = number(
        "", "it opens where this rises through 0", scope=FORCE, default=None
    )

    def check(self) -> None:
        """The joint can close a loop and takes what is given."""
        made = self.cut_joint
        if not made.declaration.closes_loops or made.declaration.is_free:
            valid = [name for name, each in JOINT_KINDS.items() if each().closes_loops]
            raise ModelError(
                f"joint is {self.joint!r}, which cannot close a loop; {near_names('', valid)}"
            )

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """Limits are positive."""
        for word in self.limits:
            if (limit := getattr(self, word)) is not None:
                positive(limit, word, values)

    @cached_property
    def cut_joint(self) -> Joint:
        """The joint that it is while it is closed."""
        return declared_joint(
            self.source,
            name=self.name,
            kind=self.joint,
            parent=self.parent,
            child=self.child,
            axis=self.axis,
            placement=self.placement,
            child_placement=self.child_placement,
            gear_ratio=1,
            mimic=None,
            locked=None,
            cut=True,
            own={},
            **_UNSAID,
            **_LOSSLESS,
        )

    @property
    def offsets(self) -> tuple[str, ...]:
        """Parameters that hold the gap and the turn at which it closed, one a row of the joint."""
        rows = 6 - len(self.cut_joint.speeds)
        return tuple(f"{self.name}_offset_{k + 1}" for k in range(rows))

    def declare_with(self, model: Any) -> None:
        """The joint of a latch that is closed, and the parameters `offsets`."""
        check_new(self.name, "joints", model.joints)
        if self.closed:
            model.joints[self.name] = self.cut_joint
        for name in self.offsets:
            meaning = f"of what latch {self.name!r} holds, set where it closes"
            model.parameter(name, 0, tunable=True, description=meaning, source=self.source)
