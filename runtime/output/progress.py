"""Signs of life on long work: only on a terminal, only after a moment, gone at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Runs that are over sooner show nothing; the bar is redrawn no more often than its interval.
_PATIENCE = 0.5
_INTERVAL = 0.1


def wanted(progress: bool | None) -> bool:
    """Whether to show progress: as asked, by default if stderr is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty() if progress is None else progress


@contextmanager
def spinner(text: str) -> Iterator[None]:
    """A turning sign with `text` on stderr, if that is a terminal."""
    if not wanted(None):
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(text):
        yield


@contextmanager
def time_bar(
    start: float,
    end: float,
    progress: bool | None,
    *,
    text: str = "simulating",
    unit: str = "s",
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
