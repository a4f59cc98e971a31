"""Times of a run's record, and other numbers that a run is asked with."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import unmasked

_POINTS = 1000
_MOST_POINTS = 50_000_000


def record_times(t_span: Any, step: float | None) -> Array:
    """Times of the record: those given, or from start to end by `step`.

    The last interval is shorter if `step` does not divide the span.

    >>> record_times(1.0, 0.4).tolist()
    [0.0, 0.4, 0.8, 1.0]
    """
    if step is not None:
        step = positive("step", step)
    t_span = unmasked("t_span", t_span)
    try:
        times = np.array(t_span, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            "t_span: give a duration, (start, end), or the times of the record"
        ) from None
    if not np.isfinite(times).all():
        raise ValueError("t_span is not finite")
    if times.ndim == 0:
        times = np.array([0.0, float(times)])
    if times.ndim != 1 or times.size < 2 or not (np.diff(times) > 0).all():
        raise ValueError("t_span must be a positive duration, or times that increase")
    if times.size > 2:
        return times
    start, end = float(times[0]), float(times[1])
    if step is None:
        return np.linspace(start, end, _POINTS + 1)
    count = (end - start) / step
    if count > _MOST_POINTS:
        raise ValueError(f"step {step:g} s makes {count:.3g} points; give the times of the record")
    whole = int(np.floor(count * (1 + 1e-12) + 1e-9))
    if whole < 1:
        return np.array([start, end])
    grid = np.arange(whole + 1, dtype=np.float64) * step + start
    if end - grid[-1] > 1e-9 * step:
        grid = np.append(grid, np.float64(end))
    grid[-1] = end
    return grid


def positive(name: str, value: float) -> float:
    """The number. Raises ValueError with the name of what is not positive."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if not (np.isfinite(number) and number > 0):
        raise ValueError(f"{name} is {value!r}; give a positive number")
    return number


def whole_number(name: str, value: int) -> int:
    """The count, at most what C counts to. Raises ValueError with the name of what is none."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not value > 0:
        raise ValueError(f"{name} is {value!r}; give a positive whole number")
    return min(int(value), 2**31 - 1)
