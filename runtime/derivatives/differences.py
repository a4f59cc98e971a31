"""Derivatives of functions that can only be called: central differences, extrapolated.

D(h) = (f(h) - f(-h)) / 2h has an error in even powers of h, which Richardson's extrapolation of
D(h), D(h/2), D(h/4), ... removes one after the other; the entry of the table whose neighbours
agree best is taken (Ridders, *Advances in Engineering Software* 4 (1982) 75). Smooth functions come
out to some 1e-12 of their size. Where the second derivative jumps at 0, as that of v |v| does, the
error has all powers of h, and extrapolation removes those.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eomc.binding.arrays import Array

STEP = 0.02
# Halvings of the step down to 4e-5, so that friction smoothed over 1e-3 rad/s is seen as smooth.
_LEVELS = 10
_ORDERS = 4


def derivative(
    f: Callable[[float], Any], step: float = STEP, *, bent: bool = False, side: int = 0
) -> tuple[Array, Array]:
    """(f'(0), an estimate of its error), both in the shape of f; `bent` if its second derivative
    may jump at 0, `side` 1 or -1 for the slope above or below 0.

    >>> import math
    >>> slope, error = derivative(lambda x: np.array(math.exp(x)))
    >>> bool(abs(slope - 1) <= error) and bool(error < 1e-10)
    True
    >>> [round(float(derivative(abs, side=side)[0]), 9) for side in (-1, 1)]
    [-1.0, 1.0]
    >>> slope, error = derivative(lambda x: math.sin(x) + x * abs(x), bent=True)
    >>> bool(abs(slope - 1) <= error) and bool(error < 1e-10)
    True
    """
    removed = 2.0 if bent or side else 4.0
    center = np.asarray(f(0.0), dtype=float) if side else None
    eps = float(np.finfo(float).eps)
    above: list[Array] = []
    best, least = np.zeros(()), np.full((), np.inf)
    h = step
    for _ in range(_LEVELS):
        ahead = np.asarray(f(side * h if side else h), dtype=float)
        behind = np.asarray(f(-h), dtype=float) if center is None else center
        # What the difference of two rounded values is uncertain by.
        rounding = 4 * eps * np.maximum(np.abs(ahead), np.abs(behind)) / h
        row: list[Array] = [(ahead - behind) / (side * h if side else 2 * h)]
        for k, previous in enumerate(above[:_ORDERS]):
            weight = removed ** (k + 1)
            row.append((weight * row[k] - previous) / (weight - 1))
            change = np.maximum(np.abs(row[-1] - row[-2]), np.abs(row[-1] - previous))
            error = change + rounding
            better = error < least
            best, least = np.where(better, row[-1], best), np.where(better, error, least)
        above = row
        h /= 2
    return best, least


def power_derivative(f: Callable[[float], Any], step: float = 1e-3) -> tuple[Array, Array]:
    """The same of a function that is |x|^p beside a smooth one, 1 < p < 2: central differences
    change by c h^(p-1), which Aitken's formula removes whatever p is.

    >>> slope, error = power_derivative(lambda x: np.array(x + 2 * max(x, 0.0) ** 1.3))
    >>> bool(abs(slope - 1) <= error) and bool(error < 1e-4)
    True
    """
    steps = [step / 8**k for k in range(4)]
    ahead, behind = ([np.asarray(f(sign * h), dtype=float) for h in steps] for sign in (1, -1))
    slopes = [(a - b) / (2 * h) for a, b, h in zip(ahead, behind, steps, strict=True)]
    rounding = 64 * float(np.finfo(float).eps) * np.maximum(np.abs(ahead[-1]), np.abs(behind[-1]))
    found = []
    for a, b, c in zip(slopes, slopes[1:], slopes[2:], strict=False):
        bend = (c - b) - (b - a)
        safe = np.where(bend == 0, 1.0, bend)
        found.append(np.where(bend == 0, c, c - (c - b) ** 2 / safe))
    return found[-1], np.abs(found[-1] - found[-2]) + rounding / steps[-1]


def has_kink(f: Callable[[float], Any], step: float = 1e-4) -> bool:
    """True if the one-sided slopes of f at 0 differ however short the step: no derivative there.

    Of a smooth function (f(h) - 2 f(0) + f(-h)) / h halves with h; at a kink it stays.

    >>> has_kink(abs), has_kink(lambda x: x * x)
    (True, False)
    """
    center = np.asarray(f(0.0), dtype=float)

    def jump(h: float) -> float:
        return float(np.abs(np.asarray(f(h)) - 2 * center + np.asarray(f(-h))).max() / h)

    # Far above the rounding of f over the step.
    noise = 64 * float(np.finfo(float).eps) * float(np.abs(center).max()) / step
    short = jump(step / 2)
    return short > noise and short > 0.75 * jump(step)
