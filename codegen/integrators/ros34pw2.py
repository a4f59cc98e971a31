"""The W-method ROS34PW2 of order 3 with 4 stages, stiffly accurate.

Reference: Rang and Angermann, New Rosenbrock W-methods of order 3 for partial differential
algebraic equations of index 1, BIT 45 (2005).
"""

from fractions import Fraction as F

from eomc.codegen.integrators.known import register
from eomc.codegen.integrators.rosenbrock import Rosenbrock, decimals

ROS34PW2 = register(
    Rosenbrock(
        name="ros34pw2",
        order=3,
        gamma=F("0.43586652150845900"),
        a=(
            (),
            decimals("0.87173304301691801"),
            decimals("0.84457060015369423 -0.11299064236484185"),
            (F(0), F(0), F(1)),
        ),
        g=(
            (),
            decimals("-0.87173304301691801"),
            decimals("-0.90338057013044082 0.054180672388095326"),
            decimals("0.24212380706095346 -1.2232505839045147 0.54526025533510214"),
        ),
        b=decimals(
            "0.24212380706095346 -1.2232505839045147 1.5452602553351020 0.43586652150845900"
        ),
        embedded=decimals("0.37810903145819369 -0.096042292212423178 0.5 0.21793326075422950"),
        order_with_any_w=3,
        title="Rosenbrock W-method ROS34PW2 of order 3(2)",
    )
)
