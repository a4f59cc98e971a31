"""Signs of life on long work: on terminals and in notebooks, after a moment, gone at the end."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

# Runs that are over sooner show nothing; the bar is redrawn no more often than its interval.
_PATIENCE = 0.5
_INTERVAL = 0.1


def wanted(progress: bool | None) -> bool:
    """True if progress is to be shown: as asked, by default on terminals and in notebooks."""
    if progress is not None:
        return progress
    return (sys.stderr is not None and sys.stderr.isatty()) or _in_notebook()


def _in_notebook() -> bool:
    """True in a notebook with widgets, whose cells show a bar and change while it does."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    # Bars are drawn anew by widgets; without them each drawing would stay below the last.
    return type(shell).__name__ == "ZMQInteractiveShell" and find_spec("ipywidgets") is not None


class _Sign:
    """A turning sign on stderr that appears a moment after it is made, or never."""

    def __init__(self, text: str) -> None:
        self._text, self._lock = text, threading.Lock()
        self._status: Any = None
        self._timer: threading.Timer | None = threading.Timer(_PATIENCE, self._appear)
        self._timer.daemon = True
        self._timer.start()

    def _appear(self) -> None:
        from rich.console import Console  # takes longer than most of what is waited for

        with self._lock:
            if self._timer is not None:
                self._status = Console(stderr=True).status(self._text)
                self._status.start()

    def say(self, text: str) -> None:
        """Change the text."""
        with self._lock:
            self._text = text
            if self._status is not None:
                self._status.update(text)

    def end(self) -> None:
        """Take it away."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._status is not None:
                self._status.stop()


@contextmanager
def spinner(text: str) -> Iterator[Callable[[str], None]]:
    """A turning sign with `text` on stderr, if that is a terminal; yields what changes the text."""
    if not wanted(None):
        yield lambda text: None
        return
    sign = _Sign(text)
    try:
        yield sign.say
    finally:
        sign.end()


@contextmanager
def time_bar(
    start: float, end: float, progress: bool | None, *, text: str = "simulating", unit: str = "s"
) -> Iterator[Callable[[float], None]]:
    """Yields what is to be told the time reached; draws a bar from `start` to `end` [s]."""
    if not wanted(progress):
        yield lambda reached: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(text),
        BarColumn(),
        TextColumn("{task.completed:.4g} " + unit),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=end - start)
    is_drawn, due = False, time.monotonic() + _PATIENCE

    def tell(reached: float) -> None:
        nonlocal is_drawn, due
        now = time.monotonic()
        if now < due:
            return
        due = now + _INTERVAL
        if not is_drawn:
            bar.start()
            is_drawn = True
        bar.update(task, completed=reached - start)

    try:
        yield tell
    finally:
        if is_drawn:
            bar.stop()
