"""Speeds, or loads, at which a linear system changes between stable and unstable.

Eigenvalues of A(v) are counted that lie right of the imaginary axis by more than rounding moves
them. A count that changes between two places is bisected. So flutter of a system without damping,
whose pairs stay on the axis until they meet and part from it, is found as the crossing of a damped
pair is; what rounding moves about the axis is none.

References: Ziegler, *Principles of structural stability* (1968); Wilkinson, *The algebraic
eigenvalue problem* (1965), chapter 2: an eigenvalue moves by ``|E| |y| |x| / |y^H x|``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.runtime.output.warning_level import outside

__all__ = ["CriticalSpeed", "critical_speeds"]


_GRID = 400
#: Rounding of A and of its eigenvalues, of its norm.
_ROUNDING = 300 * float(np.finfo(float).eps)
#: Times its rounding that a real part comes to near a crossing that is told.
_CLEAR = 10.0
_BISECTIONS = 60
#: Bisections of an interval over which two eigenvalues seem to cross in opposite ways.
_LOOKS = 6


class CriticalSpeed(NamedTuple):
    """A speed [m/s] at which a motion changes between stable and unstable.

    `frequency` [rad/s] of the motion there, zero of one that falls over without swinging;
    `stabilizes` if the motion no longer grows above that speed.
    """

    speed: float
    frequency: float
    stabilizes: bool


def critical_speeds(
    a_at: Callable[[float], Array], lower: float, upper: float
) -> list[CriticalSpeed]:
    """Speeds between two at which eigenvalues of A(v) leave the left half plane or the imaginary
    axis to the right, or come back, in order.

    Each counts once, a conjugate pair as one and equal ones as one. Without damping pairs stay on
    the axis: they leave it where two of them meet (flutter) or where one is zero (divergence). The
    interval is searched at 400 places: crossings that come in opposite pairs closer than that are
    missed. Warns (RuntimeWarning) of speeds at which eigenvalues are right of the axis by no more
    than rounding: whether they cross there cannot be told. Raises ValueError for an empty interval.
    """
    if not lower < upper:
        raise ValueError(f"speeds from {lower:g} to {upper:g}; give lower < upper")
    grid = np.linspace(lower, upper, _GRID)
    step = float(grid[1] - grid[0])
    found: list[CriticalSpeed] = []
    unsure: list[float] = []
    roots = [_Roots.of(a_at, float(v)) for v in grid]
    for a, b in pairwise(roots):
        for low, high in _changes(a_at, a, b, _BISECTIONS):
            crossing = _crossing(a_at, low, high, step)
            if crossing is None:
                unsure.append(high.speed)
            else:
                found += crossing
    if unsure:
        warnings.warn(
            f"critical_speeds: from {min(unsure):.6g} to {max(unsure):.6g} real parts of "
            "eigenvalues are within rounding of zero: whether they cross the imaginary axis there "
            "cannot be told",
            RuntimeWarning,
            stacklevel=outside(),
        )
    return _once(sorted(found), step)


def _once(found: list[CriticalSpeed], step: float) -> list[CriticalSpeed]:
    """Without equal ones, which rounding sets apart."""
    kept: list[CriticalSpeed] = []
    for one in found:
        alike = (
            one.speed - known.speed <= 1e-6 * step
            and abs(one.frequency - known.frequency) <= 1e-6 * one.frequency
            and one.stabilizes == known.stabilizes
            for known in kept
        )
        if not any(alike):
            kept.append(one)
    return kept


@dataclass(frozen=True)
class _Roots:
    """Eigenvalues at a speed, and what rounding may move each of them by."""

    speed: float
    values: NDArray[np.complex128]
    rounding: Array

    @classmethod
    def of(cls, a_at: Callable[[float], Array], v: float) -> _Roots:
        import scipy.linalg

        a, _ = scipy.linalg.matrix_balance(np.asarray(a_at(v), dtype=np.float64))
        values, left, right = scipy.linalg.eig(a, left=True, right=True)
        product = np.abs(np.einsum("ij,ij->j", left.conj(), right))
        size = _ROUNDING * float(np.linalg.norm(a))
        with np.errstate(divide="ignore"):
            return cls(v, values, np.asarray(size / product, dtype=np.float64))

    @property
    def unstable(self) -> NDArray[np.bool_]:
        """Of each: right of the axis by more than rounding."""
        found: NDArray[np.bool_] = self.values.real > self.rounding
        return found


def _changes(
    a_at: Callable[[float], Array], low: _Roots, high: _Roots, depth: int
) -> Iterator[tuple[_Roots, _Roots]]:
    """Least intervals over which the number of unstable eigenvalues changes."""
    looks = depth > _BISECTIONS - _LOOKS and _swap(low, high)
    if low.unstable.sum() == high.unstable.sum() and not looks:
        return
    middle = (low.speed + high.speed) / 2
    if depth == 0 or not low.speed < middle < high.speed:
        yield low, high
        return
    between = _Roots.of(a_at, middle)
    yield from _changes(a_at, low, between, depth - 1)
    yield from _changes(a_at, between, high, depth - 1)


def _swap(low: _Roots, high: _Roots) -> bool:
    """True if one eigenvalue seems to cross to the right while another crosses to the left."""
    crossed = low.unstable != high.unstable[_followed(low, high)]
    return bool(crossed.any())


def _followed(low: _Roots, high: _Roots) -> NDArray[np.intp]:
    """Places in `high` of the eigenvalues of `low`, by least distance."""
    from scipy.optimize import linear_sum_assignment

    distance = np.abs(low.values[:, None] - high.values[None])
    return np.asarray(linear_sum_assignment(distance)[1], dtype=np.intp)


def _crossing(
    a_at: Callable[[float], Array], low: _Roots, high: _Roots, step: float
) -> list[CriticalSpeed] | None:
    """The crossings between two speeds next to each other; None if rounding hides them."""
    v, near = (low.speed + high.speed) / 2, 1e-3 * step
    before, after = (_Roots.of(a_at, v + sign * near) for sign in (-1, 1))
    places = _followed(before, after)
    crossed = before.unstable != after.unstable[places]
    found: dict[float, CriticalSpeed] = {}
    for k in map(int, np.flatnonzero(crossed)):
        ends = (before, k), (after, int(places[k]))
        right = max((roots.values[j].real / roots.rounding[j] for roots, j in ends))
        if right < _CLEAR:
            continue
        guess = (before.values[k] + after.values[places[k]]) / 2
        there = _Roots.of(a_at, v).values
        frequency = abs(float(there[int(np.argmin(np.abs(there - guess)))].imag))
        if frequency <= 1e-6 * np.abs(there).max():
            frequency = 0.0
        if all(abs(known - frequency) > 1e-6 * abs(guess) for known in found):
            place = _refined(a_at, v, near, 1j * frequency, ends)
            found[frequency] = CriticalSpeed(place, frequency, bool(before.unstable[k]))
    return list(found.values()) or None


def _refined(
    a_at: Callable[[float], Array],
    v: float,
    near: float,
    guess: complex,
    ends: tuple[tuple[_Roots, int], tuple[_Roots, int]],
) -> float:
    """The speed at which the real part of the eigenvalue next to `guess` changes its sign."""
    from scipy.optimize import brentq

    if any(abs(roots.values[k].real) <= roots.rounding[k] for roots, k in ends):
        return v

    def real(at: float) -> float:
        values = np.linalg.eigvals(a_at(at))
        return float(values[int(np.argmin(np.abs(values - guess)))].real)

    if real(v - near) * real(v + near) >= 0:
        return v
    return float(brentq(real, v - near, v + near, xtol=1e-14, rtol=1e-14))
