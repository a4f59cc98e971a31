"""Small motions about steady motions of every speed v: matrices that are polynomials in v.

    M z'' + (C0 + v C1) z' + (K0 + v K1 + v^2 K2) z = f

Forces of motion are quadratic in the speeds, so that three speeds determine the matrices of a
mechanism without other laws; a fourth one is the check. Reference: Meijaard, Papadopoulos, Ruina
and Schwab, *Linearized dynamics equations for the balance and steer of a bicycle*, Proc. R. Soc. A
463 (2007) 1955, with C0 = K1 = 0 and K0 by the unit of gravity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.linearization.critical_speeds import CriticalSpeed, critical_speeds
from eomc.runtime.linearization.linear_model import LinearModel
from eomc.runtime.linearization.steady import without_cyclic
from eomc.runtime.model.errors import LinearizationError

__all__ = ["SpeedForm", "speed_form"]


#: Of the largest entry, or of one in SI units where all are smaller, as a matrix that is zero holds
#: rounding of the others: how far the matrices at the fourth speed may be off the polynomials.
_POLYNOMIAL = 1e-8


@dataclass(frozen=True)
class SpeedForm:
    """The matrices, (n, n) each, in the displacements `coordinates`."""

    coordinates: tuple[str, ...]
    M: Array
    C0: Array
    C1: Array
    K0: Array
    K1: Array
    K2: Array

    def A(self, v: float) -> Array:
        """(2n, 2n) of x' = A x, x = (z, z'), at the speed v."""
        n = len(self.M)
        k, c = self.K0 + v * self.K1 + v * v * self.K2, self.C0 + v * self.C1
        found = np.linalg.solve(self.M, np.hstack([k, c]))
        return np.block([[np.zeros((n, n)), np.eye(n)], [-found]])

    def critical_speeds(self, lower: float, upper: float) -> list[CriticalSpeed]:
        """Those between two speeds, in order; see `critical_speeds`."""
        return critical_speeds(self.A, lower, upper)


def speed_form(
    linear_at: Callable[[float], LinearModel], speeds: tuple[float, float, float] = (1.0, 3.0, 5.0)
) -> SpeedForm:
    """The matrices of the models that `linear_at` gives for a speed, from three of them.

    Each is taken in its second-order form without cyclic displacements. Raises LinearizationError
    if they do not follow the polynomials at a fourth speed, ValueError for equal speeds.
    """
    if len({*map(float, speeds)}) != 3:
        raise ValueError(f"speeds are {speeds}; give three different ones")
    linear = [without_cyclic(linear_at(v)) for v in speeds]
    other = float(np.mean(speeds)) + 0.37 * float(np.ptp(speeds))
    check = without_cyclic(linear_at(other))
    powers = np.vander(speeds, 3, increasing=True)
    mass, damping, stiffness = (
        np.tensordot(np.linalg.inv(powers), [getattr(one, word) for one in linear], 1)
        for word in ("mass", "damping", "stiffness")
    )
    size = {"mass": mass, "damping": damping, "stiffness": stiffness}
    for word, parts in size.items():
        expected = parts[0] + other * parts[1] + other**2 * parts[2]
        error = np.abs(getattr(check, word) - expected).max()
        beyond = {"mass": parts[1:], "damping": parts[2:], "stiffness": parts[:0]}[word]
        error = max(error, np.abs(beyond).max(initial=0.0))
        if error > _POLYNOMIAL * max(1.0, np.abs(parts).max()):
            raise LinearizationError(
                f"{check.name!r}: the {word} matrix is no polynomial in the speed as forces of "
                "motion alone make it; take critical_speeds of the matrices A themselves"
            )
    return SpeedForm(check.coordinates, mass[0], damping[0], damping[1], *stiffness)
