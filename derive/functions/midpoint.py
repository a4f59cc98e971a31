"""Steps of the implicit midpoint rule, and their derivatives by the implicit function theorem.

With the momentum p = M(q) u, the speeds v over the step, q_m = q Exp(h v/2) and A the adjoint of
Exp(h v/2), which transports momenta over half a step,

    2 M(q_m) v = p + p+,    p+ = A^T (A^T p + h g),    q+ = q Exp(h v),    M(q+) u+ = p+

    g = d(M u)/dt|_(a = 0) + W^T M u + Q,    Q = tau - c(q, u) + J^T lambda,    all at (q_m, v)

where W is the bracket of `eomc.derive.system.transport`. Momenta are transported, not differenced
in one tangent space, so the momentum about an axis of symmetry is kept to rounding. Where speeds
are rates of coordinates A = 1 and the rule is the midpoint rule of Hamilton's equations, which is
symplectic: errors of the energy stay bounded. States of elements take 2 (Z - z) = h z'(q_m, v, Z).

The equations R(x, y) = 0 of y = (v, Z) take a fixed number of Newton's steps with their exact
Jacobian; at the solution dy = -R_y^-1 R_x dx, whatever x stands for.

Reference: Hairer, Lubich and Wanner, *Geometric Numerical Integration*, 2nd ed., sec. VI.4;
Bou-Rabee and Marsden, Hamilton-Pontryagin integrators on Lie groups, Found. Comput. Math. 9 (2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derive.dynamics.elimination import TriangularFactors, eliminate
from eomc.derive.functions import adjoints, directions
from eomc.derive.functions.directions import directed
from eomc.derive.functions.dynamics import pivots_positive, positive, symmetric_rows
from eomc.derive.functions.formulation import Formulation, Rows
from eomc.derive.functions.registry import column, matrix
from eomc.derive.functions.runge_kutta_adjoint import put
from eomc.derive.functions.runge_kutta_derivatives import to_tangent
from eomc.derive.functions.shared import shared
from eomc.derive.graph import (
    Argument,
    Expression,
    Guard,
    constant,
    nodes,
    reachable,
    symbol,
    symbols,
)
from eomc.derive.graph.columns import Columns, swept

Vector = list[Expression]

NEWTON_STEPS = 3
"""Of each step."""
_SETTLED = 1e-12
"""Square of the last step of Newton's method, by that of the speeds."""


@dataclass(frozen=True)
class MidpointEquations:
    """R(x, y), dR/dy by columns, and p+ and q_m, in symbols of x and y."""

    y: Vector
    residual: Vector
    by_y: Columns
    momentum: Vector
    middle: Vector


@dataclass(frozen=True)
class MidpointSolution:
    """The values of y, the pivots of every step of Newton's method, and how much the last one
    changed."""

    at: dict[int, int]
    pivots: Vector
    settled: Expression


def _product(system: Formulation, rows: Rows, x: Sequence[Expression]) -> Vector:
    return [adjoints.product(system, row, x) for row in rows]


def _transposed(rows: Rows) -> Rows:
    return [list(column_) for column_ in zip(*rows, strict=True)]


def _momentum_rate(system: Formulation, momentum: Vector) -> Vector:
    """d(M u)/dt without acceleration."""
    graph = system.graph
    along: dict[int, Expression] = {}
    for direction, u in zip(system.directions(), system.u, strict=True):
        for node, rate in direction.items():
            along[node] = along.get(node, system.zero) + Expression(graph, rate) * u
    moved = {node: rate.node for node, rate in along.items()}
    moved |= dict(zip(nodes(system.s), nodes(system.s_rate), strict=True))
    return swept(graph, momentum, [moved])[0]


def _kick(system: Formulation) -> Vector:
    """g at (q, u)"""
    rows = symmetric_rows(system)
    momentum = _product(system, rows, system.u)
    if system.is_constrained or system.reacts:
        forces = _product(system, rows, system.forward.acceleration)
    else:
        bias = system.forces_at([system.zero] * system.nu)
        forces = [x - y for x, y in zip(system.tau, bias, strict=True)]
    turned = _product(system, _transposed(system.transport[0]), momentum)
    rate = _momentum_rate(system, momentum)
    return [x + y + z for x, y, z in zip(rate, turned, forces, strict=True)]


def _transport(system: Formulation, half: Vector, middle: Vector) -> Rows | None:
    """Rows of A: the displacement of q by that of q_m; None where it is 1. Of body rates it is the
    same in every configuration."""
    graph, bracket = system.graph, [entry for row in system.transport[0] for entry in row]
    if all(entry.is_zero for entry in bracket):
        return None
    start = list(system.configuration)
    if set(nodes(system.q)).isdisjoint(reachable(graph, nodes(bracket))):
        start = [constant(graph, value) for value in system.neutral]
        middle = system.integrated(start, half)
    du = list(symbols(graph, "du", system.nu))
    moved = swept(graph, system.integrated(system.configuration, du), system.directions())
    moved = [put(system, own, _at(system.q, middle) | _at(du, [-x for x in half])) for own in moved]
    tangent = [put(system, row, _at(system.q, start)) for row in to_tangent(system)]
    return [[adjoints.product(system, row, own) for own in moved] for row in tangent]


def _at(symbols_: Sequence[Expression], values: Sequence[Expression]) -> dict[int, int]:
    return dict(zip(nodes(symbols_), nodes(values), strict=True))


@shared
def midpoint_equations(system: Formulation) -> MidpointEquations:
    graph, nu = system.graph, system.nu
    h, t = symbol(graph, "h"), system.time
    y = list(symbols(graph, "y", nu + len(system.z)))
    v, z = y[:nu], y[nu:]
    half = [h / 2 * x for x in v]
    middle = system.integrated(system.configuration, half)
    at = _at(system.q, middle) | _at(system.u, v) | _at(system.z, z)
    at[t.node] = (t + h / 2).node
    rows = symmetric_rows(system)
    start = _product(system, rows, system.u)
    within = put(system, _product(system, rows, system.u), at)
    kick = put(system, _kick(system), at)
    adjoint = _transport(system, half, middle)
    across = start if adjoint is None else _product(system, _transposed(adjoint), start)
    across = [x + h * y for x, y in zip(across, kick, strict=True)]
    end = across if adjoint is None else _product(system, _transposed(adjoint), across)
    residual = [2 * m - a - b for m, a, b in zip(within, start, end, strict=True)]
    rates = put(system, system.element_state_rates, at) if z else []
    residual += [2 * (x - a) - h * b for x, a, b in zip(z, system.z, rates, strict=True)]
    one = (system.zero + 1).node
    by_y = swept(graph, residual, [{x.node: one} for x in y])
    return MidpointEquations(y, residual, by_y, end, middle)


def _factored(system: Formulation, at: Mapping[int, int]) -> TriangularFactors:
    columns = [put(system, own, at) for own in midpoint_equations(system).by_y]
    return eliminate(_transposed(columns))


@shared
def midpoint_solution(system: Formulation) -> MidpointSolution:
    """Newton's method from the state at the start."""
    equations = midpoint_equations(system)
    h, zero = symbol(system.graph, "h"), system.zero
    value = [*system.u, *system.z]
    pivots: Vector = []
    change = value
    for _ in range(NEWTON_STEPS):
        at = _at(equations.y, value)
        factors = _factored(system, at)
        pivots += factors.pivots
        change = factors.solve(put(system, equations.residual, at))
        value = [x - dx for x, dx in zip(value, change, strict=True)]
    size = sum((x * x for x in value), zero + h * h)
    settled = size * _SETTLED - sum((x * x for x in change), zero)
    return MidpointSolution(_at(equations.y, value), pivots, settled)


@shared
def midpoint_end(system: Formulation) -> Vector:
    """(q+, u+, z+) by x and y."""
    equations, h = midpoint_equations(system), symbol(system.graph, "h")
    half = [h / 2 * x for x in equations.y[: system.nu]]
    q = system.integrated(equations.middle, half)
    momentum = list(symbols(system.graph, "momentum", system.nu))
    speeds = system.factor.solve(momentum)
    u = put(system, speeds, _at(system.q, q) | _at(momentum, equations.momentum))
    return [*q, *u, *(2 * x - z for x, z in zip(equations.y[system.nu :], system.z, strict=True))]


def _length(system: Formulation) -> list[Argument]:
    return [Argument("h", (), (symbol(system.graph, "h").node,), "length of the step", "s")]


def midpoint_guards(system: Formulation) -> list[Guard]:
    """Newton's method is done after its steps; before that its matrices are those of a step that
    is not too long for forces that push away; masses are positive at the start."""
    found = midpoint_solution(system)
    pivots = [Guard(x.node, "singular_step") for x in found.pivots if not x.is_constant]
    masses = pivots_positive(system) if system.is_constrained else positive(system.factor.pivots)
    return [*masses, *pivots, Guard(found.settled.node, "step_unsolved")]


def _next(system: Formulation) -> list[Argument]:
    end = put(system, midpoint_end(system), midpoint_solution(system).at)
    n, m = system.nq, system.nq + system.nu
    found = [
        column(
            "q_next", end[:n], "coordinates after the step", "rad or m", system.coordinate_names
        ),
        column("u_next", end[n:m], "speeds after the step", "rad/s or m/s", system.speed_names),
    ]
    if len(end) > m:
        names = system.element_state_names
        found.append(column("z_next", end[m:], "states of elements after the step", "", names))
    return found


@directed(
    ("q", "u", "tau"),
    "One step of the implicit midpoint rule of length h, forces and inputs held.",
    _length,
    midpoint_guards,
    needs=("tangent displacements", "regular mass"),
)
def midpoint_step(system: Formulation) -> list[Argument]:
    """(q_next, u_next, z_next if elements have states)"""
    return _next(system)


def _seeds(system: Formulation) -> list[tuple[str, dict[int, int]]]:
    """Directions of x, v = (tau, r), p and h."""
    one = (system.zero + 1).node
    found = [("A", along) for along in directions.units(system, ("q", "u", "z"))]
    found += [("B", along) for along in directions.units(system, ("tau", "r"))]
    found += [("B_p", along) for along in directions.units(system, ("p",))]
    return [*found, ("b_h", {symbol(system.graph, "h").node: one})]


@directed(
    ("q", "u", "tau"),
    "One implicit midpoint step and its derivatives: dx_next = A dx + B dv (+ B_p dp) + b_h dh; x "
    "displacements, speeds and states of elements, v forces, then inputs.",
    _length,
    midpoint_guards,
    needs=("tangent displacements", "regular mass"),
)
def midpoint_step_derivatives(system: Formulation) -> list[Argument]:
    """(what `midpoint_step` gives, A (nx, nx), B (nx, nv), B_p (nx, np) if there are parameters,
    b_h)"""
    equations, solution = midpoint_equations(system), midpoint_solution(system)
    factors = _factored(system, solution.at)
    seeds = _seeds(system)
    end, one = midpoint_end(system), (system.zero + 1).node
    raw, nq = put(system, end, solution.at), system.nq
    tangent = [put(system, row, _at(system.q, raw[:nq])) for row in to_tangent(system)]

    def at_end(columns: Columns) -> Columns:
        moved = [put(system, own, solution.at) for own in columns]
        return [[*_product(system, tangent, own[:nq]), *own[nq:]] for own in moved]

    along = [own for _, own in seeds]
    of_residual = [
        put(system, own, solution.at) for own in swept(system.graph, equations.residual, along)
    ]
    by_x = at_end(swept(system.graph, end, along))
    by_y = _transposed(at_end(swept(system.graph, end, [{y.node: one} for y in equations.y])))
    found: dict[str, Columns] = {}
    for (name, _), own, residual in zip(seeds, by_x, of_residual, strict=True):
        y = factors.solve([-x for x in residual])
        moved = [a + b for a, b in zip(own, _product(system, by_y, y), strict=True)]
        found.setdefault(name, []).append(moved)
    names = (
        *system.speed_names,
        *(f"speed({name})" for name in system.speed_names),
        *system.element_state_names,
    )
    told = {"A": "states", "B": "forces and inputs", "B_p": "parameters"}
    matrices = [
        matrix(name, _transposed(found[name]), len(found[name]), f"x_next by {what}", "", names)
        for name, what in told.items()
        if name in found
    ]
    return [*_next(system), *matrices, column("b_h", found["b_h"][0], "x_next by h", "", names)]
