"""Rates of a state and their derivatives by state, parameters and inputs, in one function.

Derivatives of the speeds' rates are left in the form of the equations of motion,

    M du' = -(R_x dx + R_p dp + R_v dv),   R = M a + c - tau,   M = L^T D L,

so that one factorization serves all directions, and all that R and its derivatives share is
computed once. Models with constraints and forces by reactions have the derivatives themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from eomc.derive.dynamics.forward_partials import swept_at
from eomc.derive.dynamics.regressor import INERTIAL, body_motions
from eomc.derive.equations.differentiable import JACOBIAN, differentiable, parameter_array
from eomc.derive.functions.dynamics import positive
from eomc.derive.functions.regressor import moving_bodies
from eomc.derive.graph import Argument, Function, Graph, Program
from eomc.derive.graph.columns import Columns
from eomc.derive.graph.step_slopes import Place, StepSlopes
from eomc.derive.model.inertial_parameters import body_of_number

_DYNAMICS = "forward_dynamics"

Entry = tuple[int, int]
"""(column, node) of a derivative that is not zero."""


def step_slopes(equations: Any, tunable: Any) -> StepSlopes:
    """Rates of (q, u, z) of the equations, with their derivatives."""
    system = equations.formulation(equations.tunable(tunable))
    names = ["coordinate_rates", _DYNAMICS]
    names += ["element_state_rates"] * bool(system.element_state_names)
    programs = [equations.program([name], tunable=tunable) for name in names]
    values = [program.functions[0] for program in programs]
    p = parameter_array(programs[1])
    inputs = {a.name: a for value in values for a in value.inputs}
    state = tuple(inputs[name] for name in ("q", "u", "z")[: len(names)])
    held = tuple(a for name, a in inputs.items() if a not in state and name != "t")
    directions = [*state, *held, *p]
    nx, nv = (sum(len(a.entries) for a in arrays) for arrays in (state, held))
    by_forces = not system.is_constrained and not system.reacts
    guards = dict.fromkeys(g for value in values for g in value.guards)
    bodies, g = _regressed(equations, system, p[0].rows if by_forces and p else ())
    regressed = {k for columns, _ in bodies for k in columns if k >= 0}
    rows: list[list[Entry]] = []
    for name, value in zip(names, values, strict=True):
        if by_forces and name == _DYNAMICS:
            columns = _of_forces(system, directions, regressed)
        else:
            found = differentiable(equations, name, tunable, False).functions()[JACOBIAN]
            columns = _of_rates(found, directions)
            guards |= dict.fromkeys(found.guards)
        rows += _sparse(programs[1], columns, len(value.outputs[0].entries))
    rates = [node for value in values for node in value.outputs[0].entries]
    given = (*inputs.values(), *p)
    value = Function("rates", given, (_array("f", rates),), "Rates.", tuple(guards))
    table = _EntryPlaces(system.graph, rows, nx, nv)
    outputs = [_array("e", table.entries)]
    if by_forces:
        factor, nq = system.factor, len(state[0].entries)
        rates[nq : nq + system.nu] = [a.node for a in system.forward_factored.acceleration]
        below = [entry.node for row in factor.rows for entry in row.values()]
        outputs.append(_array("l", [*below, *(x.node for x in factor.reciprocals)]))
        outputs += [_array("g", g)] * bool(g)
        guards |= dict.fromkeys(positive(factor.pivots))
    outputs.insert(0, _array("f", rates))
    slopes = Function("slopes", given, tuple(outputs), "Rates and slopes.", tuple(guards))
    return StepSlopes(
        Program(f"{programs[1].name}_fit", system.graph, (value, slopes)),
        state,
        held,
        p[0] if p else None,
        [parameter.default for parameter in programs[1].parameters],
        table.by_state,
        table.by_held,
        table.by_parameters,
        bodies,
        [list(row) for row in factor.rows] if by_forces else None,
    )


class _EntryPlaces:
    """Places of entries of (A, V, B) in one array."""

    def __init__(self, graph: Graph, rows: Sequence[Sequence[Entry]], nx: int, nv: int) -> None:
        one = graph.constant(1)
        self.entries: list[int] = []
        self.by_state: list[list[tuple[int, int | None]]] = []
        self.by_held: list[Place] = []
        self.by_parameters: list[Place] = []
        for i, row in enumerate(rows):
            self.by_state.append([])
            for column, node in row:
                place = len(self.entries)
                if column < nx and node == one:
                    self.by_state[i].append((column, None))
                    continue
                self.entries.append(node)
                if column < nx:
                    self.by_state[i].append((column, place))
                elif column < nx + nv:
                    self.by_held.append((i, column - nx, place))
                else:
                    self.by_parameters.append((i, column - nx - nv, place))


def _regressed(
    equations: Any, system: Any, names: Sequence[str]
) -> tuple[list[tuple[list[int], list[int]]], list[int]]:
    """Bodies whose inertial numbers are among the parameters `names`, with the entries of g; none
    where inverse dynamics is not linear in them."""
    if not names or "regressor" not in equations.function_names:
        return [], []
    motion = system.against_gravity(replace(system.state, a=system.forward_factored.acceleration))
    free = dict.fromkeys(body_of_number(name) for name in names)
    moving = [(name, frame) for name, frame in moving_bodies(system) if name in free]
    bodies, entries = [], list[int]()
    frames = [frame for _, frame in moving]
    found = body_motions(system.tree, system.pose, motion, frames)
    for (name, _), (motions, at) in zip(moving, found, strict=True):
        columns = [f"{name}.{number}" for number in INERTIAL]
        bodies.append(([names.index(n) if n in names else -1 for n in columns], list(motions)))
        values = [*(x for row in at.u.rows for x in row), *at.a]
        values += [x for column in motions.values() for x in column.entries]
        entries += [x.node for x in values]
    return bodies, entries


def _array(name: str, entries: Sequence[int]) -> Argument:
    return Argument(name, (len(entries),), tuple(entries), "")


def _of_rates(jacobian: Function, directions: Sequence[Argument]) -> list[Sequence[int] | None]:
    """Columns of the derivatives of a function; None of what it does not depend on."""
    blocks = {a.name: b for a, b in zip(jacobian.inputs, jacobian.outputs, strict=True)}
    columns: list[Sequence[int] | None] = []
    for a in directions:
        size, block = len(a.entries), blocks.get(a.name)
        columns += [block.entries[k::size] if block else None for k in range(size)]
    return columns


def _of_forces(
    system: Any, directions: Sequence[Argument], regressed: Collection[int]
) -> list[Sequence[int] | None]:
    """Columns of the derivatives of M a + c - tau at the accelerations of forward dynamics; None by
    the parameters `regressed`."""
    a, one = system.forward_factored.acceleration, (system.zero + 1).node
    known: dict[str, Columns] = {}
    if system.directions() == [{q.node: one} for q in system.q]:
        known = dict(zip(("q", "u"), system.partials(a), strict=True))
    minus = system.zero - 1
    known["tau"] = [[minus * int(i == k) for i in range(system.nu)] for k in range(system.nu)]
    columns: list[Sequence[int] | None] = []
    for array in directions:
        left = regressed if array.name == "p" else ()
        along = [{entry: one} for k, entry in enumerate(array.entries) if k not in left]
        found = iter(known.get(array.name) or swept_at(system, system.inverse.free, along, a))
        columns += [
            None if k in left else [entry.node for entry in next(found)]
            for k in range(len(array.entries))
        ]
    return columns


def _sparse(
    program: Program, columns: Sequence[Sequence[int] | None], count: int
) -> list[list[Entry]]:
    """Rows of the entries that are not zero."""
    zero = program.graph.constant(0)
    return [
        [(j, column[i]) for j, column in enumerate(columns) if column and column[i] != zero]
        for i in range(count)
    ]
