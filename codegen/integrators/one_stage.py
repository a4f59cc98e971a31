"""Implicit methods of one stage as data, solved by a fixed number of Newton's steps.

A method with the fraction c advances q' = G(q) u, w = (u, z) by the rates at one time within the
step, displacements along geodesics:

    W = w + c h w'(t + c h, q Exp(c h U), W),    q+ = q Exp(h U),    w+ = w + (W - w)/c

c = 1/2 is the implicit midpoint rule, c = 1 the implicit Euler method.

Reference: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, 2nd ed., sec. II.1 and
IV.8.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class OneStage:
    """One method.

    name : a C identifier; "midpoint" becomes the function ``<model>_midpoint``
    fraction : of the step, at which the rates are taken; 2 is the order of 1/2, 1 of any other
    newton_steps : of each step; their number is fixed, so the work of a step is
    title : for comments and the manifest

    Raises ValueError, which names the method.
    """

    name: str
    fraction: Fraction
    newton_steps: int = 4
    title: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no implicit method."""
        if not self.name.isidentifier():
            raise ValueError(f"integrator {self.name!r}: the name is no identifier of C")
        if not Fraction(1, 2) <= self.fraction <= 1:
            raise ValueError(
                f"integrator {self.name!r}: fraction is {self.fraction}; it must be from 1/2 to 1, "
                "where steps are stable"
            )
        if self.newton_steps < 1:
            raise ValueError(
                f"integrator {self.name!r}: newton_steps is {self.newton_steps}; give at least 1"
            )

    @property
    def order(self) -> int:
        """Of the result."""
        return 2 if self.fraction == Fraction(1, 2) else 1

    @property
    def stages(self) -> int:
        """1"""
        return 1

    @property
    def is_adaptive(self) -> bool:
        """False: there is no estimate of the error."""
        return False
