"""Linear algebra of small matrices, which threads only delay."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any


def small_matrices() -> AbstractContextManager[Any]:
    """One thread for the libraries behind NumPy and SciPy meanwhile, where threadpoolctl can tell
    them: beside other work those of an exponential of eight rows wait for each other.

    >>> with small_matrices():
    ...     pass
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    limits: AbstractContextManager[Any] = threadpool_limits(1, "blas")
    return limits
