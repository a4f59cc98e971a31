"""Explicit Runge-Kutta methods as data: their Butcher tableaus.

A method advances ``y' = f(t, y)`` by

    k_i = f(t + c_i h, y + h sum_{j<i} a_ij k_j),      y+ = y + h sum_i b_i k_i

A new method is a new `Tableau`; the loop that runs it stands once: fixed steps in
``templates/runge_kutta.c``, steps chosen by the error in ``templates/adaptive_runge_kutta.c``. A
method with a companion for error control also bears the companion's weights, and the polynomials of
its continuous extension

    y(t + x h) ~ y + h sum_i b_i(x) k_i,      b_i(x) = sum_n interpolant_in x^(n + 1)
"""

from dataclasses import dataclass
from fractions import Fraction

F = Fraction


@dataclass(frozen=True)
class Tableau:
    """Coefficients of one method, exact.

    a : strictly lower triangular rows, the first one empty
    b : weights of the result
    embedded : weights of the companion solution for error control, empty without one; the last
        stage is then the first one of the next step (its row of a is b)
    interpolant : coefficients of the continuous extension, a row for each stage
    """

    name: str
    order: int
    a: tuple[tuple[Fraction, ...], ...]
    b: tuple[Fraction, ...]
    embedded: tuple[Fraction, ...] = ()
    interpolant: tuple[tuple[Fraction, ...], ...] = ()
    title: str = ""

    @property
    def stages(self) -> int:
        return len(self.b)

    @property
    def c(self) -> tuple[Fraction, ...]:
        """Times of the stages as fractions of the step: the row sums of a."""
        return tuple(sum(row, F(0)) for row in self.a)

    @property
    def is_adaptive(self) -> bool:
        """True if steps are chosen by an error estimate."""
        return bool(self.embedded)

    @property
    def error(self) -> tuple[Fraction, ...]:
        """Weights of the error estimate: those of the result less the companion's."""
        return tuple(b - other for b, other in zip(self.b, self.embedded, strict=True))


RK4 = Tableau(
    name="rk4",
    order=4,
    a=((), (F(1, 2),), (F(0), F(1, 2)), (F(0), F(0), F(1))),
    b=(F(1, 6), F(1, 3), F(1, 3), F(1, 6)),
    title="classical Runge-Kutta method of order 4",
)

_DOPRI_B = (F(35, 384), F(0), F(500, 1113), F(125, 192), F(-2187, 6784), F(11, 84))

# Dormand and Prince, A family of embedded Runge-Kutta formulae, J. Comput. Appl. Math. 6 (1980);
# the extension of order 4 by Shampine, Some practical Runge-Kutta formulas, Math. Comp. 46 (1986).
DOPRI = Tableau(
    name="dopri",
    order=5,
    a=(
        (),
        (F(1, 5),),
        (F(3, 40), F(9, 40)),
        (F(44, 45), F(-56, 15), F(32, 9)),
        (F(19372, 6561), F(-25360, 2187), F(64448, 6561), F(-212, 729)),
        (F(9017, 3168), F(-355, 33), F(46732, 5247), F(49, 176), F(-5103, 18656)),
        _DOPRI_B,
    ),
    b=(*_DOPRI_B, F(0)),
    embedded=(
        *(F(5179, 57600), F(0), F(7571, 16695), F(393, 640), F(-92097, 339200)),
        *(F(187, 2100), F(1, 40)),
    ),
    interpolant=(
        (F(1), F(-8048581381, 2820520608), F(8663915743, 2820520608), F(-12715105075, 11282082432)),
        (F(0), F(0), F(0), F(0)),
        (
            F(0),
            F(131558114200, 32700410799),
            F(-68118460800, 10900136933),
            F(87487479700, 32700410799),
        ),
        (F(0), F(-1754552775, 470086768), F(14199869525, 1410260304), F(-10690763975, 1880347072)),
        (
            F(0),
            F(127303824393, 49829197408),
            F(-318862633887, 49829197408),
            F(701980252875, 199316789632),
        ),
        (F(0), F(-282668133, 205662961), F(2019193451, 616988883), F(-1453857185, 822651844)),
        (F(0), F(40617522, 29380423), F(-110615467, 29380423), F(69997945, 29380423)),
    ),
    title="Dormand-Prince method of order 5(4)",
)

TABLEAUS = (RK4, DOPRI)
