"""Comparisons in the words of the sheet: within a part of the value, in a range, of peaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from eomc.systems.flexible_manipulator.scenario import Response, peak
from eomc_published.case import Case, CaseCheck, holds


def within(quantity: str, expected: float, got: float, part: float) -> CaseCheck:
    """Equal within `part` of the expected value.

    >>> within("amplitude", 3.03, 3.05, 0.05).passed
    True
    """
    bound = part * abs(expected)
    deviation = abs(got - expected)
    return CaseCheck(
        quantity, expected, float(got), bound, bool(deviation <= bound), float(deviation)
    )


def between(quantity: str, low: float, got: float, high: float) -> CaseCheck:
    """In a range, its ends included."""
    return holds(quantity, f"{low:g} to {high:g}", f"{got:.6g}", low <= got <= high)


def peaks(
    run: Response, part: float, at: NDArray[np.bool_] | None = None, **expected: float
) -> Iterator[CaseCheck]:
    """Largest magnitudes, within `part`: ``pitch`` and ``beta2`` ... [deg], ``e2`` ... [m]."""
    when = " after the maneuver" if at is not None else ""
    for name, value in expected.items():
        history = run.named(name)
        unit = "m" if name.startswith("e") else "deg"
        found = peak(history if at is None else history[at])
        yield within(f"{name}{when} [{unit}]", value, found, part)


def recomputed(
    number: int,
    title: str,
    source: str,
    stated: str,
    evaluate: Callable[[], Iterable[CaseCheck]],
    note: str = "",
    *,
    slow: bool = False,
) -> Case:
    """A case whose values are recomputed; `stated` is what the thesis says itself."""
    how = f"an independent simulation of the thesis's data; the thesis states {stated}"
    return Case(number, title, source, how, evaluate, "reconstructed", note, slow)
