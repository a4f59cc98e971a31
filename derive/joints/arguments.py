"""Fields that joints of some kinds have, listed in `JointKind.arguments` by their words.

    arguments = fields(axis=axis(), arm=number("m", "length of the arm", default=0))

`number` is that of `eomc.derive.fields.field`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from types import MappingProxyType
from typing import Any

from eomc.derive.fields.field import SCALAR, FieldKind, number, of_kind, rows_of
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, Vector3, scalar, vector3
from eomc.derive.placement.directions import unit_vector

__all__ = ["PITCH", "SEQUENCE", "STATION", "axis", "fields", "number"]


class _JointAxis(FieldKind):
    """A direction; of whatever length it is given, a unit vector comes out."""

    def schema(self) -> dict[str, Any]:
        """Three scalars."""
        return rows_of(SCALAR, 3)

    def read(self, value: Any, word: str) -> Vector3:
        """The unit vector."""
        return unit_vector(vector3(value, word), word)


class _TurnSequence(FieldKind):
    """Letters of three axes."""

    def schema(self) -> dict[str, Any]:
        """None twice in a row."""
        return {"type": "string", "pattern": "^(?!.*(.)\\1)[xyz]{3}$"}

    def read(self, value: Any, word: str) -> str:
        """The letters."""
        valid = isinstance(value, str) and len(value) == 3 and set(value) <= set("xyz")
        if not valid or value[0] == value[1] or value[1] == value[2]:
            raise ModelError(
                f"{word} is {value!r}; give three of x, y, z, none twice in a row, such as 'zyx'"
            )
        return str(value)


class _StationField(FieldKind):
    """A station's name, or a number or expression in metres."""

    def schema(self) -> dict[str, Any]:
        """Either."""
        return SCALAR

    def read(self, value: Any, word: str) -> str | Scalar:
        """The name, or the scalar."""
        if isinstance(value, str) and value.isidentifier():
            return value
        return scalar(value, word)


def fields(**given: Any) -> Mapping[str, Any]:
    """Fields by their words."""
    return MappingProxyType(given)


def axis(*, default: Any = MISSING) -> Any:
    """The field of an axis in the joint frame."""
    return of_kind(_JointAxis("a 3-vector in the joint frame"), default=default)


PITCH = number("m/rad", "metres per radian")
SEQUENCE = of_kind(_TurnSequence("letters of the axes of intrinsic turns"), default="zyx")
STATION = of_kind(_StationField("a station of the parent such as 'tip'", "m"))
