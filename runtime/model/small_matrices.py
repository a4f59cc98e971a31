"""Linear algebra of small matrices, for which what NumPy and SciPy do around LAPACK takes longer
than LAPACK itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["identity", "lapack"]


@cache
def lapack(name: str) -> Callable[..., Any]:
    """A function of LAPACK, as of `scipy.linalg.lapack`, which is loaded when one is asked for."""
    import scipy.linalg.lapack

    found: Callable[..., Any] = getattr(scipy.linalg.lapack, name)
    return found


@cache
def identity(n: int) -> NDArray[np.float64]:
    """The identity matrix (n, n), one and the same, which is not to be written to."""
    found = np.eye(n)
    found.flags.writeable = False
    return found
