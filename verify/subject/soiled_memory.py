"""Memory that holds no number, where a call is about to put its results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_KEPT = 8
"""Arrays of one size whose memory NumPy keeps, and one more."""


def soil(*shapes: Sequence[int]) -> None:
    """Fill with NaN what new arrays of these shapes are likely to take.

    What a compiled function leaves out shows then: memory of the last results, which it would take
    otherwise, holds the same numbers.

    >>> soil((3,))
    >>> bool(np.isnan(np.empty(3)).all())
    True
    """
    for shape in shapes:
        arrays = [np.empty(tuple(shape)) for _ in range(_KEPT)]
        for array in arrays:
            array.fill(np.nan)
