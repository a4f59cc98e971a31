"""A signal that comes while compiled code runs, as Ctrl-C does."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from types import FrameType


def is_interrupted(call: Callable[[], object], after: float) -> bool:
    """Whether a signal ends the call, when the process has computed so many seconds in it.

    Signals come all the time; the first to be heard within the call, and after that time, is
    raised, no other. So nothing hangs on a clock, if the call computes for longer and would not
    end well: one that does not hear the signal is told by what it returns, raises or leaves.
    """
    is_within = False
    begin = time.process_time()

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal is_within
        if is_within and time.process_time() - begin >= after and not _is_counting(frame):
            is_within = False
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    try:
        is_within = True
        call()
        is_within = False
    except KeyboardInterrupt:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    return False


def _is_counting(frame: FrameType | None) -> bool:
    """True in the tool that counts which lines run, whose C would go on with the exception set."""
    while frame is not None:
        if "slipcover" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False
