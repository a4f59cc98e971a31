"""Arguments that a joint kind may take: how each is read, what it is by default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, scalar, vector3
from eomc.derive.placement.directions import unit_vector

__all__ = ["AT", "AXIS", "AXIS2", "PITCH", "SEQUENCE", "JointArgument", "direction", "number"]


@dataclass(frozen=True)
class JointArgument:
    """A word of the declaration: `read` checks its value, `meaning` tells unit and frame.

    Without a `default` it must be given.
    """

    word: str
    meaning: str
    read: Callable[[Any], Any]
    default: Any = None

    def by_default(self, value: Any) -> JointArgument:
        """The same argument with a default."""
        return replace(self, default=value)

    def value(self, kind: str, given: Any) -> Any:
        """The value read, of a joint of kind `kind`.

        Raises `ModelError` for one that is missing or wrong.
        """
        given = self.default if given is None else given
        if given is None:
            raise ModelError(f"kind {kind!r} needs {self.word}{self.meaning}")
        return self.read(given)


def number(word: str, meaning: str, default: Scalar | None = None) -> JointArgument:
    """An argument that is a number, or an expression in parameters."""
    return JointArgument(word, meaning, lambda value: scalar(value, word), default)


def direction(word: str, meaning: str = "; give a 3-vector in the joint frame") -> JointArgument:
    """An argument that is a direction; of whatever length it is given, a unit vector comes out."""
    return JointArgument(word, meaning, lambda value: unit_vector(vector3(value, word), word))


def _sequence(value: Any) -> str:
    valid = isinstance(value, str) and len(value) == 3 and set(value) <= set("xyz")
    if not valid or value[0] == value[1] or value[1] == value[2]:
        raise ModelError(
            f"sequence is {value!r}; give three of x, y, z, none twice in a row, such as 'zyx'"
        )
    return str(value)


def _station(value: Any) -> str | Scalar:
    """A station's name, or a number or expression in metres."""
    if isinstance(value, str) and value.isidentifier():
        return value
    return scalar(value, "at")


AXIS = direction("axis")
AXIS2 = direction("axis_2")
PITCH = number("pitch", ", metres per radian")
SEQUENCE = JointArgument("sequence", ", letters of the axes of intrinsic turns", _sequence, "zyx")
AT = JointArgument("at", ", a station of the parent such as 'tip'", _station)
