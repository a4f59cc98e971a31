"""The linearly implicit Euler method.

Reference: Hairer and Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., sec. IV.9.
"""

from fractions import Fraction as F

from eomc.codegen.integrators.known import register
from eomc.codegen.integrators.rosenbrock import Rosenbrock

LINEAR_EULER = register(
    Rosenbrock(
        name="linear_euler",
        order=1,
        gamma=F(1),
        a=((),),
        g=((),),
        b=(F(1),),
        title="linearly implicit Euler method",
    )
)
