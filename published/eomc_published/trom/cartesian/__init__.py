"""The thesis's own method in numbers: Cartesian equations, joint axes, derivative tables.

Independent of the package's derivation and of its recursions: B maps joint rates to Cartesian
velocities, and every derivative is a table entry in cross products. All arithmetic passes complex
numbers, so that a complex step differentiates it.

    kinematics.py       chapter 2: axes, distances, B and its rate
    derivatives.py      tables 3.2 to 3.4, sections 6.2 and 6.3
    forces.py           gravity, springs, dampers, and their derivatives
    equations.py        the residual g(q'', q', q) and M_l, C_l, K_l
    constraints.py      tables 2.4 and 2.6
"""

from __future__ import annotations

from eomc_published.trom.cartesian.equations import Linearized, linearized, residual
from eomc_published.trom.cartesian.forces import CartesianSpring, TurnSpring
from eomc_published.trom.cartesian.kinematics import Axis, CartesianBody, CartesianMotion, motion

__all__ = [
    "Axis",
    "CartesianBody",
    "CartesianMotion",
    "CartesianSpring",
    "Linearized",
    "TurnSpring",
    "linearized",
    "motion",
    "residual",
]
