"""A signal that comes while compiled code runs, as Ctrl-C does."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest


@contextmanager
def interrupted(after: float, within: float) -> Iterator[None]:
    """A signal comes after so many seconds; what runs must end by it, within so many of its own."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        if _is_counting(frame):
            signal.setitimer(signal.ITIMER_REAL, 0.01)
        else:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, after)
    begin = time.process_time()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert time.process_time() - begin < within


def _is_counting(frame: FrameType | None) -> bool:
    """True in the tool that counts which lines run, whose C would go on with the exception set."""
    while frame is not None:
        if "slipcover" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False
