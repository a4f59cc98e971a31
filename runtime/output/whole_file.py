"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yields the path of a private file beside `path` to write; moves it there at the end.

    If anything fails, `path` is as before. Raises OSError.
    """
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder; give a file name")
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    try:
        yield Path(name)
        os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
