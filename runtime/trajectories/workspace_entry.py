"""First time at which a point is within reach of an arm whose base moves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.model.arguments import finite

_SAMPLES = 2001


def workspace_entry(
    shoulder: Callable[[float], ArrayLike],
    target: Callable[[float], ArrayLike] | ArrayLike,
    reach: float,
    start: float,
    end: float,
) -> float:
    """The first time in [start, end] at which norm(target - shoulder) <= reach [s].

    An arm on a moving base is held until the point that it is to grasp is within its reach.
    Passages within reach that are shorter than a 2000th of the span may be missed.

    Parameters
    ----------
    shoulder, target : functions t -> (k,), or a point (k,) that rests
    reach : float [m]

    Raises ValueError for a reach that is not positive, and if the point stays out of reach.

    Reference: Moosavian 1996, section 4.2.

    >>> workspace_entry(lambda t: [t, 0.0], [3.0, 0.0], reach=1.0, start=0.0, end=10.0)
    2.0
    """
    from scipy.optimize import brentq

    if not float(finite("reach", reach, ())) > 0:
        raise ValueError(f"reach is {reach!r}; give a positive length")
    if not end > start:
        raise ValueError(f"the span from {start!r} to {end!r} has no duration")
    resting = None if callable(target) else finite("target", target)

    def beyond(t: float) -> float:
        goal = target(t) if callable(target) else resting
        away = np.asarray(goal, dtype=np.float64) - np.asarray(shoulder(t), dtype=np.float64)
        return float(np.linalg.norm(away)) - reach

    times = np.linspace(start, end, _SAMPLES)
    before = float(times[0])
    nearest = np.inf
    for now in map(float, times):
        distance = beyond(now)
        nearest = min(nearest, distance)
        if distance <= 0:
            return before if now == before else float(brentq(beyond, before, now, xtol=1e-13))
        before = now
    raise ValueError(
        f"the target stays out of reach from {start:.6g} to {end:.6g} s: by {nearest:.6g} m at the "
        "nearest"
    )
