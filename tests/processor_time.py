"""A guard against what hangs, by the time of this process alone: a busy machine changes nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def processor_time(limit: float) -> Iterator[None]:
    """Fail, and interrupt, what takes more than `limit` seconds of processor time.

    What does not return from compiled code is interrupted when it does.
    """

    def stop(*_: object) -> None:
        pytest.fail(f"took more than {limit:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
