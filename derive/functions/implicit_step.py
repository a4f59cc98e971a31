"""Functions of linearly implicit steps: their matrix, and rates of displacements.

A step starts at a configuration q0 and moves by the tangent displacement theta, q = q0 Exp(theta).
With w = (u, z), speeds and states of elements, and the generalized mass m,

    theta' = u + 1/2 [theta, u] + 1/12 [theta, [theta, u]] - ...,      m w' = F(q, w, t)

where [theta, u] = W(u) theta is the bracket of the joints' motions (see
`eomc.derive.system.transport`), zero where speeds are rates of coordinates. Stages solve with
r - J, J the Jacobian at theta = 0 and r = 1/(h gamma); displacements are eliminated:

    S = (r - W/2)^-1,    E = r m - dF/dw - (dF/dtheta) S

    E dw = m r_w + (dF/dtheta) S r_theta,    dtheta = S (r_theta + du)

Without constraints m is the mass matrix, so that nothing is divided by it; on constraints
F are accelerations and m = 1.

Reference: Hairer and Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., sec. IV.7;
Iserles, Munthe-Kaas, Norsett and Zanna, Lie-group methods, Acta Numerica 9 (2000), sec. 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.dynamics.elimination import eliminate
from eomc.derive.functions import constrained_derivatives as constrained
from eomc.derive.functions.dynamics import pivots_positive
from eomc.derive.functions.formulation import Formulation
from eomc.derive.functions.registry import column, function, matrix_of
from eomc.derive.graph import Argument, Expression, nodes, symbol, symbols
from eomc.derive.graph.columns import Columns, substituted, swept

Vector = list[Expression]

_BERNOULLI = ((1, 1 / 2), (2, 1 / 12), (4, -1 / 720))
"""Nested brackets, and their factors in the inverse of the differential of Exp."""

_NEEDS = ("tangent displacements",)


def _bracket(system: Formulation, theta: Sequence[Expression], u: Sequence[Expression]) -> Vector:
    """[theta, u] = W(u) theta"""
    w = system.transport[0]
    columns = [[row[k] for row in w] for k in range(system.nu)]
    at = dict(zip(nodes(system.u), nodes(u), strict=True))
    total = [system.zero] * system.nu
    for column_, amount in zip(substituted(system.graph, columns, at), theta, strict=True):
        total = [x + entry * amount for x, entry in zip(total, column_, strict=True)]
    return total


@function(
    "displacement_rates",
    ("du", "u"),
    "Rates of the tangent displacement du that leads to a configuration, by the speeds there.",
    sees_bodies=False,
    needs=_NEEDS,
)
def displacement_rates(system: Formulation) -> list[Argument]:
    """The inverse of the differential of Exp, of which quaternions, and poses with them, have
    terms beyond the first: those up to the fourth order are taken."""
    theta = list(symbols(system.graph, "du", system.nu))
    rates, nested, count = list(system.u), list(system.u), 0
    for depth, factor in _BERNOULLI:
        while count < depth:
            nested, count = _bracket(system, theta, nested), count + 1
        rates = [x + factor * y for x, y in zip(rates, nested, strict=True)]
    names = system.speed_names
    return [column("du_rate", rates, "rates of the displacement", "rad/s or m/s", names)]


def _of_time(system: Formulation) -> list[dict[int, int]]:
    return [{system.time.node: (system.zero + 1).node}] if system.uses_time else []


def _forces(system: Formulation) -> tuple[Columns, Columns, Columns, Columns, Columns]:
    """The mass matrix m, and dF/dtheta, dF/du, dF/dz, dF/dt of the speeds' rows."""
    one, zero = system.zero + 1, system.zero
    along_z = [{z.node: one.node} for z in system.z]
    along_t = _of_time(system)
    more = swept(system.graph, system.inverse.free, [*along_z, *along_t])
    if system.is_constrained:
        by_q, by_u = system.partials(system.a)
        along_u = [{u.node: one.node} for u in system.u]
        along = [*system.directions(), *along_u, *along_z, *along_t]
        found = constrained.responses(system, [*by_q, *by_u, *more], along)
        mass = [[one if i == k else zero for i in range(system.nu)] for k in range(system.nu)]
    else:
        a = system.forward.acceleration
        by_q, by_u = system.partials(a)
        at = dict(zip(nodes(system.a), nodes(a), strict=True))
        more = substituted(system.graph, more, at)
        found = [[-entry for entry in column_] for column_ in (*by_q, *by_u, *more)]
        rows = system.acceleration_rows(a)
        mass = [[row[k] for row in rows] for k in range(system.nu)]
    n, m = system.nu, len(system.z)
    return mass, found[:n], found[n : 2 * n], found[2 * n : 2 * n + m], found[2 * n + m :]


def _with_states(system: Formulation) -> tuple[Columns, Columns, Columns, Columns]:
    """m, dF/dtheta, dF/dw and dF/dt with the rows of z, whose mass is 1."""
    mass, by_q, by_u, by_z, by_t = _forces(system)
    zero, count = system.zero, len(system.z)
    units = [[zero + int(i == k) for i in range(count)] for k in range(count)]
    if not count:
        return mass, by_q, by_u, by_t
    one = (zero + 1).node
    along_u, along_z = ([{x.node: one} for x in array] for array in (system.u, system.z))
    along = [*system.directions(), *along_u, *along_z, *_of_time(system)]
    rates = swept(system.graph, system.element_state_rates, along)
    n = system.nu
    of_q, of_w, of_t = rates[:n], rates[n : 2 * n + count], rates[2 * n + count :]
    mass = [column_ + [zero] * count for column_ in mass] + [[zero] * n + unit for unit in units]

    def joined(upper: Columns, lower: Columns) -> Columns:
        return [[*x, *y] for x, y in zip(upper, lower, strict=True)]

    return mass, joined(by_q, of_q), joined([*by_u, *by_z], of_w), joined(by_t, of_t)


def turns(system: Formulation) -> bool:
    """True if some speeds are not the rates of coordinates, so that W is not zero."""
    return any(not entry.is_zero for row in system.transport[0] for entry in row)


def _responses(system: Formulation, rate: Expression) -> Columns:
    """Columns of S = (r - W/2)^-1"""
    n, zero = system.nu, system.zero
    if not turns(system):
        # One division for all.
        length = 1 / rate
        return [[length if i == k else zero for i in range(n)] for k in range(n)]
    rows = [
        [(rate if i == k else zero) - entry / 2 for k, entry in enumerate(row)]
        for i, row in enumerate(system.transport[0])
    ]
    found = eliminate(rows)
    return [found.solve([zero + int(i == k) for i in range(n)]) for k in range(n)]


@function(
    "step_matrix",
    ("q", "u", "tau", "rate"),
    "Matrix of linearly implicit steps, r m - dF/dw - dF/dtheta (r - W/2)^-1 of m w' = F(q, w, t), "
    "and what they take beside it.",
    sees_forces=True,
    guards=pivots_positive,
    needs=_NEEDS,
)
def step_matrix(system: Formulation) -> list[Argument]:
    """(E, m, (dF/dtheta) S, S, dF/dt): m where it is not 1, on constraints; S where W is not 0; the
    last with time in the equations."""
    rate = symbol(system.graph, "rate")
    mass, by_q, by_w, by_t = _with_states(system)
    response = _responses(system, rate)
    rows = (*system.speed_names, *system.element_state_names)
    carried = []
    for along in response:
        total = [system.zero] * len(rows)
        for column_, amount in zip(by_q, along, strict=True):
            if not amount.is_zero:
                total = [x + entry * amount for x, entry in zip(total, column_, strict=True)]
        carried.append(total)
    step = [
        [rate * x - y for x, y in zip(m, w, strict=True)] for m, w in zip(mass, by_w, strict=True)
    ]
    step[: system.nu] = [
        [x - y for x, y in zip(*pair, strict=True)]
        for pair in zip(step[: system.nu], carried, strict=True)
    ]
    found = [matrix_of("E", step, rows, "matrix of the step")]
    if not system.is_constrained:
        found.append(matrix_of("mass", mass, rows, "generalized mass, m"))
    found.append(matrix_of("by_displacement", carried, rows, "(dF/dtheta) S"))
    if turns(system):
        found.append(matrix_of("response", response, system.speed_names, "S"))
    if system.uses_time:
        found.append(column("by_time", by_t[0], "dF/dt", "", rows))
    return found
