"""Constraints between bodies and between coordinates, as declarations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from eomc.derive.model.errors import ModelError, Source
from eomc.derive.model.near_names import near_names
from eomc.derive.model.placement import Point, point
from eomc.derive.model.scalar import Scalar, Vector3, is_zero, scalar, vector3

__all__ = ["Constraint", "ConstraintKind", "constraint_kinds", "declared_constraint"]


@dataclass(frozen=True)
class Constraint:
    """A constraint; which of the fields it takes, its kind says.

    a, b : points of bodies; axis_a, axis_b : directions fixed in these bodies; length : a distance
    or a radius [m]; first, second : names of coordinates; ratio, offset of a coupling of them;
    expression : of coordinates, parameters and t (and linear in the speeds, for "velocity").
    """

    name: str
    kind: str
    a: Point | None = None
    b: Point | None = None
    axis_a: Vector3 | None = None
    axis_b: Vector3 | None = None
    length: Scalar | None = None
    first: str | None = None
    second: str | None = None
    ratio: Scalar | None = None
    offset: Scalar | None = None
    expression: Scalar | None = None
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class ConstraintKind:
    """The arguments of a kind: those it needs, and those it may have with their defaults."""

    name: str
    needs: tuple[str, ...]
    takes: tuple[tuple[str, Any], ...] = ()


_KINDS = {
    kind.name: kind
    for kind in (
        ConstraintKind("coincident", ("a", "b")),
        ConstraintKind("distance", ("a", "b", "length")),
        ConstraintKind("point_on_line", ("a", "b", "axis_b")),
        ConstraintKind("point_on_plane", ("a", "b", "axis_b"), (("offset", 0),)),
        ConstraintKind("point_on_surface", ("a", "b", "expression")),
        ConstraintKind("parallel", ("a", "b", "axis_a", "axis_b")),
        ConstraintKind("perpendicular", ("a", "b", "axis_a", "axis_b")),
        ConstraintKind("coupling", ("first", "second", "ratio"), (("offset", 0),)),
        ConstraintKind("driver", ("first", "expression")),
        ConstraintKind("expression", ("expression",)),
        ConstraintKind("velocity", ("expression",)),
        ConstraintKind("knife_edge", ("a", "axis_a")),
        ConstraintKind("rolling", ("a", "b", "axis_b", "length"), (("axis_a", None),)),
    )
}

_READ: dict[str, Callable[[Any], Any]] = {
    "a": point,
    "b": point,
    "axis_a": lambda value: vector3(value, "axis_a"),
    "axis_b": lambda value: vector3(value, "axis_b"),
    "length": lambda value: scalar(value, "length"),
    "ratio": lambda value: scalar(value, "ratio"),
    "offset": lambda value: scalar(value, "offset"),
    "expression": lambda value: scalar(value, "expression"),
    "first": str,
    "second": str,
}


def constraint_kinds() -> tuple[str, ...]:
    """Names of all kinds."""
    return tuple(_KINDS)


def declared_constraint(
    name: str, kind: str, given: dict[str, Any], source: Source | None
) -> Constraint:
    """The constraint that the arguments of `Model.constraint` declare.

    Raises `ModelError` for an unknown kind, and for an argument that it lacks or does not take.
    """
    known = _KINDS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise ModelError(f"unknown kind {kind!r}; {near_names(str(kind), _KINDS)}")
    optional = dict(known.takes)
    for word in given:
        if word not in known.needs and word not in optional:
            takes = ", ".join([*known.needs, *optional])
            raise ModelError(f"kind {kind!r} takes no {word}; it takes {takes}")
    values: dict[str, Any] = {}
    for word in known.needs:
        if given.get(word) is None:
            raise ModelError(f"kind {kind!r} needs {word}")
        values[word] = _READ[word](given[word])
    for word, default in optional.items():
        value = given.get(word, default)
        values[word] = None if value is None else _READ[word](value)
    for word in ("axis_a", "axis_b"):
        axis = values.get(word)
        if axis is not None and all(is_zero(entry) for entry in axis):
            raise ModelError(f"{word} has zero length; give a nonzero 3-vector")
    return Constraint(name, kind, source=source, **values)
