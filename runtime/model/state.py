"""The state of a model: coordinates q, generalized speeds u, and states z of elements."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.model.arguments import is_finite, unmasked
from eomc.runtime.model.ranges import quaternions
from eomc.runtime.model.validity import warn_of_degrees
from eomc.runtime.names.near_names import require_known

if TYPE_CHECKING:
    from eomc.runtime.model.compiled import CompiledModel


_SHORTEST, _LONGEST = 1e-15, 1e154
"""Lengths between which a quaternion stands for a rotation: `eomc.derive.motions.quaternion`, and
the square is a number."""


class State(tuple[NDArray[np.float64], ...]):
    """x = (q, u): coordinates (nq,) [rad or m] and generalized speeds (nu,) [rad/s or m/s].

    Where elements have states z of their own, x = (q, u, z).
    """

    def __new__(
        cls, q: NDArray[np.float64], u: NDArray[np.float64], z: NDArray[np.float64] | None = None
    ) -> State:
        """The parts as they are; an empty z is none."""
        return super().__new__(cls, (q, u) if z is None or not z.shape[-1] else (q, u, z))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    @property
    def q(self) -> NDArray[np.float64]:
        """Coordinates."""
        return self[0]

    @property
    def u(self) -> NDArray[np.float64]:
        """Speeds."""
        return self[1]

    @property
    def z(self) -> NDArray[np.float64]:
        """States of elements; empty if there are none."""
        return self[2] if len(self) > 2 else np.zeros(0)

    @property
    def named(self) -> dict[str, NDArray[np.float64]]:
        """The parts by name."""
        return dict(zip(("q", "u", "z"), self, strict=False))

    def moved(self, q: NDArray[np.float64], u: NDArray[np.float64]) -> State:
        """The same states of elements with other coordinates and speeds."""
        return State(q, u, self.z)

    def __repr__(self) -> str:
        return f"State({', '.join(f'{name}={value!r}' for name, value in self.named.items())})"


def parted(model: CompiledModel, y: NDArray[np.float64]) -> State:
    """The state of [q; u; z], along the last axis."""
    end = model.nq + model.nu
    return State(y[..., : model.nq], y[..., model.nq : end], y[..., end:])


def _in_parts(q: Any, u: Values, z: Values) -> tuple[Values, Values, Values]:
    """A state that is given whole, as `State`, equilibria and others are, in its parts."""
    if not (hasattr(q, "q") and hasattr(q, "u")):
        return q, u, z
    if u is not None or z is not None:
        raise ValueError("give either a state, or q, u and z")
    own = getattr(q, "z", None)
    return q.q, q.u, own if own is not None and np.size(own) else None


Values = Mapping[str, float] | ArrayLike | None
"""All entries of a vector, some of them by name, or none."""


def initial_state(model: CompiledModel, q: Values, u: Values, z: Values = None) -> State:
    """A checked state of its own; what is not given is as the model guesses or neutral, at rest.

    `q` may be a whole state, with attributes q, u and z, such as a `State` or an equilibrium.

    Raises ValueError for another shape, unknown names, numbers that are not finite, or a quaternion
    of length zero.
    """
    q, u, z = _in_parts(q, u, z)
    coordinates = entries("q", q, model.coordinates, None if _whole(q) else _neutral(model))
    if q is not None:
        joints = model.manifest.get("metadata", {}).get("joints", ())
        warn_of_degrees(joints, model.coordinates, coordinates)
    speeds = entries("u", u, model.speeds)
    coordinates = on_manifold(model, coordinates)
    if z is not None and not model.element_states:
        raise ValueError(f"z: no element of model {model.name!r} has states of its own")
    if not model.element_states:
        return State(coordinates, speeds)
    initial = np.array(list(model.element_states.values()), dtype=np.float64)
    return State(coordinates, speeds, entries("z", z, tuple(model.element_states), initial))


def on_manifold(model: CompiledModel, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """q with its quaternions at unit length; raises ValueError for one that is no rotation."""
    try:
        return np.array(model.function("normalize")(q), dtype=np.float64)
    except FloatingPointError:
        joints = model.manifest.get("metadata", {}).get("joints", ())
        for places in quaternions(joints, model.coordinates):
            length = math.hypot(*q[places])
            if not _SHORTEST < length < _LONGEST:
                names = ", ".join(model.coordinates[k] for k in places)
                raise ValueError(
                    f"q: the quaternion {names} has length {length:.3g}, which is no rotation; "
                    "(1, 0, 0, 0) turns nothing"
                ) from None
        raise


def _whole(q: Values) -> bool:
    """True if q is given as a whole, with nothing left to a default."""
    return q is not None and not isinstance(q, Mapping)


def _neutral(model: CompiledModel) -> NDArray[np.float64]:
    """Coordinates that are not given: those that the model guesses, neutral ones else."""
    neutral = np.array(model.function("neutral")(), dtype=np.float64)
    return named_values("q", model.coordinates, model.initial_guess, neutral)


def reference_motion(model: CompiledModel) -> NDArray[np.float64]:
    """Prescribed coordinates that are not given: lengths of bodies at their reference, else 0."""
    bodies = model.manifest.get("metadata", {}).get("deformables", ())
    known = {
        name: value
        for body in bodies
        for name, value in zip(body["coordinates"], body["neutral"], strict=True)
    }
    return np.array([known.get(name, 0.0) for name in model.prescribed], dtype=np.float64)


def entries(
    what: str, given: Values, names: Sequence[str], default: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The vector that is given whole, by some of its entries or not at all; zero by default.

    >>> entries("u", {"elbow": 0.5}, ("shoulder", "elbow")).tolist()
    [0.0, 0.5]
    """
    if default is None:
        default = np.zeros(len(names))
    if given is None:
        return default
    if isinstance(given, Mapping):
        return named_values(what, names, given, default)
    return vector(what, given, len(names))


def vector(name: str, value: Any, size: int, entries: Sequence[str] = ()) -> NDArray[np.float64]:
    """A copy of `value` as a finite vector of `size` numbers; ValueError names it otherwise, and
    the entry where these have names."""
    if value is None:
        raise ValueError(f"{name}: give {size} numbers, not None")
    value = unmasked(name, value)
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: give {size} numbers, not {type(value).__name__}") from None
    if array.shape == () and size == 1:
        array = array.reshape(1)
    if array.shape != (size,):
        raise ValueError(f"{name} has shape {array.shape}, expected ({size},)")
    if not is_finite(array):
        k = int(np.argmin(np.isfinite(array)))
        of = f", that of {entries[k]!r}" if entries else ""
        raise ValueError(f"{name}: entry {k} is not finite{of}")
    return array


def named_values(
    what: str, names: Sequence[str], values: Mapping[str, float], default: ArrayLike
) -> NDArray[np.float64]:
    """A vector from some of its entries by name; the others are those of `default`.

    >>> named_values("q", ("shoulder", "elbow"), {"elbow": 0.5}, (0.0, 0.0)).tolist()
    [0.0, 0.5]
    """
    array = np.array(default, dtype=np.float64)
    require_known(values, names, f"{what} has no entry")
    for name, value in values.items():
        array[list(names).index(name)] = vector(f"{what} of {name!r}", value, 1)[0]
    return array
