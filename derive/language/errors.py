"""The one exception of model declarations, and where in a file an element stands."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import FrameType, TracebackType

__all__ = ["ModelError", "Source", "caller_source", "declaring"]

_PACKAGE = "eomc.derive"


@dataclass(frozen=True)
class Source:
    """Place of a declaration: a file and a line counted from 1 (0: the file as a whole).

    >>> str(Source("arm.toml", 31))
    'arm.toml:31'
    """

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


class ModelError(ValueError):
    """A model that is malformed, contradictory or physically impossible.

    The text names the element, its place where known, and what would be valid:

    >>> str(ModelError("joint 'elbow': axis has zero length", Source("arm.toml", 31)))
    "arm.toml:31: joint 'elbow': axis has zero length"
    """

    def __init__(self, message: str, source: Source | None = None) -> None:
        super().__init__(message, source)
        self.message = message
        self.source = source

    def __str__(self) -> str:
        return f"{self.source}: {self.message}" if self.source else self.message

    def within(self, element: str, source: Source | None) -> ModelError:
        """The same error told of `element` at `source`, unless it already names its place."""
        if self.source is not None:
            return self
        return type(self)(f"{element}: {self.message}", source)


def caller_source() -> Source | None:
    """Line of the user's program that called into this package.

    A model declared in Python is a file too: its errors point at the declaring line.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        code = frame.f_code  # the constructors of records are made, not written
        written = (code.co_filename, code.co_name) != ("<string>", "__init__")
        if written and name != _PACKAGE and not name.startswith(_PACKAGE + "."):
            return Source(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


class declaring:
    """Errors raised inside name the element and its place, by default the caller's line."""

    def __init__(self, kind: str, name: object, source: Source | None = None) -> None:
        self.element = f"{kind} {str(name)[:80]!r}"
        self.source = source or caller_source()

    def __enter__(self) -> Source | None:
        return self.source

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, ModelError) and error.source is None:
            raise error.within(self.element, self.source) from None
        if isinstance(error, ArithmeticError | ValueError) and not isinstance(error, ModelError):
            # numbers without a meaning, as products beyond double precision
            raise ModelError(f"{self.element}: {error}", self.source) from error
