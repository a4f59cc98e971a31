"""Arguments that callers give, as the numbers they must be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array


def unmasked(name: str, value: Any) -> Any:
    """`value`, unless it is an array with masked entries, which are no numbers to compute with.

    >>> unmasked("q", np.ma.masked_less([1.0, -1.0], 0.0))
    Traceback (most recent call last):
    ValueError: q has masked entries
    """
    plain = type(value) is np.ndarray or not isinstance(value, np.ndarray)
    if not plain and np.any(getattr(value, "mask", False)):
        raise ValueError(f"{name} has masked entries")
    return value


def finite(name: str, value: ArrayLike, shape: tuple[int, ...] | None = None) -> Array:
    """`value` as finite numbers; of any shape, or broadcast to one.

    >>> finite("end", 1, (2,)).tolist()
    [1.0, 1.0]
    """
    value = unmasked(name, value)
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: give numbers, not {type(value).__name__}") from None
    if not np.isfinite(array).all():
        raise ValueError(f"{name} is not finite")
    if shape is None:
        return array
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name} has shape {array.shape}, expected {shape}") from None


def whole(name: str, value: Any, least: int) -> int:
    """`value`, a whole number of at least `least`.

    >>> whole("steps", np.int64(3), 1)
    3
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} is {value!r}; give a whole number, at least {least}")
    return int(value)
