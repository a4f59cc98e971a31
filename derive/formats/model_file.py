"""Files of models on disk: read whole and bounded, written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from eomc.derive.language.errors import ModelError, Source

__all__ = ["read_bytes", "write_text"]

_LARGEST = 32 * 2**20


def read_bytes(path: str | Path) -> bytes:
    """Content of the file at `path`, at most 32 MiB.

    Raises `ModelError` for a missing or unreadable file, a directory, a file that is too long.
    """
    source = Source(str(path))
    try:
        if Path(path).is_dir():
            raise ModelError("is a directory; give a model file", source)
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError:
        raise ModelError("there is no such file", source) from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL byte
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError(f"cannot be read: {reason}", source) from None
    if len(data) > _LARGEST:
        raise ModelError(f"is longer than {_LARGEST // 2**20} MiB; no model file", source)
    return data


def write_text(path: str | Path, text: str) -> None:
    """Write `text` (UTF-8) to `path`; a failure midway leaves the old file as it was."""
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise ModelError(f"cannot be written: {error.strerror}", Source(str(path))) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise ModelError(f"cannot be written: {error.strerror}", Source(str(path))) from None
