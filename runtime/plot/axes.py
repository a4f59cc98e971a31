"""New matplotlib axes."""

from __future__ import annotations

from typing import Any


def plain(text: str) -> str:
    r"""Text of a legend or title that matplotlib draws as it is, and does not hide.

    >>> plain("a$b$"), plain("_x")
    ('a\\$b\\$', ' _x')
    """
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def new_axes(width: float, height: float, rows: int = 1) -> Any:
    """Axes one below the other, of a figure of that size [inch]; ImportError without matplotlib."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'eomc[plot]'") from None
    return pyplot.subplots(rows, sharex=True, figsize=(width, height), layout="constrained")[1]
