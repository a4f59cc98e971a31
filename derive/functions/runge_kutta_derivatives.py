"""One step of the classical Runge-Kutta method with its derivatives: discrete dynamics for control.

x_next = F(x, v, p, t, h) is the step of `eomc.derive.functions.runge_kutta_adjoint`, with v = (tau,
inputs) held over it. Derivatives are chained through the stages from those of forward dynamics,

    S_1 = [1 0],  S_i = [1 0] + c_i h K_{i-1},  K_i = f_x(X_i) S_i + [0 f_v],
    [A B] = [1 0] + h sum b_i K_i

by x in tangent directions: displacements of q and changes of u; rows are those of x_next in the
tangent there. By h, where the stages move along c_i (k_{i-1} + h dk_{i-1}/dh). The second
derivatives of lambda^T x_next go back through the stages,

    L_i = h b_i lambda + c_{i+1} h mu_{i+1},  mu_i = f_x(X_i)^T L_i,
    H = sum_i Z_i^T d2(L_i^T f)/d(x, v)^2 Z_i,  Z_i = [S_i; 0 1]

Reference: Hager, *Runge-Kutta methods in optimal control and the transformed adjoint system*,
Numer. Math. 87 (2000); Diehl and Gros, *Numerical Optimal Control* (2024), ch. 10.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.functions import adjoints, derivatives, directions, second_order
from eomc.derive.functions.directions import directed
from eomc.derive.functions.dynamics import pivots_positive
from eomc.derive.functions.formulation import Formulation, Rows
from eomc.derive.functions.registry import column, matrix
from eomc.derive.functions.runge_kutta_adjoint import NODES, WEIGHTS, put, stage_guards, step_stages
from eomc.derive.functions.shared import shared
from eomc.derive.graph import Argument, Expression, Guard, nodes, symbol, symbols
from eomc.derive.graph.columns import Columns, substituted, swept

Vector = list[Expression]


def _length(system: Formulation) -> list[Argument]:
    return [Argument("h", (), (symbol(system.graph, "h").node,), "length of the step", "s")]


def weights_of_state(system: Formulation) -> list[Argument]:
    names = state_names(system)
    entries = nodes(symbols(system.graph, "weights", len(names)))
    told = "weights of x_next: of displacements of q_next, then of u_next"
    return [*_length(system), Argument("weights", (len(names),), entries, told, "", names)]


def state_names(system: Formulation) -> tuple[str, ...]:
    """Names of the rows of x: displacements, then speeds."""
    return (*system.speed_names, *(f"speed({name})" for name in system.speed_names))


def _guards(system: Formulation) -> list[Guard]:
    return stage_guards(system, pivots_positive(system))


def _guards_of_derivatives(system: Formulation) -> list[Guard]:
    found = [*pivots_positive(system), *derivatives.partials_positive(system)]
    return stage_guards(system, list(dict.fromkeys(found)))


# -- derivatives of f at a state ------------------------------------------------------------------


@shared
def to_tangent(system: Formulation) -> Rows:
    """Tangent displacements that small changes of the coordinates, entry by entry, amount to."""
    one, zero = (system.zero + 1).node, system.zero
    moved = swept(system.graph, system.configuration, [{q.node: one} for q in system.q])
    place = {q.node: k for k, q in enumerate(system.configuration)}
    rows = []
    for found in system.directions():
        along = {place[node]: Expression(system.graph, rate) for node, rate in found.items()}
        length = sum((rate * rate for rate in along.values()), zero)
        rows.append(
            [sum((rate * col[k] for k, rate in along.items()), zero) / length for col in moved]
        )
    return rows


@shared
def _slopes(system: Formulation) -> dict[str, Columns]:
    """Columns of the accelerations by (q, u, tau, r, p, t), of q along the tangent, and of the
    coordinate rates by q and u, entry by entry."""
    by = second_order.accelerations_by(system, adjoints.FORWARD)
    forces = derivatives.forces_by(system, [symbol(system.graph, "t")])
    by["t"] = [adjoints.respond(system, force, []).acceleration for force in forces]
    one = (system.zero + 1).node
    rates = system.coordinate_rates()
    by["q_rate by q"] = swept(system.graph, rates, [{q.node: one} for q in system.q])
    by["q_rate by u"] = swept(system.graph, rates, [{u.node: one} for u in system.u])
    return by


def _product(system: Formulation, columns: Columns, change: Sequence[Expression]) -> Vector:
    """Matrix, given by columns, times a vector; zeros cost nothing."""
    total = [system.zero] * (len(columns[0]) if columns else 0)
    for entries, amount in zip(columns, change, strict=True):
        if not amount.is_zero:
            total = [x + y * amount for x, y in zip(total, entries, strict=True)]
    return total


def _plus(x: Sequence[Expression], y: Sequence[Expression]) -> Vector:
    return [a + b for a, b in zip(x, y, strict=True)] if y else list(x)


class _Stage:
    """Derivatives of f = (q', a) at one stage."""

    def __init__(self, system: Formulation, at: dict[int, int]) -> None:
        self._system = system
        slopes = _slopes(system)
        every = [column for columns in slopes.values() for column in columns]
        found = iter(substituted(system.graph, [*every, *to_tangent(system)], at))
        self.by = {name: [next(found) for _ in columns] for name, columns in slopes.items()}
        self._to_tangent = list(found)

    def change(self, dq: Vector, du: Vector, held: dict[str, Vector]) -> tuple[Vector, Vector]:
        """Changes (dq', da); `held` are those of tau, r, p and t."""
        system = self._system
        xi = [adjoints.product(system, row, dq) for row in self._to_tangent]
        rate = _product(system, self.by["q_rate by q"], dq)
        rate = _plus(rate, _product(system, self.by["q_rate by u"], du))
        acceleration = _plus(_product(system, self.by["q"], xi), _product(system, self.by["u"], du))
        for name, amounts in held.items():
            acceleration = _plus(acceleration, _product(system, self.by[name], amounts))
        return rate, acceleration


@shared
def _stages(system: Formulation) -> list[_Stage]:
    return [_Stage(system, dict(at)) for at in step_stages(system).stages]


Change = tuple[Vector, Vector]


def _pushed(
    system: Formulation, start: Change, held: dict[str, Vector], by_length: bool = False
) -> tuple[list[Change], Change]:
    """Changes (dq, du) of every stage, and of the raw end, along one direction."""
    h, rates = symbol(system.graph, "h"), step_stages(system).rates
    one = system.zero + 1
    here, end, passed = start, start, []
    for i, (stage, weight) in enumerate(zip(_stages(system), WEIGHTS, strict=True)):
        passed.append(here)
        k = stage.change(*here, held | ({"t": [one * NODES[i]]} if by_length else {}))
        k = (list(k[0]), list(k[1]))
        amount = h * (NODES[i + 1] if i < 3 else 0.0)
        moved = [[h * weight * x for x in part] for part in k]
        ahead = [[amount * x for x in part] for part in k]
        if by_length:
            own = rates[i][: system.nq], rates[i][system.nq :]
            moved = [_plus(m, [x * weight for x in r]) for m, r in zip(moved, own, strict=True)]
            if i < 3:
                c = NODES[i + 1]
                ahead = [_plus(m, [x * c for x in r]) for m, r in zip(ahead, own, strict=True)]
        end = _plus(end[0], moved[0]), _plus(end[1], moved[1])
        here = _plus(start[0], ahead[0]), _plus(start[1], ahead[1])
    return passed, end


def _starts(system: Formulation) -> list[tuple[str, Change, dict[str, Vector]]]:
    """Directions of x, tau, r and p, one entry each."""
    zero, one = system.zero, system.zero + 1
    still_q, still_u = [zero] * system.nq, [zero] * system.nu
    place = {q.node: k for k, q in enumerate(system.configuration)}
    found: list[tuple[str, Change, dict[str, Vector]]] = []
    for along in system.directions():
        dq = list(still_q)
        for node, rate in along.items():
            dq[place[node]] = Expression(system.graph, rate)
        found.append(("x", (dq, still_u), {}))
    n = system.nu
    faster = [[one if i == k else zero for i in range(n)] for k in range(n)]
    found += [("x", (still_q, du), {}) for du in faster]
    for name, entries in directions.variables(system, ("tau", "r", "p")):
        array, size = "p" if name == "p" else "v", len(entries)
        units = [[one if i == k else zero for i in range(size)] for k in range(size)]
        found += [(array, (still_q, still_u), {name: unit}) for unit in units]
    return found


@shared
def _columns(system: Formulation) -> list[tuple[str, list[Change], Vector]]:
    """Of every direction: its array, the changes of the stages, and that of x_next."""
    return [
        (array, *_ended(system, _pushed(system, start, held)))
        for array, start, held in _starts(system)
    ]


def _ended(system: Formulation, pushed: tuple[list[Change], Change]) -> tuple[list[Change], Vector]:
    passed, (dq, du) = pushed
    at = dict(zip(nodes(system.q), nodes(step_stages(system).q), strict=True))
    rows = [put(system, row, at) for row in to_tangent(system)]
    return passed, [*(adjoints.product(system, row, dq) for row in rows), *du]


# -- functions -----------------------------------------------------------------------------------


def _next(system: Formulation) -> list[Argument]:
    found = step_stages(system)
    at = dict(zip(nodes(system.q), nodes(found.q), strict=True))
    q = put(system, system.normalized(system.q), at)
    return [
        column("q_next", q, "coordinates after the step", "rad or m", system.coordinate_names),
        column("u_next", found.u, "speeds after the step", "rad/s or m/s", system.speed_names),
    ]


@directed(
    ("q", "u", "tau"),
    "One step of the classical Runge-Kutta method of length h, forces and inputs held.",
    _length,
    _guards,
    needs=("free steps",),
)
def rk4_step(system: Formulation) -> list[Argument]:
    """(q_next, u_next)"""
    return _next(system)


@directed(
    ("q", "u", "tau"),
    "One Runge-Kutta step and its derivatives: dx_next = A dx + B dv (+ B_p dp) + b_h dh; x "
    "displacements and speeds, v forces, then inputs.",
    _length,
    _guards_of_derivatives,
    needs=("free steps", "tangent displacements"),
)
def rk4_step_derivatives(system: Formulation) -> list[Argument]:
    """(q_next, u_next, A (nx, nx), B (nx, nv), B_p (nx, np) if there are parameters, b_h)"""
    names = state_names(system)
    told = {"A": ("x", "states"), "B": ("v", "forces and inputs"), "B_p": ("p", "parameters")}
    found = []
    for name, (array, meaning) in told.items():
        own = [change for of, _, change in _columns(system) if of == array]
        if own or name != "B_p":
            rows = directions.transposed(own, len(names))
            found.append(matrix(name, rows, len(own), f"x_next by {meaning}", "", names))
    still = [system.zero] * system.nq, [system.zero] * system.nu
    _, by_h = _ended(system, _pushed(system, still, {}, by_length=True))
    return [*_next(system), *found, column("b_h", by_h, "x_next by h", "", names)]


@directed(
    ("q", "u", "tau"),
    "Second derivatives of weights^T x_next after one Runge-Kutta step, by (x, v): displacements, "
    "speeds, forces, inputs.",
    weights_of_state,
    _guards_of_derivatives,
    needs=("free steps", "speeds as rates"),
)
def rk4_step_hessian(system: Formulation) -> list[Argument]:
    """H (nx + nv, nx + nv), symmetric: every entry is computed once"""
    n, graph = system.nu, system.graph
    h, given = symbol(graph, "h"), symbols(graph, "weights", 2 * n)
    arrays = [name for name, _ in directions.variables(system, ("q", "u", "tau", "r"))]
    columns = [c for c in _columns(system) if c[0] != "p"]
    sizes = [len(directions.rows(system, name)) for name in arrays]
    held = [
        [system.zero + int(j == 2 * n + k) for j in range(len(columns))]
        for k in range(len(columns) - 2 * n)
    ]
    blocks = second_order.accelerations_hessian(system)
    curved = [
        [column[i] for of in arrays for column in blocks[name, of]]
        for name, size in zip(arrays, sizes, strict=True)
        for i in range(size)
    ]
    total = [[system.zero] * (j + 1) for j in range(len(columns))]
    ahead: tuple[Vector, Vector] = ([system.zero] * n, [system.zero] * n)
    weights = adjoints.weights(system, "a_bar")
    for i in reversed(range(len(WEIGHTS))):
        reach = h * (NODES[i + 1] if i + 1 < len(NODES) else 0.0)
        of_q, of_u = (
            [h * WEIGHTS[i] * x + reach * y for x, y in zip(own, mu, strict=True)]
            for own, mu in zip((given[:n], given[n:]), ahead, strict=True)
        )
        by = _stages(system)[i].by
        ahead = (
            [adjoints.product(system, own, of_u) for own in by["q"]],
            _plus(of_q, [adjoints.product(system, own, of_u) for own in by["u"]]),
        )
        at = dict(step_stages(system).stages[i])
        at |= dict(zip(nodes(weights), nodes(of_u), strict=True))
        second = substituted(system.graph, curved, at)
        z = [
            [*passed[i][0], *passed[i][1], *(row[j] for row in held)]
            for j, (_, passed, _) in enumerate(columns)
        ]
        for j, own in enumerate(z):
            bent = _product(system, second, own)  # symmetric: its rows are its columns
            for k in range(j, len(z)):
                total[k][j] = total[k][j] + adjoints.product(system, z[k], bent)
    whole = [[total[max(j, k)][min(j, k)] for k in range(len(total))] for j in range(len(total))]
    names = (
        *state_names(system),
        *(r for name in arrays if name not in ("q", "u") for r in directions.rows(system, name)),
    )
    return [matrix("H", whole, len(total), "second derivatives by x and v", "", names)]
