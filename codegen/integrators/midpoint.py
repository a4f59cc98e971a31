"""The implicit midpoint rule, whose error of energy stays bounded.

Reference: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, 2nd ed., sec. VI.4.
"""

from fractions import Fraction as F

from eomc.codegen.integrators.known import register
from eomc.codegen.integrators.one_stage import OneStage

MIDPOINT = register(OneStage(name="midpoint", fraction=F(1, 2), title="implicit midpoint rule"))
