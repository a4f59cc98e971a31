"""The kinds of deformable bodies by name, for model files and for `Model.deformable`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from eomc.derive.bodies.form import Form
from eomc.derive.language.errors import ModelError
from eomc.derive.language.kind_files import KindFiles
from eomc.derive.language.near_names import near_names

_FILES = KindFiles("@register_form", "eomc.derive.bodies", "eomc.derive.structures")
_KINDS: dict[str, type[Form]] = {}
T = TypeVar("T", bound=Form)


def register_form(kind: str) -> Any:
    """Decorator: the frozen dataclass is the form called `kind` in model files.

    Its fields are the arguments that a file gives: numbers, expressions as text, lists.
    """

    def remember(form: type[T]) -> type[T]:
        _FILES.load(kind)
        known = _KINDS.get(kind)
        if known is not None and known.__qualname__ != form.__qualname__:
            raise ModelError(f"form {kind!r} is already registered")
        _KINDS[kind] = form
        return form

    return remember


def form_kinds() -> tuple[str, ...]:
    """Names of all registered forms, those of this package first."""
    return tuple(dict.fromkeys([*_FILES.module, *_KINDS]))


def make_form(kind: str, arguments: Mapping[str, Any], folder: Path | None = None) -> Form:
    """The form `kind` with the given arguments; names of files in them start at the folder.

    Raises `ModelError` for an unknown kind, an argument that it does not take or lacks.
    """
    _FILES.load(kind)
    if kind not in _KINDS:
        raise ModelError(f"unknown form {kind!r}; {near_names(str(kind), form_kinds())}")
    form = _KINDS[kind]
    takes = {field.name: field for field in dataclasses.fields(form) if field.init}  # type: ignore[arg-type]
    for word in arguments:
        if word not in takes:
            raise ModelError(f"form {kind!r} takes no {word!r}; {near_names(word, takes)}")
    for word, field in takes.items():
        optional = (
            field.default is not dataclasses.MISSING
            or field.default_factory is not dataclasses.MISSING
        )
        if word not in arguments and not optional:
            raise ModelError(f"form {kind!r} needs {word}")
    given = dict(arguments)
    for word in form.paths:
        if folder is not None and isinstance(given.get(word), str):
            given[word] = str(folder / given[word])
    return form(**given)


def kind_name(form: Form) -> str:
    """The name under which the form's class is registered, else the name of the class."""
    known = (kind for kind, known in _KINDS.items() if type(form) is known)
    return next(known, type(form).__name__)


def form_kind(form: Form) -> str:
    """The name under which the form's class is registered.

    Raises `ModelError` for a class that is not, which no model file can hold.
    """
    for kind, known in _KINDS.items():
        if type(form) is known:
            return kind
    raise ModelError(
        f"a {type(form).__name__} is no registered form; decorate its class with register_form"
    )


def form_arguments(form: Form) -> dict[str, Any]:
    """Arguments that differ from their defaults, in order."""
    return {
        field.name: value
        for field in dataclasses.fields(form)  # type: ignore[arg-type]
        if field.init and (value := getattr(form, field.name)) != field.default
    }
