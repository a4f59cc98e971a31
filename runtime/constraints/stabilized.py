"""Constrained motion by multipliers whose drift is drawn back, without projection.

M a + c = tau + G^T lambda with G a + g + 2 alpha (G u + b) + alpha^2 phi = 0: residuals decay as
(1 + alpha t) exp(-alpha t), and stay as small as the integrator makes them, not at rounding.
Reference: Baumgarte, *Stabilization of constraints and integrals of motion in dynamical systems*,
Comput. Methods Appl. Mech. Eng. 1 (1972) 1.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.model.state import State


class StabilizedFormulation:
    """Accelerations at the rate `alpha` [1/s]; they need no consistent state."""

    def __init__(self, constraints: IndependentConstraints, alpha: float) -> None:
        if not (np.isfinite(alpha) and alpha >= 0):
            raise ValueError(f"stabilization is {alpha!r}; give a rate of at least 0 [1/s]")
        self.constraints = constraints
        self.alpha = np.array([float(alpha)])

    def acceleration(self, t: float, state: State) -> tuple[State, Array]:
        """The state as it is, and u' there.

        Raises FloatingPointError where the constraints are singular.
        """
        excitation = self.constraints.excitation
        values = self.constraints.arguments(t, state)
        values |= {"tau": excitation.torque(t, state), "stabilization": self.alpha}
        a, _ = excitation.call("constrained_dynamics", values)
        return state, np.asarray(a)
