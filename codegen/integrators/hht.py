"""The method of Hilber, Hughes and Taylor, alpha = alpha_f = (1 - rho)/(1 + rho) up to 1/3.

Reference: Hilber, Hughes and Taylor, Improved numerical dissipation for time integration
algorithms in structural dynamics, Earthq. Eng. Struct. Dyn. 5 (1977).
"""

from fractions import Fraction as F

from eomc.codegen.integrators.known import register
from eomc.codegen.integrators.numerical_damping import GeneralizedAlpha

HHT = register(
    GeneralizedAlpha(
        name="hht",
        alpha_m=(F(0), F(0)),
        alpha_f=(F(1), F(-1)),
        least_rho=F(1, 2),
        title="method of Hilber, Hughes and Taylor",
    )
)
