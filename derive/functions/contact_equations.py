"""Terms of one velocity-level step with rigid contacts, in coordinates of unit mass.

The step solves A (v - u) = h f + J^T P for the speeds v behind it and impulses P of contacts and
constraints. With A = L^T D L and x = sqrt(D) L v

    x = x_u + h y_f + sum_k y_k P_k,    rates J_k v + b_k = y_k . x + b_k

so that Delassus' matrix has the entries y_i . y_k and is never formed. L and y are given by their
entries that are not zero: a row of a contact depends on the speeds between it and the root alone.
A is the mass matrix, to
which joint-local dampers and springs D, K add w D + w^2 K for a step w that takes them implicitly;
their forces are then those behind the step, f - w K u. Reference: Stewart and Trinkle, *An implicit
time-stepping scheme for rigid body dynamics*, Int. J. Numer. Methods Eng. 39 (1996).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.constraints.linear import Linear
from eomc.derive.dynamics.factor import Factor, factor
from eomc.derive.elements.closing import Closing, Rubbing
from eomc.derive.elements.rows import Row
from eomc.derive.functions.dynamics import positive
from eomc.derive.functions.inputs import STEP
from eomc.derive.functions.registry import column, function
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, Expression, ForwardSweep, Guard, product_sum, symbol
from eomc.derive.system import System


@shared
def _factor(system: System) -> Factor:
    """A = L^T D L"""
    w, mass = symbol(system.graph, STEP), dict(system.mass)
    for k, (stiffness, damping) in enumerate(_joint_local(system)):
        mass[k, k] = mass.get((k, k), system.zero) + w * (damping + w * stiffness)
    return factor(mass, system.nu)


@shared
def _joint_local(system: System) -> list[tuple[Expression, Expression]]:
    """Stiffness and damping of every speed by the generalized forces on itself, none negative."""
    found, graph, zero = [], system.graph, system.zero
    shares = (system.loads.conservative, system.loads.other)
    for k, (speed, along) in enumerate(zip(system.u, system.directions(), strict=True)):
        force = zero
        for share in shares:
            force = force + share.generalized.get(k, zero)
        sweep, one = ForwardSweep(graph, [force.node]), (zero + 1).node
        slopes = (sweep(along)[0], sweep({speed.node: one})[0])
        stiffness, damping = (_not_negative(-Expression(graph, slope)) for slope in slopes)
        found.append((stiffness, damping))
    return found


def _not_negative(value: Expression) -> Expression:
    return value if value.is_zero else value.binary("max", value * 0)


def _rows(system: System, closings: Sequence[Closing]) -> list[Row]:
    """Of each contact its gap and, with friction, two slips; then speeds with dry friction."""
    rows = []
    for name, site in zip(system.model.rigid_contacts(), closings, strict=True):
        rows.append(Row(name, "gap", site.gap))
        if site.rubs:
            rows += [
                Row(name, f"slip_{k}", along.dot(site.velocity), holonomic=False)
                for k, along in enumerate(site.tangents, 1)
            ]
    for friction in _rubbing(system):
        rows.append(Row(friction.speed, "friction", friction.rate, holonomic=False))
    return rows


@shared
def _rubbing(system: System) -> list[Rubbing]:
    tables = system.model.acting().values()
    return [e.rubbing(system.scene) for table in tables for e in table.values() if e.rubs()]


def _drift(system: System, linear: Linear) -> list[Expression]:
    """b of the rates J u + b: zero unless something moves by itself."""
    if not (system.prescribed_names or system.uses_time):
        return [system.zero] * len(linear.jacobian)
    found = []
    for row, rate in zip(linear.jacobian, linear.velocity, strict=True):
        for k, entry in row.items():
            rate = rate - entry * system.u[k]
        found.append(rate)
    return found


@function(
    "contact_equations",
    ("q", "u", "tau", STEP),
    "Terms of a velocity-level step with rigid contacts, in coordinates of unit mass.",
    sees_forces=True,
    guards=lambda system: _pivots(system),
    needs=("contact equations",),
)
def contact_equations(system: System) -> list[Argument]:
    """See the module."""
    elements = [e for table in system.model.acting().values() for e in table.values()]
    closings = [site for e in elements if e.closes() for site in e.closing(system.scene)]
    rows = [*_rows(system, closings), *(system.constraints.rows if system.is_constrained else [])]
    linear = system.constraints.linearized(rows)
    made, roots, n = _factor(system), _roots(system), system.nu
    local, w = _joint_local(system), symbol(system.graph, STEP)
    forces = [
        tau - c - w * stiffness * u
        for tau, c, (stiffness, _), u in zip(
            system.tau, system.bias.free, local, system.u, strict=True
        )
    ]
    speeds = [
        (sum((entry * system.u[i] for i, entry in made.rows[k].items()), system.u[k])) / roots[k]
        for k in range(n)
    ]
    names, labels = system.model.rigid_contacts(), [row.name for row in rows]
    unit = {(k, i): made.rows[k][i] for i in range(n) for k in range(n) if i in made.rows[k]}
    across = [_half_solved(system, row) for row in linear.jacobian]
    pushed = _half_solved(system, dict(enumerate(forces)))
    drift = _drift(system, linear)
    rates = [_dot(row, speeds) + b for row, b in zip(across, drift, strict=True)]
    laws = [x for s in closings for x in s.laws]
    limits = [friction.limit for friction in _rubbing(system)]
    found = [
        _packed("L", unit, list(map(str, range(n))), "A = L^T D L below the diagonal"),
        column("scale", roots, "1/sqrt(D)"),
        column("x", speeds, "sqrt(D) L u"),
        column("y_f", pushed, "D^-1/2 L^-T f"),
        _packed("y", _by_blocks(system, across, closings), labels, "D^-1/2 L^-T J^T"),
        column("drift", drift, "rates at rest", "", labels),
        column("rates", rates, "J u + b", "", labels),
        column("pushes", [_dot(row, pushed) for row in across], "y . y_f", "", labels),
    ]
    if closings:
        told = "restitution, speed of rest, static and kinetic friction, stiffness, damping"
        found.append(column("gaps", [site.gap for site in closings], "positive apart", "m", names))
        found.append(column("laws", laws, f"{told}, by contact"))
    if limits:
        speeds_held = [friction.speed for friction in _rubbing(system)]
        found.append(column("limits", limits, "of dry friction", "N m or N", speeds_held))
    return found


def _packed(
    name: str, entries: Mapping[tuple[int, int], Expression], rows: Sequence[str], text: str
) -> Argument:
    """Entries of a matrix by the names of their rows and the numbers of their columns."""
    places = [f"{rows[row]}, {k}" for row, k in entries]
    return column(name, list(entries.values()), f"{text}, by row and column", "", places)


def _by_blocks(
    system: System, across: Sequence[Sequence[Expression]], closings: Sequence[Closing]
) -> dict[tuple[int, int], Expression]:
    """Entries of y speed by speed, the rows of a contact side by side. Constraints take the part
    of every row that they resist, by which no entry stays zero."""
    sizes = [3 if site.rubs else 1 for site in closings]
    sizes += [1] * (len(across) - sum(sizes))
    found: dict[tuple[int, int], Expression] = {}
    first = 0
    for size in sizes:
        rows = range(first, first + size)
        for k in range(system.nu):
            if system.is_constrained or not all(across[row][k].is_zero for row in rows):
                found |= {(row, k): across[row][k] for row in rows}
        first += size
    return found


@shared
def _roots(system: System) -> list[Expression]:
    return [reciprocal.sqrt() for reciprocal in _factor(system).reciprocals]


def _dot(a: Sequence[Expression], b: Sequence[Expression]) -> Expression:
    return product_sum(*zip(a, b, strict=True))


def _half_solved(system: System, row: dict[int, Expression]) -> list[Expression]:
    """D^-1/2 L^-T row"""
    found = [row.get(k, system.zero) for k in range(system.nu)]
    for k in reversed(range(system.nu)):
        if not found[k].is_zero:
            for i, entry in _factor(system).rows[k].items():
                found[i] = found[i] - entry * found[k]
    return [x * root for x, root in zip(found, _roots(system), strict=True)]


def _pivots(system: System) -> list[Guard]:
    return positive(_factor(system).pivots)
