"""The embedded pair of Dormand and Prince.

References: Dormand and Prince, A family of embedded Runge-Kutta formulae, J. Comput. Appl. Math. 6
(1980); the continuous extension of order 4 by Shampine, Some practical Runge-Kutta formulas, Math.
Comp. 46 (1986).
"""

from fractions import Fraction as F

from eomc.codegen.integrators.known import register
from eomc.codegen.integrators.tableau import Tableau

_B = (F(35, 384), F(0), F(500, 1113), F(125, 192), F(-2187, 6784), F(11, 84))

DOPRI = register(
    Tableau(
        name="dopri",
        order=5,
        a=(
            (),
            (F(1, 5),),
            (F(3, 40), F(9, 40)),
            (F(44, 45), F(-56, 15), F(32, 9)),
            (F(19372, 6561), F(-25360, 2187), F(64448, 6561), F(-212, 729)),
            (F(9017, 3168), F(-355, 33), F(46732, 5247), F(49, 176), F(-5103, 18656)),
            _B,
        ),
        b=(*_B, F(0)),
        embedded=(
            *(F(5179, 57600), F(0), F(7571, 16695), F(393, 640), F(-92097, 339200)),
            *(F(187, 2100), F(1, 40)),
        ),
        interpolant=(
            (
                F(1),
                F(-8048581381, 2820520608),
                F(8663915743, 2820520608),
                F(-12715105075, 11282082432),
            ),
            (F(0), F(0), F(0), F(0)),
            (
                F(0),
                F(131558114200, 32700410799),
                F(-68118460800, 10900136933),
                F(87487479700, 32700410799),
            ),
            (
                F(0),
                F(-1754552775, 470086768),
                F(14199869525, 1410260304),
                F(-10690763975, 1880347072),
            ),
            (
                F(0),
                F(127303824393, 49829197408),
                F(-318862633887, 49829197408),
                F(701980252875, 199316789632),
            ),
            (F(0), F(-282668133, 205662961), F(2019193451, 616988883), F(-1453857185, 822651844)),
            (F(0), F(40617522, 29380423), F(-110615467, 29380423), F(69997945, 29380423)),
        ),
        stability_limit=2.5,
        title="Dormand-Prince method of order 5(4)",
    )
)
