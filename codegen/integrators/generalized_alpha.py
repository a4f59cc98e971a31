"""The generalized-alpha method of Chung and Hulbert.

Reference: Chung and Hulbert, A time integration algorithm for structural dynamics with improved
numerical dissipation, J. Appl. Mech. 60 (1993).
"""

from fractions import Fraction as F

from eomc.codegen.integrators.known import register
from eomc.codegen.integrators.numerical_damping import GeneralizedAlpha

GENERALIZED_ALPHA = register(
    GeneralizedAlpha(
        name="generalized_alpha",
        alpha_m=(F(-1), F(2)),
        alpha_f=(F(0), F(1)),
        title="generalized-alpha method",
    )
)
