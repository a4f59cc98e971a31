"""Arguments that callers give, as the numbers and models they must be."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel

__all__ = ["compiled_by", "model_length", "speed_sizes", "taken"]


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


_builders: list[Callable[[Any], CompiledModel]] = []


def compiled_by(build: Callable[[Any], CompiledModel]) -> None:
    """From now on what is not compiled is built by `build`."""
    _builders[:] = [build]


def taken(model: Any) -> CompiledModel:
    """The compiled model; TypeError for what is none and cannot be made one."""
    if isinstance(model, CompiledModel):
        return model
    if not _builders or model is None or isinstance(model, bytes | int | float):
        raise TypeError(
            f"a compiled model is asked for, not {type(model).__name__}: give what eomc.build "
            "returned or takes, such as a Model or the path of a model file"
        )
    return _builders[0](model)


def is_finite(array: NDArray[np.float64]) -> bool:
    """True if no entry is infinite or no number.

    The sum of squares tells it of all but huge entries, in a tenth of the time.

    >>> is_finite(np.array([1.0, -2.0])), is_finite(np.array([1e300, 0.0]))
    (True, True)
    >>> is_finite(np.array([1.0, np.inf])), is_finite(np.array([np.nan]))
    (False, False)
    """
    return math.isfinite(np.vdot(array, array)) or bool(np.isfinite(array).all())


def speed_sizes(model: CompiledModel) -> NDArray[np.float64]:
    """Of the displacement of each speed (nu,)."""
    known = model.manifest.get("metadata", {}).get("sizes", {}).get("u", {})
    return np.array([known.get(name, 1.0) for name in model.speeds])


def model_length(model: CompiledModel) -> float:
    """A typical length [m]; 1 of models that tell none."""
    return float(model.manifest.get("metadata", {}).get("sizes", {}).get("length", 1.0))
