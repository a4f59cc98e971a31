"""The state of a model: coordinates q and generalized speeds u."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.near_names import near_names

if TYPE_CHECKING:
    from eomc.runtime.compiled import CompiledModel


class State(NamedTuple):
    """x = (q, u): coordinates (nq,) [rad or m] and generalized speeds (nu,) [rad/s or m/s]."""

    q: NDArray[np.float64]
    u: NDArray[np.float64]


Values = Mapping[str, float] | ArrayLike | None
"""All entries of a vector, some of them by name, or none."""


def initial_state(model: CompiledModel, q: Values, u: Values) -> State:
    """A checked state of its own; what is not given is neutral and at rest.

    Raises ValueError for another shape, unknown names, numbers that are not finite, or a quaternion
    of length zero.
    """
    neutral = np.array(model.function("neutral")(), dtype=np.float64)
    coordinates = _values("q", q, model.coordinates, neutral)
    speeds = _values("u", u, model.speeds, np.zeros(model.nu))
    coordinates = np.array(model.function("normalize")(coordinates), dtype=np.float64)
    if not np.isfinite(coordinates).all():
        raise ValueError("q: a quaternion has length zero; (1, 0, 0, 0) is no rotation")
    return State(coordinates, speeds)


def _values(
    what: str, given: Values, names: tuple[str, ...], default: NDArray[np.float64]
) -> NDArray[np.float64]:
    if given is None:
        return default
    if isinstance(given, Mapping):
        return named_values(what, names, given, default)
    return vector(what, given, len(names))


def vector(name: str, value: Any, size: int) -> NDArray[np.float64]:
    """A copy of `value` as a finite vector of `size` numbers; ValueError names it otherwise."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: give {size} numbers, not {type(value).__name__}") from None
    if array.shape == () and size == 1:
        array = array.reshape(1)
    if array.shape != (size,):
        raise ValueError(f"{name} has shape {array.shape}, expected ({size},)")
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: entry {int(np.argmin(np.isfinite(array)))} is not finite")
    return array


def named_values(
    what: str, names: Sequence[str], values: Mapping[str, float], default: ArrayLike
) -> NDArray[np.float64]:
    """A vector from some of its entries by name; the others are those of `default`.

    >>> named_values("q", ("shoulder", "elbow"), {"elbow": 0.5}, (0.0, 0.0)).tolist()
    [0.0, 0.5]
    """
    array = np.array(default, dtype=np.float64)
    for name, value in values.items():
        if name not in names:
            raise ValueError(f"{what} has no entry {name!r}; {near_names(str(name), names)}")
        array[list(names).index(name)] = vector(f"{what} of {name!r}", value, 1)[0]
    return array
