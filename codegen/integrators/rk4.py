"""The classical Runge-Kutta method.

Reference: Kutta, Beitrag zur naeherungsweisen Integration totaler Differentialgleichungen, Z. Math.
Phys. 46 (1901).
"""

from fractions import Fraction as F

from eomc.codegen.integrators.known import register
from eomc.codegen.integrators.tableau import Tableau

RK4 = register(
    Tableau(
        name="rk4",
        order=4,
        a=((), (F(1, 2),), (F(0), F(1, 2)), (F(0), F(0), F(1))),
        b=(F(1, 6), F(1, 3), F(1, 3), F(1, 6)),
        stability_limit=1.0,
        title="classical Runge-Kutta method of order 4",
    )
)
