"""Implicit methods for accelerations with numerical damping by choice, as data.

With w = (u, z) and alpha, which follow w' a little behind, a step of length h takes

    (1 - alpha_m) alpha+ + alpha_m alpha = (1 - alpha_f) w'+ + alpha_f w'
    theta = h u + h^2 ((1/2 - beta) alpha + beta alpha+),    q+ = q Exp(theta)
    w+ = w + h ((1 - gamma) alpha + gamma alpha+)

    gamma = 1/2 + alpha_f - alpha_m,    beta = (1/2 + gamma)^2/4

of order 2 and stable for every h. alpha_m and alpha_f follow from rho, the share of the fastest
modes that a step leaves: 1 damps nothing. alpha is kept from step to step.

Reference: Chung and Hulbert, J. Appl. Mech. 60 (1993); Hilber, Hughes and Taylor, Earthq. Eng.
Struct. Dyn. 5 (1977); Bruls, Cardona and Arnold, Mech. Mach. Theory 48 (2012), for Exp.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

Pair = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class GeneralizedAlpha:
    """One method.

    name : a C identifier; "hht" becomes the function ``<model>_hht``
    alpha_m, alpha_f : (x, y) of (x + y rho)/(1 + rho)
    least_rho : from which up to 1 rho may be
    newton_steps : of each step; their number is fixed, so the work of a step is
    title : for comments and the manifest

    Raises ValueError, which names the method.
    """

    name: str
    alpha_m: Pair
    alpha_f: Pair
    least_rho: Fraction = Fraction(0)
    newton_steps: int = 4
    title: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no stable method."""
        if not self.name.isidentifier():
            raise ValueError(f"integrator {self.name!r}: the name is no identifier of C")
        if self.newton_steps < 1:
            raise ValueError(
                f"integrator {self.name!r}: newton_steps is {self.newton_steps}; give at least 1"
            )
        for rho in (self.least_rho, Fraction(1)):
            m, f = ((x + y * rho) / (1 + rho) for x, y in (self.alpha_m, self.alpha_f))
            if not m <= f <= Fraction(1, 2):
                raise ValueError(
                    f"integrator {self.name!r}: alpha_m = {m}, alpha_f = {f} at rho = {rho}; "
                    "steps are stable for alpha_m <= alpha_f <= 1/2"
                )

    @property
    def order(self) -> int:
        """Of the result."""
        return 2

    @property
    def stages(self) -> int:
        """1"""
        return 1

    @property
    def is_adaptive(self) -> bool:
        """False: there is no estimate of the error."""
        return False
