"""Files that appear whole or not at all, and hashes of the arrays in them."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def digest(results: Mapping[str, NDArray[np.generic]]) -> str:
    """SHA-256 of names, shapes and values, whatever file they are in."""
    found = hashlib.sha256()
    for name in sorted(results):
        array = np.asarray(results[name])
        is_number = array.dtype.kind in "biufc"
        kind = f"{array.dtype.kind}{array.dtype.itemsize}" if is_number else "text"
        found.update(f"{name}\0{kind}\0{array.shape}\0".encode())
        if is_number:
            little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
            found.update(little.tobytes())
        else:
            found.update("\0".join(map(str, array.ravel().tolist())).encode())
    return found.hexdigest()


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
