"""Forces that are Python functions, with or without derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.state import vector

Law = Callable[[float, Array, Array], ArrayLike]
Derivative = Callable[[float, Array, Array], tuple[ArrayLike, ArrayLike]]


@dataclass(frozen=True)
class UserForce:
    """Generalized forces Q(t, q, u) on the speeds, such as of a tyre table or a measured curve.

    Attributes
    ----------
    law : function (t, q, u) -> (nu,) [N m or N]
    derivative : function (t, q, u) -> (dQ/dq, dQ/du), both (nu, nu), optional
        Columns of dQ/dq are tangent directions of q: of ``integrate(q, xi)`` by xi. Without it,
        the law is differenced with controlled steps.
    name : str
        For messages.
    of_speeds : bool
        False for a force of time and coordinates alone: it is not differenced by speeds then.

    Examples
    --------
    >>> spring = UserForce(lambda t, q, u: -20.0 * q, lambda t, q, u: ([[-20.0]], [[0.0]]))
    >>> spring.value(0.0, np.array([0.1]), np.array([0.0]), 1)
    array([-2.])
    """

    law: Law
    derivative: Derivative | None = None
    name: str = "user force"
    of_speeds: bool = True

    def value(self, t: float, q: Array, u: Array, size: int) -> Array:
        """Q (nu,); ValueError if the law gives something else."""
        return vector(f"{self.name} at t = {t:.6g} s", self.law(t, q, u), size)

    def slopes(self, t: float, q: Array, u: Array, size: int) -> tuple[Array, Array]:
        """(dQ/dq, dQ/du) by the derivative that was given."""
        assert self.derivative is not None
        given = self.derivative(t, q, u)
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise ValueError(f"{self.name}: the derivative must give (dQ/dq, dQ/du)")
        found = []
        for what, value in zip(("dQ/dq", "dQ/du"), given, strict=True):
            slope = np.array(value, dtype=np.float64)
            if slope.shape != (size, size) or not np.isfinite(slope).all():
                raise ValueError(
                    f"{self.name}: {what} must be a finite matrix of shape ({size}, {size}), "
                    f"not {slope.shape}"
                )
            found.append(slope)
        return found[0], found[1]
