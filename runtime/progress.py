"""A progress bar for long work, silent where nobody looks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 0.5
_INTERVAL = 0.1


@contextmanager
def progress(
    title: str, total: float, show: bool | None = None
) -> Iterator[Callable[[float], None]]:
    """Gives a function that takes how much of `total` is done.

    The bar appears on standard error after half a second, if that is a terminal or `show` is true.
    """
    if show is None:
        show = sys.stderr.isatty()
    if not show or not total > 0:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(title, total=total)
    start = last = time.monotonic()

    def report(done: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - start > _PATIENCE and now - last > _INTERVAL:
            last = now
            bar.start()
            bar.update(task, completed=done)

    try:
        yield report
    finally:
        bar.stop()
