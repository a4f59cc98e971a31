"""Joint kinds as records: one class answers everything that is asked of a kind.

Every kind of this package is one file beside this one, found by itself and imported when a joint is
of that kind; a kind of a package of its own is registered when its module is imported.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from eomc.derive.joints.arguments import JointArgument
from eomc.derive.joints.variables import QUATERNION, JointVariable
from eomc.derive.language.errors import ModelError
from eomc.derive.language.kind_files import KindFiles
from eomc.derive.language.near_names import near_names

if TYPE_CHECKING:
    from eomc.derive.drawing.mark import Mark
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.language.scalar import Scalar
    from eomc.derive.tree.scalars import Scalars

__all__ = ["JointKind", "joint_kind", "joint_kinds", "register_joint_kind"]


class JointKind(ABC):
    """A kind of joint, with its words, arguments, coordinates and motions; the first sentence of
    the docstring stands in tables.

    Attributes
    ----------
    name, aliases
        Words of the declaration.
    also_called : tuple of str
        Words that the field has for it, which messages know.
    arguments : tuple of Argument
        Those that apply, see `eomc.derive.joints.arguments`.
    coordinates : tuple of Variable
        In the order in which the motions take them.
    quasi_velocities : tuple of Variable
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

    name: str
    aliases: tuple[str, ...] = ()
    also_called: tuple[str, ...] = ()
    arguments: tuple[JointArgument, ...] = ()
    coordinates: tuple[JointVariable, ...] = ()
    quasi_velocities: tuple[JointVariable, ...] = ()
    turns_round: bool = False
    is_base: bool = False
    rides: bool = False
    drawn: tuple[Mark, ...] = ()
    deviations: tuple[tuple[float, float], ...] = ()

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
        return tuple(argument.word for argument in self.arguments)

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


_FILES = KindFiles("    (?:name|aliases) =", "eomc.derive.joints")
_KINDS: dict[str, JointKind] = {}

Kind = TypeVar("Kind", bound=type[JointKind])


def register_joint_kind(kind: Kind) -> Kind:
    """Decorator: make a kind known; the same one may be registered again, as by a module reloaded.

    Raises `ModelError` if another kind has its name.
    """
    made = kind()
    for name in (made.name, *made.aliases):
        _FILES.load(name)
        known = _KINDS.get(name)
        if known is not None and type(known).__qualname__ != kind.__qualname__:
            raise ModelError(f"joint kind {name!r} is already registered")
    _KINDS.update(dict.fromkeys((made.name, *made.aliases), made))
    return kind


def joint_kind(name: str) -> JointKind:
    """The kind called `name`, by its own name or another ("continuous" is "revolute").

    >>> from eomc.derive.joints.joint_kind import joint_kind
    >>> joint_kind("floating").speed_names("base")
    ('base_vx', 'base_vy', 'base_vz', 'base_wx', 'base_wy', 'base_wz')

    Raises `ModelError` with the valid names.
    """
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        _FILES.load(name)
        kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        names = joint_kinds()
        called = {word: known for known in names for word in _KINDS[known].also_called}
        raise ModelError(f"unknown kind {name!r}; {near_names(str(name), names, called)}")
    return kind


def joint_kinds() -> tuple[str, ...]:
    """Names of all kinds without aliases, those of this package first."""
    _FILES.load_all()
    names = dict.fromkeys([*_FILES.module, *_KINDS])
    return tuple(name for name in names if _KINDS[name].name == name)
