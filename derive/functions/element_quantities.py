"""Functions of elements: outputs, states, strains, switches and lines of pictures."""

from __future__ import annotations

from functools import partial

from eomc.derive.functions.derivatives import swept_columns
from eomc.derive.functions.registry import column, function, matrix, matrix_of
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, Expression
from eomc.derive.graph.columns import Columns, swept
from eomc.derive.system import System

output_function = partial(function, sees_forces=True, needs=("element outputs",))


@shared
def _told(system: System) -> list[Expression]:
    elements = [e for table in system.model.acting().values() for e in table.values()]
    return [
        value
        for element in elements
        if element.outputs()
        for value in element.output_values(system.scene)
    ]


@output_function(
    "element_outputs", ("q", "u"), "Outputs of elements, such as the tension of a cable."
)
def element_outputs(system: System) -> list[Argument]:
    """As the elements say."""
    units = {output.units for output in system.model.element_outputs().values()}
    rows = tuple(system.model.element_outputs())
    return [column("outputs", _told(system), "outputs of elements", ", ".join(sorted(units)), rows)]


@output_function(
    "element_output_derivatives",
    ("q", "u"),
    "Derivatives of what elements tell; columns by q are tangent directions.",
)
def element_output_derivatives(system: System) -> list[Argument]:
    """(y_q, y_u and, with states of elements, y_z and, with inputs, y_r)."""
    one, rows = (system.zero + 1).node, tuple(system.model.element_outputs())
    directions = {"q": system.directions()} | {
        name: [{x.node: one} for x in array]
        for name, array in (("u", system.u), ("z", system.z), ("r", system.r))
    }
    return [
        matrix_of(f"y_{name}", swept(system.graph, _told(system), along), rows, f"d y / d {name}")
        for name, along in directions.items()
        if along or name in ("q", "u")
    ]


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


@function(
    "element_strains",
    ("q", "u"),
    "Strains eps of elements, eps'' = J a + j, and generalized forces A for a unit of each.",
    sees_forces=True,
    needs=("strains",),
)
def element_strains(system: System) -> list[Argument]:
    """(eps, J, j, A); inputs, time and prescribed motion count as standing still."""
    elements = system.model.stretching()
    found = [element.strained(system.scene) for element in elements.values()]
    names, nu = tuple(elements), system.nu
    values = [e for s in found for e in (s.strain, s.length, s.rest)]
    # One entry a direction of q, of (eps, L, L0) of each element.
    along = swept_columns(system, values, system.directions())
    jacobian = [[along[k][3 * i] for k in range(nu)] for i in range(len(found))]
    forces = [
        [
            s.on_rest * along[k][3 * i + 2] - s.on_length * along[k][3 * i + 1]
            for i, s in enumerate(found)
        ]
        for k in range(nu)
    ]
    motion = system.configuration_rates
    (rates,) = swept_columns(system, [s.strain for s in found], [motion])
    (drift,) = swept_columns(system, rates, [motion])
    return [
        column("strain", [s.strain for s in found], "strains", "", names),
        matrix("J", jacobian, nu, "strains by displacements", "", names),
        column("drift", drift, "eps'' without accelerations", "1/s^2", names),
        matrix("A", forces, len(found), "forces of a unit of strain", "", system.speed_names),
    ]


@function(
    "element_switches",
    ("q", "u"),
    "Functions of elements that change sign where their forces have a kink.",
    sees_forces=True,
    needs=("element switches",),
)
def element_switches(system: System) -> list[Argument]:
    """As the elements say."""
    elements = [e for table in system.model.acting().values() for e in table.values()]
    values = [
        value
        for element in elements
        if element.switches()
        for value in element.switching(system.scene)
    ]
    rows = tuple(system.model.element_switches())
    return [column("switches", values, "zero where forces have a kink", "", rows)]


@function(
    "element_lines",
    ("q",),
    "Points of the lines that pictures show of elements, one after the other.",
    sees_forces=True,
    needs=("element lines",),
)
def element_lines(system: System) -> list[Argument]:
    """As the elements say, in the order that the metadata tell."""
    found = [
        [*point]
        for element in system.model.elements()
        if element.drawn_lines()
        for line in element.lines(system.scene)
        for point in line
    ]
    return [matrix("points", found, 3, "points in the world", "m")]
