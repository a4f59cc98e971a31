"""Forms of deformable bodies from the arguments of files and of `Model.deformable`, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eomc.derive.bodies.form import FORMS, Form
from eomc.derive.fields.field import check_given


def make_form(kind: str, arguments: Mapping[str, Any], folder: Path | None = None) -> Form:
    """The form `kind` with the given arguments; names of files in them start at the folder.

    Raises `ModelError` for an unknown kind, an argument that it does not take or lacks.
    """
    form = FORMS.find(kind)
    check_given(form, kind, arguments)
    given = dict(arguments)
    for word in form.paths:
        if folder is not None and isinstance(given.get(word), str):
            given[word] = str(folder / given[word])
    return form(**given)


def form_arguments(form: Form) -> dict[str, Any]:
    """Arguments that differ from their defaults, in order."""
    return {
        field.name: value
        for field in dataclasses.fields(form)
        if field.init and (value := getattr(form, field.name)) != field.default
    }
