"""A model as the text of a TOML model file; reading the text gives the equal model."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import sympy

from eomc.derive.bodies.declared_deformable import Deformable
from eomc.derive.bodies.forms import form_arguments
from eomc.derive.constraints import Constraint
from eomc.derive.fields.part import Part
from eomc.derive.formats.model_file import write_text
from eomc.derive.formats.toml_version import VERSION
from eomc.derive.language.errors import ModelError
from eomc.derive.language.printer import expression_text
from eomc.derive.model.model import Model

__all__ = ["toml_text", "write_toml"]

#: Fields with one entry a coordinate or speed, written as one number where all entries are equal.
_SPREAD = frozenset({"damping", "friction", "lower", "upper", "velocity_limit", "effort_limit"})


def write_toml(model: Model, path: str | Path) -> None:
    """Write `model` to the TOML file `path`."""
    write_text(path, toml_text(model))


def toml_text(model: Model) -> str:
    """Text of the model file: one table an element, arguments left at their defaults left out.

    >>> model = Model("cart", gravity=(0, 0, "-g"))
    >>> _ = model.parameter("g", 9.81, units="m/s^2")
    >>> print(toml_text(model))
    version = 2
    name = "cart"
    gravity = [0, 0, "-g"]
    <BLANKLINE>
    [[parameter]]
    name = "g"
    value = 9.81
    units = "m/s^2"
    <BLANKLINE>
    """
    if not isinstance(model, Model):
        raise ModelError(f"a model file holds bodies and joints; {type(model).__name__} has none")
    lines = [f"version = {VERSION}", f"name = {_value(model.name)}"]
    if model.description:
        lines.append(f"description = {_value(model.description)}")
    lines.append(f"gravity = {_value(model.gravity)}")
    if model.inertia != "error":
        lines.append(f"inertia = {_value(model.inertia)}")
    for word, table in model.tables().items():
        for element in table.values():
            lines += ["", f"[[{word}]]", *_fields(element)]
    return "\n".join(lines) + "\n"


def _fields(element: Any) -> list[str]:
    if isinstance(element, Deformable):
        return _form_fields(element)
    lines = [f"kind = {_value(element.word)}"] if isinstance(element, Part) else []
    for field in dataclasses.fields(element):
        value = getattr(element, field.name)
        if field.name == "own":
            lines += [f"{word} = {_value(entry)}" for word, entry in value]
            continue
        if field.name == "source" or value is None or value == field.default:
            continue
        if field.name in _SPREAD and isinstance(value, tuple):
            value = _together(value)
            if (value == 0 and field.name in ("damping", "friction")) or value == ():
                continue
        elif field.name == "locked" and len(value) == 1:
            value = value[0]
        elif field.name == "inertia" and value[3:] == (0, 0, 0):
            value = value[:3]
        lines.append(f"{field.name} = {_value(value)}")
        if field.name == "name" and isinstance(element, Constraint):
            lines.append(f"kind = {_value(element.kind)}")
    return lines


def _form_fields(element: Deformable) -> list[str]:
    """Name and form of a deformable body, the arguments of the form, what is held."""
    if not element.given.kind:
        form = type(element.given).__name__
        raise ModelError(f"a {form} is no registered form; decorate its class with kind")
    given = {"name": element.name, "kind": element.given.kind}
    lines = [f"{word} = {_value(value)}" for word, value in given.items()]
    if element.held:
        held = ", ".join(f"{name} = {_value(value)}" for name, value in element.held)
        lines.append(f"fixed = {{ {held} }}")
    arguments = form_arguments(element.given)
    return lines + [f"{word} = {_value(value)}" for word, value in arguments.items()]


def _together(values: tuple[Any, ...]) -> Any:
    alike = len({_value(value) for value in values}) == 1
    return values[0] if alike else values


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, sympy.Expr):
        return _string(expression_text(value))
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if dataclasses.is_dataclass(value):
        return "{ " + ", ".join(_fields(value)) + " }"
    raise TypeError(f"{type(value).__name__} has no form in a model file")


def _string(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    shown = (
        character if character.isprintable() else f"\\U{ord(character):08x}"
        for character in escaped
    )
    return '"' + "".join(shown) + '"'
