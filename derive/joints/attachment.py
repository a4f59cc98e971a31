"""Places on a deformed body, fixed (attachment) or travelling (track).

The translation of the joint's placement is added to the displacement in the axes of the undeformed
body; then come the turns of the station, and the rotation of the placement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from eomc.derive.bodies.form import Attachment
from eomc.derive.geometry import PlaneRotation, Rotation, Vector
from eomc.derive.joints.following import Function, Shift, TurnBy
from eomc.derive.joints.steps import Fixed
from eomc.derive.tree.scalars import Scalars


@dataclass(frozen=True)
class Followed:
    """A following motion and the names of the coordinates that it follows."""

    motion: Shift | TurnBy
    names: tuple[str, ...]


def followed(
    place: Attachment, known: Sequence[sympy.Symbol], scalars: Scalars
) -> list[Followed | Fixed]:
    """The displacement and the turns of a place, those that are constant as constant placements."""
    steps: list[Followed | Fixed] = []
    zero = scalars(0)
    still = Vector(zero, zero, zero)
    entries = tuple(sympy.sympify(entry) for entry in place.displacement)
    symbols = _among(known, entries)
    if symbols:
        shift = Shift([Function(entry, symbols, scalars) for entry in entries])
        steps.append(Followed(shift, tuple(symbol.name for symbol in symbols)))
    else:
        identity = Rotation().matrix(zero)
        steps.append(Fixed(identity, scalars.vector(entries)))
    for axis, angle in place.turns:
        value = sympy.sympify(angle)
        symbols = _among(known, (value,))
        if symbols:
            turn = TurnBy(axis, Function(value, symbols, scalars))
            steps.append(Followed(turn, tuple(symbol.name for symbol in symbols)))
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
