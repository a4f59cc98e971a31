"""Explicit Runge-Kutta methods as data: their Butcher tableaus.

A method advances ``y' = f(t, y)`` by

    k_i = f(t + c_i h, y + h sum_{j<i} a_ij k_j),      y+ = y + h sum_i b_i k_i

A new method is a new `Tableau`; the loop that runs it stands once, in
``templates/runge_kutta.c``. An embedded method also bears the weights of its companion.
"""

from dataclasses import dataclass
from fractions import Fraction

F = Fraction


@dataclass(frozen=True)
class Tableau:
    """Coefficients of one method, exact.

    a : strictly lower triangular rows, the first one empty
    b : weights of the result
    embedded : weights of the companion solution for error control, empty without one
    """

    name: str
    order: int
    a: tuple[tuple[Fraction, ...], ...]
    b: tuple[Fraction, ...]
    embedded: tuple[Fraction, ...] = ()
    title: str = ""

    @property
    def stages(self) -> int:
        return len(self.b)

    @property
    def c(self) -> tuple[Fraction, ...]:
        """Times of the stages as fractions of the step: the row sums of a."""
        return tuple(sum(row, F(0)) for row in self.a)


RK4 = Tableau(
    name="rk4",
    order=4,
    a=((), (F(1, 2),), (F(0), F(1, 2)), (F(0), F(0), F(1))),
    b=(F(1, 6), F(1, 3), F(1, 3), F(1, 6)),
    title="classical Runge-Kutta method of order 4",
)
