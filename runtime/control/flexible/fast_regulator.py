"""The linear quadratic regulator of the vibrations, in fast time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.control.flexible.subsystems import Subsystems
from eomc.runtime.control.regulator import Regulator, regulator


@dataclass(frozen=True, eq=False)
class FastRegulator:
    """tau_f = -F eta = -F_p (K b - f-) - eps F_d K b'

    Attributes
    ----------
    subsystems : Subsystems
    design : Regulator
        In fast time: F (number of actuators, 2 m), its Riccati matrix and poles [1 per eps].
    """

    subsystems: Subsystems
    design: Regulator

    @property
    def force_gain(self) -> Array:
        """F_p (number of actuators, m), of the elastic forces."""
        return self.design.gain[:, : len(self.subsystems.fast)]

    @property
    def force_rate_gain(self) -> Array:
        """F_d (number of actuators, m), of their rates in fast time."""
        return self.design.gain[:, len(self.subsystems.fast) :]

    @property
    def amplitude_gain(self) -> Array:
        """F_p K: force of each actuator by unit of each amplitude."""
        return np.asarray(self.force_gain @ self.subsystems.stiffness)

    @property
    def rate_gain(self) -> Array:
        """eps F_d K: force of each actuator by unit rate of each amplitude."""
        return np.asarray(
            self.subsystems.epsilon * self.force_rate_gain @ self.subsystems.stiffness
        )

    @property
    def poles(self) -> NDArray[np.complex128]:
        """(2 m,) of the regulated fast subsystem, in time [1/s]."""
        return self.design.poles / self.subsystems.epsilon


def fast_regulator(subsystems: Subsystems, q: ArrayLike = 1.0, r: ArrayLike = 1.0) -> FastRegulator:
    """The gain F that makes int (eta^T Q eta + tau_f^T R tau_f) d(t/eps) smallest.

    Parameters
    ----------
    subsystems : Subsystems
        Frozen where the vibrations are to be damped.
    q, r : number, row or matrix
        Weights of eta = (f - f-, eps f') (2 m) and of the forces.

    Raises ControllabilityError, with the mode, if the actuators do not reach all vibrations;
    ValueError as `regulator`.

    Reference: Siciliano and Book, Int. J. Robotics Research 7 (1988) 79.
    """
    names = (
        *(f"force of {b}" for b in subsystems.fast),
        *(f"its rate, {b}" for b in subsystems.fast),
    )
    return FastRegulator(subsystems, regulator(subsystems.A, subsystems.B, q, r, states=names))
