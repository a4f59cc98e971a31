"""Motion of named coordinates over time."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.state import vector

Profile = Callable[[float], ArrayLike | tuple[ArrayLike, ...]]
"""t -> (s, s', s''), as the profiles of `eomc.runtime.trajectories`."""


class GivenMotion:
    """Places, rates and accelerations of some coordinates at any time.

    `laws` maps names to profiles, or to numbers: places to rest in. Raises ValueError that names
    what has another shape or is not finite, also at later times.

    >>> GivenMotion({"slide": 0.5, "turn": lambda t: (t, 1.0, 0.0)})(2.0).tolist()
    [[0.5, 0.0, 0.0], [2.0, 1.0, 0.0]]
    """

    def __init__(self, laws: Mapping[str, Profile | float]) -> None:
        if not isinstance(laws, Mapping):
            raise ValueError(
                f"target: give a mapping of names to profiles or numbers, not {type(laws).__name__}"
            )
        self.names = tuple(laws)
        self._laws = [
            law if callable(law) else float(vector(f"target of {name!r}", law, 1)[0])
            for name, law in laws.items()
        ]

    def __call__(self, t: float) -> Array:
        """(n, 3): s, s', s'' at time t."""
        rows = np.zeros((len(self.names), 3))
        for row, name, law in zip(rows, self.names, self._laws, strict=True):
            if callable(law):
                row[:] = vector(f"target of {name!r} at t = {t:.6g} s", law(t), 3)
            else:
                row[0] = law
        return rows
