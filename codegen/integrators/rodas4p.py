"""The Rosenbrock method RODAS4P of order 4 with 6 stages, stiffly accurate.

Reference: Steinebach, Order reduction of ROW-methods for DAEs and method of lines applications,
preprint 1741, TH Darmstadt (1995); coefficients in transformed form.
"""

from fractions import Fraction as F

from eomc.codegen.integrators.known import register
from eomc.codegen.integrators.rosenbrock import Rosenbrock, decimals, transformed

_GAMMA = F(1, 4)
_FIFTH = decimals("-7.170454962423024 -4.741636671481785 -16.31002631330971 -1.062004044111401")
_SIXTH = (*_FIFTH, F(1))
_STAGES = (
    (),
    decimals("3"),
    decimals("1.831036793486759 0.4955183967433795"),
    decimals("2.304376582692669 -0.05249275245743001 -1.176798761832782"),
    _FIFTH,
    _SIXTH,
)
_COUPLINGS = (
    (),
    decimals("-12"),
    decimals("-8.791795173947035 -2.207865586973518"),
    decimals("10.81793056857153 6.780270611428266 19.53485944642410"),
    decimals("34.19095006749676 15.49671153725963 54.74760875964130 14.16005392148534"),
    decimals(
        "34.62605830930532 15.30084976114473 56.99955578662667 18.40807009793095 -5.714285714285717"
    ),
)
_A, _G, _B = transformed(_GAMMA, _STAGES, _COUPLINGS, (*_SIXTH, F(1)))
# The last stage is the error estimate.
_EMBEDDED = transformed(_GAMMA, _STAGES, _COUPLINGS, (*_SIXTH, F(0)))[2]

RODAS4P = register(
    Rosenbrock(
        name="rodas4p",
        order=4,
        gamma=_GAMMA,
        a=_A,
        g=_G,
        b=_B,
        embedded=_EMBEDDED,
        title="Rosenbrock method RODAS4P of order 4(3)",
    )
)
