"""A guard against what hangs, by the time of this process alone: a busy machine changes nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

LIMIT = 120.0
"""Seconds of the processor: a hundred times what anything that is guarded takes, so that none is
refused for being slow; what has fallen into an exponential or a square never ends in them."""


@contextmanager
def ending() -> Iterator[None]:
    """Fail, and interrupt, what takes more than `LIMIT` seconds of processor time.

    What does not return from compiled code is interrupted when it does.
    """

    def stop(*_: object) -> None:
        pytest.fail(f"took more than {LIMIT:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
