"""Joint kinds as records: one class answers everything that is asked of a kind."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from eomc.derive.joints.variables import QUATERNION, JointVariable
from eomc.derive.language.registry import Registry

if TYPE_CHECKING:
    from eomc.derive.drawing.mark import Mark
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.language.scalar import Scalar
    from eomc.derive.tree.scalars import Scalars

__all__ = ["JOINT_KINDS", "JointKind", "joint_kind", "joint_kinds"]


JOINT_KINDS: Registry[type[JointKind]] = Registry("kind", "eomc.derive.joints")


class JointKind(ABC):
    """A kind of joint, with its words, arguments, coordinates and motions; the first sentence of
    the docstring stands in tables.

    Attributes
    ----------
    name : str
        Its word, given by the decorator `kind`.
    also_called : tuple of str
        Words that the field has for it, which messages know.
    arguments : mapping of fields
        Those that joints of this kind have, see `eomc.derive.joints.arguments`.
    coordinates : tuple of JointVariable
        In the order in which the motions take them.
    quasi_velocities : tuple of JointVariable
        The speeds, if they are not the time derivatives of the coordinates.
    turns_round : bool
        With its ends exchanged and its axis opposite the joint is the same, with the same
        coordinates (those of a ball are then of the inverse turn).
    is_base : bool
        May be asked for as the base of a model.
    rides : bool
        A place on a deformable parent, see `eomc.derive.joints.place`.
    drawn : tuple of Mark
        How pictures show it.
    deviations : tuple of (float, float)
        Middle and typical deviation of each coordinate, of kinds that do not move about zero.
    """

    kinds = JOINT_KINDS
    name: ClassVar[str]
    also_called: tuple[str, ...] = ()
    arguments: Mapping[str, Any] = MappingProxyType({})
    coordinates: tuple[JointVariable, ...] = ()
    quasi_velocities: tuple[JointVariable, ...] = ()
    turns_round: bool = False
    is_base: bool = False
    rides: bool = False
    drawn: tuple[Mark, ...] = ()
    deviations: tuple[tuple[float, float], ...] = ()

    @staticmethod
    def named(made: type[JointKind], word: str) -> None:
        """Remember the word of a kind."""
        made.name = word

    @abstractmethod
    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """Constant placements and elementary motions from the parent's joint frame to the
        child's; `scalars` reads the joint's arguments onto the graph."""

    def check(self, joint: Joint) -> None:  # noqa: B027  (nothing to check is the rule)
        """Raise `ModelError` for arguments that do not go together."""

    def holds(self, at: Closure) -> Iterator[Hold]:
        """Constraints of the joint where it closes a loop: labels, and residuals that are zero."""
        raise NotImplementedError

    def losses(self, at: Sides) -> SpatialForce:
        """Force and moment of damping and friction where the joint closes a loop."""
        raise NotImplementedError

    @property
    def closes_loops(self) -> bool:
        """True for a kind that says what it holds."""
        return type(self).holds is not JointKind.holds

    @property
    def loses_in_loops(self) -> bool:
        """True for a kind that says what damping and friction do where it closes a loop."""
        return type(self).losses is not JointKind.losses

    def names(self, joint: str) -> set[str]:
        """Names that a joint of this name has: its own, its coordinates' and its speeds'."""
        return {joint, *(each.of(joint) for each in (*self.coordinates, *self.speeds))}

    @property
    def is_immobile(self) -> bool:
        """True if such joints never move."""
        return not self.coordinates and not self.rides

    @property
    def is_free(self) -> bool:
        """True if such joints leave every motion free."""
        return len(self.speeds) == 6

    @property
    def rates(self) -> bool:
        """True if the speeds are the time derivatives of the coordinates."""
        return not self.quasi_velocities

    @property
    def speeds(self) -> tuple[JointVariable, ...]:
        """The generalized speeds."""
        rates = [
            JointVariable(variable.suffix, f"{variable.unit}/s") for variable in self.coordinates
        ]
        return self.quasi_velocities or tuple(rates)

    @property
    def takes(self) -> tuple[str, ...]:
        """Words of the arguments."""
        return tuple(self.arguments)

    @property
    def sentence(self) -> str:
        """The first sentence of the docstring."""
        return inspect.cleandoc(self.__doc__ or "").split("\n\n")[0].replace("\n", " ")

    def quaternion(self, q: Sequence[Scalar]) -> list[Scalar]:
        """Those of the coordinates' values that are parts of a quaternion."""
        return [
            x for x, variable in zip(q, self.coordinates, strict=True) if variable in QUATERNION
        ]

    def coordinate_names(self, joint: str) -> tuple[str, ...]:
        """Names of the coordinates of a joint of this kind."""
        return tuple(variable.of(joint) for variable in self.coordinates)

    def speed_names(self, joint: str) -> tuple[str, ...]:
        """Names of the generalized speeds of a joint of this kind."""
        return tuple(variable.of(joint) for variable in self.speeds)


def joint_kind(name: str) -> JointKind:
    """The kind called `name`, by its own name or another ("continuous" is "revolute").

    >>> from eomc.derive.joints.joint_kind import joint_kind
    >>> joint_kind("floating").speed_names("base")
    ('base_vx', 'base_vy', 'base_vz', 'base_wx', 'base_wy', 'base_wz')

    Raises `ModelError` with the valid names.
    """
    known = JOINT_KINDS.known
    if isinstance(name, str) and name in known:
        return _made(known[name])
    return _made(JOINT_KINDS.find(name, _called))


def _called() -> dict[str, str]:
    """Words that the field has for kinds, with ours."""
    return {other: word for word in joint_kinds() for other in JOINT_KINDS[word].also_called}


@cache
def _made(kind: type[JointKind]) -> JointKind:
    return kind()


def joint_kinds() -> tuple[str, ...]:
    """Names of all kinds without aliases, those of this package first."""
    return tuple(name for name in JOINT_KINDS if JOINT_KINDS[name].name == name)
