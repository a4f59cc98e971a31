"""Places on a deformed body, fixed to a station or travelling along the body.

The station frame moves with the deformation of the parent: its displacement, and the turns of its
axes. The translation of the joint's placement is added to the displacement in the axes of the
undeformed body; then come the turns of the station, the rotation of the placement, and the whole
of the child's placement.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy

from eomc.derive.bodies.form import Attachment
from eomc.derive.geometry import PlaneRotation, Rotation, Vector
from eomc.derive.joints.joint_kind import JointKind
from eomc.derive.joints.steps import Fixed, Step
from eomc.derive.language.errors import ModelError
from eomc.derive.motions.following import ScalarFunction, Shift, TurnBy
from eomc.derive.tree.scalars import Scalars

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.language.scalar import Scalar


class DeformedPlace(JointKind):
    """A kind whose child sits on a deformable parent; its motions are those of the parent."""

    rides = True

    @abstractmethod
    def station(self, joint: Joint) -> str | Scalar | None:
        """The station of the parent: a name, a length [m], or the coordinate."""

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """Those of the parent's deformation, see `followed`."""
        raise ModelError(
            f"joint {joint.name!r}: kind {joint.kind!r} moves as its parent deforms", joint.source
        )


@dataclass(frozen=True)
class FollowedMotion:
    """A following motion and the names of the coordinates that it follows."""

    motion: Shift | TurnBy
    names: tuple[str, ...]


def followed(
    place: Attachment, known: Sequence[sympy.Symbol], scalars: Scalars
) -> list[FollowedMotion | Fixed]:
    """The displacement and the turns of a place, those that are constant as constant placements."""
    steps: list[FollowedMotion | Fixed] = []
    zero = scalars(0)
    still = Vector(zero, zero, zero)
    entries = tuple(sympy.sympify(entry) for entry in place.displacement)
    symbols = _among(known, entries)
    if symbols:
        shift = Shift([ScalarFunction(entry, symbols, scalars) for entry in entries])
        steps.append(FollowedMotion(shift, tuple(symbol.name for symbol in symbols)))
    else:
        identity = Rotation().matrix(zero)
        steps.append(Fixed(identity, scalars.vector(entries)))
    for axis, angle in place.turns:
        value = sympy.sympify(angle)
        symbols = _among(known, (value,))
        if symbols:
            turn = TurnBy(axis, ScalarFunction(value, symbols, scalars))
            steps.append(FollowedMotion(turn, tuple(symbol.name for symbol in symbols)))
        elif value != 0:
            turned = scalars(value)
            plane = PlaneRotation(turned.cos(), turned.sin(), "xyz".index(axis))
            steps.append(Fixed(Rotation([plane]).matrix(zero), still))
    return steps


def _among(
    known: Sequence[sympy.Symbol], entries: Sequence[sympy.Expr]
) -> tuple[sympy.Symbol, ...]:
    free: set[sympy.Symbol] = set().union(*(entry.free_symbols for entry in entries))
    return tuple(symbol for symbol in known if symbol in free)
