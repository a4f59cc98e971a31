"""Reference of a controller: a configuration to hold, or a motion to follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import Values, initial_state, vector


class Reference(NamedTuple):
    """A wanted configuration q (nq,), its speeds u (nu,) and accelerations a (nu,)."""

    q: Array
    u: Array
    a: Array


ReferenceMotion = Values | Callable[[float], tuple[ArrayLike, ArrayLike, ArrayLike]]
"""A configuration to hold, or t -> (q, u, a), as the profiles of `eomc.runtime.trajectories`."""


def reference_motion(model: CompiledModel, target: ReferenceMotion) -> Callable[[float], Reference]:
    """The checked reference over time.

    A configuration, an array (nq,) or a mapping of names to values, is held at rest; a function of
    time gives (q, u, a), u being speeds and a their rates: of a joint with a quaternion, the
    angular velocity and acceleration in body axes.

    Raises ValueError that names what has another shape or is not finite, also at later times.
    """
    if not callable(target):
        try:
            state = initial_state(model, target, None)
        except ValueError as error:
            raise ValueError(f"target: {error}") from error
        resting = Reference(state.q, state.u, state.u)
        return lambda t: resting

    def motion(t: float) -> Reference:
        given = target(t)
        if not isinstance(given, tuple | list) or len(given) != 3:
            raise ValueError(f"reference at t = {t:.6g} s: give (q, u, a)")
        sizes = (("q", model.nq), ("u", model.nu), ("a", model.nu))
        rows = [
            vector(f"reference: {name} at t = {t:.6g} s", value, size)
            for (name, size), value in zip(sizes, given, strict=True)
        ]
        return Reference(*rows)

    return motion
