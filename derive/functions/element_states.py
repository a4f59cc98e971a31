"""States of elements: their rates, and how these and the forces depend on them.

With z' = f(q, u, z) and forces Q(q, u, z) of the elements, small motions obey

    d z' = f_q xi + f_u du + f_z dz + f_r dr,   M da + ... = Q_z dz
"""

from __future__ import annotations

from functools import partial

from eomc.derive.functions.registry import column, function, matrix_of
from eomc.derive.graph import Argument, Expression
from eomc.derive.graph.columns import Columns, swept
from eomc.derive.system import System

state_function = partial(function, sees_forces=True, needs=("element states",))


@state_function(
    "element_state_rates", ("q", "u"), "Rates of the states of elements, z' = f(q, u, z)."
)
def element_state_rates(system: System) -> list[Argument]:
    """z' as the elements say."""
    rates = system.element_state_rates
    return [column("z_rate", rates, "rates of the states", "", system.element_state_names)]


@state_function(
    "element_state_derivatives",
    ("q", "u"),
    "Derivatives of the rates of elements' states, and of the forces by these states; columns by q "
    "are tangent directions.",
)
def element_state_derivatives(system: System) -> list[Argument]:
    """(f_q, f_u, f_z, Q_z and, with inputs, f_r)."""
    one, rates, names = (
        (system.zero + 1).node,
        system.element_state_rates,
        system.element_state_names,
    )
    by_u, by_z, by_r = ([{x.node: one} for x in array] for array in (system.u, system.z, system.r))

    def by(values: list[Expression], directions: list[dict[int, int]]) -> Columns:
        return swept(system.graph, values, directions)

    found = [
        matrix_of("f_q", by(rates, system.directions()), names, "d z' / d q"),
        matrix_of("f_u", by(rates, by_u), names, "d z' / d u"),
        matrix_of("f_z", by(rates, by_z), names, "d z' / d z"),
        matrix_of("Q_z", by(system.acting_loads, by_z), system.speed_names, "d Q / d z"),
    ]
    return [*found, matrix_of("f_r", by(rates, by_r), names, "d z' / d r")] if system.r else found
