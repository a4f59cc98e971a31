"""Variables without inertia, in numbers: Newton's method with differences for derivatives, until
nothing changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.mechanism import Law, MovingPose, WitnessMechanism

__all__ = ["find_unknowns"]

_MOST_STEPS = 60
_SETTLED = 1e-13
_DIFFERENCE = 1e-6


def find_unknowns(
    mechanism: WitnessMechanism, motions: Mapping[int, MovingPose], named: dict[str, float]
) -> None:
    """Put the unknowns among the values of names; NaN where none are found."""
    unknowns = mechanism.unknowns
    low, high = ([_end(u.ends[k], named) for u in unknowns] for k in (0, 1))
    limits = np.nan_to_num(low, nan=-np.inf), np.nan_to_num(high, nan=np.inf)

    def vanishing(w: Array) -> Array:
        named.update({u.name: float(x) for u, x in zip(unknowns, w, strict=True)})
        own: Iterator[float] = iter(())
        if any(u.condition is None for u in unknowns) and mechanism.own is not None:
            own = iter(mechanism.own.conditions(motions, named))
        return np.array(
            [next(own) if u.condition is None else u.condition(named) for u in unknowns]
        )

    w = np.array([u.guess(named) for u in unknowns], dtype=float)
    named.update({u.name: float(x) for u, x in zip(unknowns, w, strict=True)})
    for _ in range(_MOST_STEPS):
        h = _DIFFERENCE * (1 + np.abs(w))
        slopes = [(vanishing(w + d) - vanishing(w - d)) / (2 * d.sum()) for d in np.diag(h)]
        change = np.linalg.solve(np.array(slopes).T, vanishing(w))
        w = np.clip(w - change, *limits)
        if np.abs(change).max() <= _SETTLED * (1 + np.abs(w).max()):
            break
    else:
        w = w * np.nan
    vanishing(w)


def _end(end: Law | None, named: Mapping[str, float]) -> float:
    return np.nan if end is None else end(named)
