"""Emitted files in memory, and how they reach a folder whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path


class Sources(Mapping[str, str]):
    """File name -> text of one emitted model, in a fixed order.

    `name` is the model's prefix: ``<name>.h``, ``<name>.c``, ``<name>.json``, ``CMakeLists.txt``.
    `table` gives the files that make a library of them which eomc can call, where there are any.
    """

    def __init__(
        self, name: str, files: Mapping[str, str], table: Callable[[], Mapping[str, str]] = dict
    ) -> None:
        self.name = name
        self._files = dict(files)
        self._table = table

    def __getitem__(self, file: str) -> str:
        return self._files[file]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __repr__(self) -> str:
        return f"Sources({self.name!r}, {', '.join(self._files)})"

    @property
    def module(self) -> str:
        """Name of the extension module that stands alone."""
        return f"{self.name}_module"

    @property
    def c_files(self) -> list[str]:
        """The C files to compile."""
        return [file for file in self._files if file.endswith(".c")]

    @cached_property
    def with_table(self) -> "Sources":
        """The same with the table by which eomc calls the compiled model."""
        return Sources(self.name, {**self._files, **self._table()})

    @property
    def library_files(self) -> list[str]:
        """The C files to compile into a library that eomc can call: a model's only C file is part
        of its table's."""
        table = f"{self.name}_table.c"
        own = [file for file in self.c_files if file != table]
        return [table] if len(own) == 1 else [*own, table]


def write(sources: Mapping[str, str], folder: str | os.PathLike[str]) -> Path:
    """Write the files into ``folder`` (made if missing) and return it; names may have folders.

    All files are first written beside it, then moved into place one by one by atomic renames: no
    file is ever seen half-written, and if anything fails before the moves the folder is as before.
    Other files of the folder are left alone.

    Raises OSError, also if ``folder`` is a file.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise NotADirectoryError(f"{target} is not a folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        staging = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:  # which names a folder that nobody asked for
        raise OSError(error.errno, error.strerror, str(target)) from error
    try:
        for name, text in sources.items():
            (staging / name).parent.mkdir(parents=True, exist_ok=True)
            try:
                (staging / name).write_text(text, encoding="utf-8", newline="\n")
            except OSError as error:  # of a full disk, which names no file
                raise OSError(error.errno, error.strerror, str(target / name)) from error
        if not target.exists():
            staging.chmod(0o777 & ~_umask())
            try:
                staging.rename(target)
                return target
            except OSError:
                if not target.is_dir():  # else another writer was faster: replace file by file
                    raise
        for name in sources:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
        for name in sources:
            (staging / name).replace(target / name)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return target


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
