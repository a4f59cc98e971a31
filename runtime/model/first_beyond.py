"""Since when a run is beyond the range of a theory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["first_beyond"]

Array = npt.NDArray[np.float64]


def first_beyond(is_beyond: Callable[[Array], bool], q: Array, t: Array | None) -> str:
    """Words for the first time t (n,) at which a configuration of q (n, nq) is beyond, and none
    without times.

    >>> first_beyond(lambda row: row[0] > 1, np.array([[0.0], [2.0]]), np.array([0.0, 0.5]))
    ', from t = 0.5 s'
    """
    if t is None:
        return ""
    since = next((time for row, time in zip(q, t, strict=True) if is_beyond(row)), t[-1])
    return f", from t = {float(since):g} s"
