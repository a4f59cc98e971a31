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
    with naming(target, target.with_name(f".{target.name}.")):
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        os.close(handle)
        try:
            yield Path(name)
            os.chmod(name, 0o644)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise


@contextmanager
def naming(target: str | os.PathLike[str], private: Path) -> Iterator[None]:
    """Errors of the system name `target` where they name no file, as that of a full disk does, or
    one whose path begins as `private`.

    >>> with naming("out.csv", Path(".out.csv.")):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    OSError: [Errno 28] No space left on device: 'out.csv'
    """
    try:
        yield
    except OSError as error:
        there = None if error.filename is None else os.path.abspath(os.fsdecode(error.filename))
        is_own = there is None or there.startswith(os.path.abspath(private))
        if error.errno is None or not is_own:
            raise
        raise OSError(error.errno, error.strerror, os.fspath(target)) from error
