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


StateLike = State | tuple[ArrayLike, ArrayLike] | Sequence[Any] | NDArray[np.float64] | None


def as_state(model: CompiledModel, state: StateLike) -> State:
    """A checked state of its own: from (q, u), from x = [q; u], or the neutral one at rest.

    Raises ValueError for another shape, numbers that are not finite, or a quaternion of length
    zero.
    """
    if state is None:
        return State(np.array(model.neutral(), dtype=np.float64), np.zeros(model.nu))
    flat = None
    if not isinstance(state, State):
        try:
            flat = np.asarray(state, dtype=np.float64)
        except (TypeError, ValueError):
            flat = None  # q and u of unequal length
    if flat is not None and flat.shape == (model.nq + model.nu,):
        q, u = flat[: model.nq], flat[model.nq :]
    else:
        try:
            q, u = state  # type: ignore[misc]
        except (TypeError, ValueError):
            raise ValueError(
                f"state: give (q, u) with shapes ({model.nq},) and ({model.nu},), or x = [q; u] "
                f"with shape ({model.nq + model.nu},)"
            ) from None
    q, u = vector("q", q, model.nq), vector("u", u, model.nu)
    q = np.array(model.normalize(q), dtype=np.float64)
    if not np.isfinite(q).all():
        raise ValueError("state: a quaternion in q has length zero; (1, 0, 0, 0) is no rotation")
    return State(q, u)


def vector(name: str, value: ArrayLike, size: int) -> NDArray[np.float64]:
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
            raise ValueError(f"{what} has no entry {name!r}; {near_names(name, names)}")
        array[list(names).index(name)] = value
    return vector(what, array, len(names))
