"""Results of a study: in memory, or in a folder that a study goes on from."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from eomc.runtime.names.near_names import near_names
from eomc.runtime.output.files import digest, naming, whole_file
from eomc.runtime.study.formats import FORMATS
from eomc.runtime.study.formats.format import AnyArray
from eomc.runtime.study.rollout import FAILED

_RECORD, _LOCK, _PRIVATE = "study.json", "study.lock", ".unfinished-"
_OWN = "sha256"


class StudyError(RuntimeError):
    """A study cannot go on: its folder is another's, or in use, or damaged."""


class Results:
    """Results of the runs of a study, in their order.

    ``results["q"]`` is the whole array of a name with the runs in front; `parts` yields shares of
    the runs one after the other, for what does not fit into memory.

    Attributes
    ----------
    size : int
        Number of runs of the study.
    chunk : int
        Runs in a share.
    folder : Path or None
    """

    def __init__(self, size: int, chunk: int, folder: Path | None = None, form: str = "npz"):
        self.size, self.chunk, self.folder = size, chunk, folder
        self.form = FORMATS[form]
        self._held: dict[int, Mapping[str, AnyArray]] = {}

    @property
    def shares(self) -> int:
        """Number of shares of all runs."""
        return -(-self.size // self.chunk)

    def bounds(self, share: int) -> tuple[int, int]:
        """(first, last + 1) run of a share."""
        return share * self.chunk, min((share + 1) * self.chunk, self.size)

    def has(self, share: int) -> bool:
        """True if the runs of a share are done."""
        return share in self._held if self.folder is None else self._path(share).exists()

    @property
    def missing(self) -> list[int]:
        """Shares that are not done."""
        return [share for share in range(self.shares) if not self.has(share)]

    def keep(self, share: int, results: Mapping[str, AnyArray]) -> None:
        """Take in the results of a share, whole or not at all."""
        if self.folder is None:
            self._held[share] = results
            return
        path = self._path(share)
        private = path.with_name(_PRIVATE + path.name)
        with naming(path, private):
            try:
                self.form.write(private, self.bounds(share)[0], results, digest(results))
                os.replace(private, path)
            except BaseException:
                _remove(private)
                raise

    def share(self, share: int) -> Mapping[str, AnyArray]:
        """The results of one share. Raises `StudyError` if it is not done, or damaged."""
        if not self.has(share):
            first, last = self.bounds(share)
            raise StudyError(f"runs {first} to {last - 1} are not done; run the study again")
        if self.folder is None:
            return self._held[share]
        path = self._path(share)
        try:
            found, written = self.form.read(path)
        except Exception as error:  # each format has its own
            raise _damaged(path, str(error) or type(error).__name__) from None
        if digest(found) != written:
            raise _damaged(path, "it is not what was written")
        return found

    def parts(self) -> Iterator[tuple[int, Mapping[str, AnyArray]]]:
        """(first run, results) of each share in order."""
        for share in range(self.shares):
            yield self.bounds(share)[0], self.share(share)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the results."""
        return tuple(self.share(0))

    def __getitem__(self, name: str) -> AnyArray:
        if name not in self.names:
            raise KeyError(f"no result {name!r}; {near_names(str(name), self.names)}")
        return np.concatenate([results[name] for _, results in self.parts()])

    @property
    def failed(self) -> AnyArray:
        """Numbers of the runs that came to no end; their results are not numbers."""
        return np.flatnonzero(self[FAILED])

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        done = self.shares - len(self.missing)
        where = "in memory" if self.folder is None else f"in {self.folder}"
        return f"<Results of {self.size} runs, {done} of {self.shares} shares done, {where}>"

    def _path(self, share: int) -> Path:
        assert self.folder is not None
        return self.folder / f"runs-{share:06d}{self.form.suffix}"

    def clear_unfinished(self) -> None:
        """Remove what a process that was killed left half-written."""
        if self.folder is not None:
            for path in self.folder.glob(f"{_PRIVATE}*"):
                _remove(path)


def read(folder: str | os.PathLike[str]) -> Results:
    """The results in the folder of a study, done or not. Raises `StudyError`."""
    record = _record(Path(folder))
    if record is None:
        raise StudyError(f"{folder} holds no study; there is no {_RECORD}")
    return Results(record["size"], record["chunk"], Path(folder), record["format"])


def opened(
    folder: Path, size: int, chunk: int | None, usual: int, form: str, told: Mapping[str, Any]
) -> Results:
    """Results in a folder, new or gone on with.

    Raises `StudyError` for a folder with another study, and names what differs.
    """
    prints = {name: _print(value) for name, value in told.items()}
    record = _record(folder)
    if record is None:
        folder.mkdir(parents=True, exist_ok=True)
        if any(path.name != _LOCK for path in folder.iterdir()):
            raise StudyError(f"{folder} is not empty and holds no study; give a new folder")
        record = {
            "size": size,
            "chunk": chunk or usual,
            "format": form,
            "told": prints,
            "summary": {name: value for name, value in told.items() if len(str(value)) < 2000},
        }
        with whole_file(folder / _RECORD) as path:
            text = json.dumps({**record, _OWN: _print(record)}, indent=1)
            path.write_text(text, encoding="utf-8")
    given = {"size": size, "format": form, **prints}
    kept = {"size": record["size"], "format": record["format"], **record["told"]}
    if chunk is not None:
        given["chunk"], kept["chunk"] = chunk, record["chunk"]
    others = [name for name in given if given[name] != kept.get(name)]
    if others:
        raise StudyError(
            f"{folder} holds another study, of other {', '.join(others)}; give another folder, or "
            "what it was begun with"
        )
    results = Results(size, record["chunk"], folder, form)
    return results


@contextmanager
def alone(folder: Path | None) -> Iterator[None]:
    """Nobody else works in the folder meanwhile; `StudyError` if somebody does."""
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("w") as file:
        try:
            import fcntl
        except ImportError:  # not a POSIX system
            yield
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StudyError(f"another process works on the study in {folder}") from None
        yield


def _record(folder: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        if found.pop(_OWN) != _print(found):
            raise ValueError
        return found
    except FileNotFoundError:
        return None
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        raise StudyError(f"{folder / _RECORD} is damaged; give another folder") from None


def _damaged(path: Path, why: str) -> StudyError:
    return StudyError(f"{path} is damaged ({why}); remove it and run again")


def _print(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
