"""Models into files, in the format that the suffix tells."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from eomc.derive.formats.format import FORMATS, Written, format_of, suffixes
from eomc.derive.formats.load import load
from eomc.derive.formats.model_file import write_text
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.model.model import Model

__all__ = ["convert", "written"]


def convert(
    model: Model | str | Path, path: str | Path, *, strict: bool = False, **options: Any
) -> tuple[str, ...]:
    """Write a model, or the model in a file, to the file `path` in the format of its suffix.

    Robot formats hold numbers: parameters stand at their default values. Returns sentences about
    what the format does not say, which are also a warning before the file is written; with
    `strict` they are an error. `options` are those of `eomc.load`.

    >>> model = Model("pendulum")
    >>> model.body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0))
    >>> model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0))
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     convert(model, f"{folder}/pendulum.urdf")
    ()

    Raises `ModelError` for a suffix that no writer has, and for bodies and joints that the format
    has no words for. A file of that name is replaced, or stays as it was after an error.
    """
    given = (
        load(model, **{"collisions": True, **options}) if isinstance(model, str | Path) else model
    )
    result = written(given, path)
    if result.left_out and strict:
        raise ModelError(f"strict: {'; '.join(result.left_out)}", Source(str(path)))
    if result.left_out:
        warnings.warn("\n".join(result.left_out), UserWarning, stacklevel=2)
    write_text(path, result.text)
    return result.left_out


def written(model: Any, path: str | Path) -> Written:
    """The text that `convert` writes, and what it does not say."""
    writer = format_of(path).write
    if writer is None:
        valid = [word for word in suffixes() if FORMATS[word].write]
        raise ModelError(
            f"{format_of(path).name} files are only read; written are {', '.join(valid)}",
            Source(str(path)),
        )
    if not isinstance(model, Model):
        raise ModelError(f"a model file holds bodies and joints; {type(model).__name__} has none")
    return writer(model)
