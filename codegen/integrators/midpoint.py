"""The implicit midpoint rule for momenta: `eomc.derive.functions.midpoint`.

Reference: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, 2nd ed., sec. VI.4.
"""

from eomc.codegen.integrators.known import register
from eomc.codegen.integrators.step_function import StepFunction

MIDPOINT = register(StepFunction(name="midpoint", order=2, title="implicit midpoint rule"))
