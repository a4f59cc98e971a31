"""Signs of life of long work on graphs: who does it says how far it is, who started it listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_LISTENER: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def heard_by(listener: Callable[[str], None]) -> Iterator[None]:
    """Tell `listener` all that is said meanwhile.

    >>> with heard_by(print):
    ...     say("deriving mass_matrix, 1 of 2")
    deriving mass_matrix, 1 of 2
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def say(text: str) -> None:
    """Tell whoever listens, if anybody does."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(text)
