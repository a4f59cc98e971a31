"""Results of a run reach their folder whole, or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eomc.cli.errors import CommandError

_STAGING = ".eomc-"


@contextmanager
def result_folder(folder: Path) -> Iterator[Path]:
    """Yields a private folder to write into; at the end its files move to `folder`.

    If anything fails, nothing appears. Files of the same names are replaced, others left alone.
    """
    from eomc.runtime.output.files import naming

    if folder.exists() and not folder.is_dir():
        raise CommandError(f"{folder} is a file; give a folder")
    above = folder.absolute()
    while not above.is_dir():
        above = above.parent
    # On the same file system, so that files move in one step.
    with naming(folder, above / _STAGING):
        staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=above))
        try:
            yield staging
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(staging.iterdir()):
                os.replace(path, folder / path.name)
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def belongs(file: Path, folder: Path | None) -> bool:
    """True if `file` stands in `folder`, which need not be there yet."""
    return folder is not None and file.absolute().parent == folder.absolute()


def require_place(option: str, file: Path, folder: Path | None = None) -> None:
    """Refuse a file that cannot be written there; `folder` is made for results if need be.

    Raises `CommandError` that names the option.
    """
    if file.is_dir():
        raise CommandError(f"{option} {file}: is a folder")
    if not (file.absolute().parent.is_dir() or belongs(file, folder)):
        raise CommandError(f"{option} {file}: folder {file.parent} does not exist")


def staged(file: Path | None, folder: Path, staging: Path) -> Path | None:
    """Path to write `file` to while `folder` is being made in `staging`."""
    return staging / file.name if file is not None and belongs(file, folder) else file
