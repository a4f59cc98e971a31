"""External wrenches: forces and moments on frames from outside, as generalized forces.

tau = sum of J^T (f, m), with the Jacobian J of each frame, f [N] and m [N m] in world axes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.excitation.law_arguments import check_law_arguments
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.frame_kinematics import function_names
from eomc.runtime.model.state import State, vector

Wrenches = Mapping[str, ArrayLike | Callable[[float, Array, Array], ArrayLike]] | None
"""(fx, fy, fz, mx, my, mz), or a function of (t, q, u) that gives it, by frame or body."""

_JACOBIAN = 3


class ExternalWrenches:
    """Wrenches on frames of a model.

    Raises KeyError for an unknown frame, ValueError for what are not six finite numbers.
    """

    def __init__(self, model: CompiledModel, wrenches: Wrenches) -> None:
        self._given: list[tuple[str, str, Any]] = []
        for name, given in (wrenches or {}).items():
            model.frame(name)
            where = f"external_wrenches of {name!r}"
            if callable(given):
                check_law_arguments(where, given, "t", "q", "u")
            else:
                given = vector(where, given, 6)
            self._given.append((where, function_names(name)[_JACOBIAN], given))

    def forces(self, t: float, state: State, call: Callable[[str], Any]) -> Array:
        """tau (nu,); `call` gives a function of the model in the state."""
        total: Any = 0.0
        for where, jacobian, given in self._given:
            if callable(given):
                given = vector(f"{where} at t = {t:.6g} s", given(t, state.q, state.u), 6)
            total = total + np.asarray(call(jacobian)).T @ given
        return np.asarray(total, dtype=np.float64)
