"""Arguments of declarations, read one by one: what they must be is said where they are not."""

from __future__ import annotations

from typing import Any

from eomc.derive.model.errors import ModelError
from eomc.derive.model.scalar import Scalar, Vector3, is_zero, scalar, vector3


def text(value: Any, what: str) -> str:
    """A string that can be written to a file."""
    if not isinstance(value, str):
        raise ModelError(f"{what}: give text, not {type(value).__name__}")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise ModelError(f"{what}: the text is not valid Unicode")
    return value


def flag(value: Any, what: str) -> bool:
    """True or false, and nothing that is only like them."""
    if not isinstance(value, bool):
        raise ModelError(f"{what}: give true or false, not {value!r}")
    return value


def axes(frame: Any) -> str:
    """In which a vector is given."""
    if frame not in ("world", "body"):
        raise ModelError(f"frame is {frame!r}; valid: 'world', 'body'")
    return str(frame)


def nonzero_direction(value: Any) -> Vector3:
    """A vector that points somewhere."""
    direction = vector3(value, "direction")
    if all(is_zero(entry) for entry in direction):
        raise ModelError("direction has zero length; give a nonzero 3-vector")
    return direction


def spring_values(
    stiffness: Any, damping: Any, free: Any, free_word: str, law: Any
) -> tuple[Scalar, Scalar, Scalar, Scalar | None]:
    """Stiffness, damping and the free length or angle, or a law instead of the first two."""
    values = (scalar(stiffness, "stiffness"), scalar(damping, "damping"), scalar(free, free_word))
    if law is None:
        return (*values, None)
    if not (is_zero(values[0]) and is_zero(values[1])):
        raise ModelError("law and stiffness or damping are both given; put all of it into the law")
    return (*values, scalar(law, "law"))
