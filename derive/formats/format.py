"""The record of a format of model files, and the one place that knows which there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.registry import Registry

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = [
    "SNAP",
    "Format",
    "Reader",
    "Written",
    "check_snap",
    "format_of",
    "register_format",
    "suffixes",
]

#: Rotation entries this close to 0 or +-1 are meant so: files write pi/2 as 1.57079632679.
SNAP = 1e-11


#: Reads the file at a path, read(path, snap=...): rotation entries within `snap` of 0 or +-1 are
#: taken so. Options that its format alone has are further keywords, see `Format.further`.
Reader: TypeAlias = "Callable[..., Model]"


@dataclass(frozen=True)
class Written:
    """Text of a model file, and sentences about what it does not say."""

    text: str
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format:
    """A format of model files.

    Attributes
    ----------
    name : as errors and pages call it
    suffixes : ends of the names of its files, in small letters
    read : the declared model, not yet checked as a whole
    base : what holds the root body where the file does not say: "fixed", "floating", or None for
        a format that always says
    inertia : what an inertia is that no body has, or None for a format that says so itself
    further : options of `eomc.load` that are handed to `read`
    write : the text of a model, or None for a format that is only read
    """

    name: str
    suffixes: tuple[str, ...]
    read: Reader
    base: str | None = None
    inertia: str | None = None
    further: tuple[str, ...] = ()
    write: Callable[[Model], Written] | None = None


FORMATS: Registry[Format] = Registry("suffix", "eomc.derive.formats", mark=r"register_format\(")


def register_format(record: Format) -> Format:
    """Make `eomc.load` and every command read files of these suffixes.

    Raises `ModelError` for a suffix that another format has.
    """
    for suffix in record.suffixes:
        if suffix != suffix.lower() or not suffix.startswith("."):
            raise ModelError(f"suffix {suffix!r}; write it in small letters, with its point")
        other = FORMATS.get(suffix)
        if other is not None and other.name != record.name:
            raise ModelError(f"suffix {suffix!r} is that of {other.name}; choose another")
    return FORMATS.add(record, *record.suffixes)


def check_snap(snap: object) -> None:
    """Raise `ModelError` unless `snap` is a small number."""
    if isinstance(snap, bool) or not isinstance(snap, int | float) or not 0 <= snap < 1e-3:
        raise ModelError(f"snap is {snap!r}; give a small number such as {SNAP:g}, or 0")


def suffixes() -> tuple[str, ...]:
    """Of all formats.

    >>> ".toml" in suffixes() and ".urdf" in suffixes()
    True
    """
    return tuple(sorted(word for word in FORMATS if word.startswith(".")))


def format_of(path: str | Path) -> Format:
    """The format of the file at `path`, by its suffix. Raises `ModelError`."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ModelError(
            f"unknown kind of file {suffix or 'without suffix'!r}; valid: "
            f"{', '.join(map(repr, suffixes()))}",
            Source(str(path)),
        )
    return FORMATS[suffix]
