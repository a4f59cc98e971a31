"""Derivatives of constrained forward dynamics as a loop over blocks of columns.

Along a direction of q, u or tau the accelerations change by the answer of the mechanism that the
constraints hold,

    M da - G^T dl = d(G^T l - tau(q, u, a)),    G da = -d(G a + g),

a recursion over the tree whose factors are the same for all columns. In a straight line every
column has statements of its own; here the answer is one step on rows, a column on each lane, whose
code grows with the number of bodies and not with its square.

What the constraints add to the right sides has few entries, each of which depends on the bodies of
its loop alone: they are computed in a line before the loop. What the forces add is another step on
rows, a forward sweep along any direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from eomc.derive.dynamics.articulated import Held
from eomc.derive.functions import constrained_derivatives as constrained
from eomc.derive.graph import (
    Argument,
    Call,
    Expression,
    ForLoop,
    ForwardSweep,
    Function,
    Graph,
    Rolled,
    RolledArgument,
    RolledArray,
    RolledStep,
    constant,
    nodes,
    reachable,
    symbols,
)
from eomc.derive.graph.traverse import dependents
from eomc.derive.system import System

SHARED, CHANGE, OWN, FORCE, HELD = "shared", "change", "own", "force", "held"
"""Values that all columns share; the direction; the force side of the constraints alone; both right
sides."""


class OffRowsError(Exception):
    """An operation on what changes with the direction is none that rows have."""


class ColumnLoops:
    """Of one system. Raises `OffRowsError` if rows cannot do what changes with the direction."""

    def __init__(self, system: System) -> None:
        self.system, self.graph = system, system.graph
        self.nu, self.held = system.nu, len(system.constraints.rows)
        self._places: dict[int, int] = {}  # of the values that are shared
        force, held = symbols(self.graph, FORCE, self.nu), symbols(self.graph, HELD, self.held)
        found = system.answer(force, Held(system.constraints.linear.jacobian, held))
        self._answer = self._step(
            "answer",
            "Accelerations by both right sides.",
            {FORCE: force, HELD: held},
            {"a": nodes(found.acceleration)},
        )
        self._sides = self._right_columns()
        self._sweeps = self._right_steps()

    # -- right sides -----------------------------------------------------------------------------

    def _right_columns(self) -> dict[str, dict[str, dict[int, int]]]:
        """Shares of the constraints: entries of both sides, by q and u, that are not zero."""
        system, one = self.system, constant(self.graph, 1).node
        none = [[system.zero] * self.nu] * self.nu
        along = {"q": system.directions(), "u": [{u.node: one} for u in system.u]}
        found: dict[str, dict[str, dict[int, int]]] = {}
        for name, directions in along.items():
            sides = list(constrained.right_sides(system, none, directions))
            found[name] = {FORCE: {}, HELD: {}}
            for k, column in enumerate(constrained.at_solution(system, sides)):
                for i, entry in enumerate(column):
                    if not entry.is_zero:
                        side, row = (FORCE, i) if i < self.nu else (HELD, i - self.nu)
                        found[name][side][row * self.nu + k] = entry.node
        return found

    def _right_steps(self) -> dict[str, RolledStep]:
        """Shares of the forces: forward sweeps along all directions, each times its change."""
        system, graph = self.system, self.graph
        sweep = ForwardSweep(graph, nodes(system.inverse.free))
        own = symbols(graph, OWN, self.nu)
        change = symbols(graph, CHANGE, self.nu)
        along: dict[int, int] = {}
        for column, factor in zip(system.directions(), change, strict=True):
            for coordinate, rate in column.items():
                share = graph.mul(rate, factor.node)
                along[coordinate] = graph.add(along.get(coordinate, system.zero.node), share)
        by_speed = {u.node: x.node for u, x in zip(system.u, change, strict=True)}
        found: dict[str, RolledStep] = {}
        for name, direction in (("q", along), ("u", by_speed)):
            both = zip(nodes(own), sweep(direction), strict=True)
            outputs = {FORCE: [graph.sub(x, slope) for x, slope in both]}
            rows = {CHANGE: change, OWN: own}
            about = f"Forces by {name}, beside those of constraints."
            found[name] = self._step(f"forces_by_{name}", about, rows, outputs)
        return found

    def _step(
        self,
        name: str,
        description: str,
        rows: Mapping[str, Sequence[Expression]],
        outputs: Mapping[str, Sequence[int]],
    ) -> RolledStep:
        """A step of the nodes that depend on `rows`; all others become shared values."""
        columns = [[Expression(self.graph, n) for n in entries] for entries in outputs.values()]
        found = nodes([x for c in constrained.at_solution(self.system, columns) for x in c])
        lanes = {entry.node for entries in rows.values() for entry in entries}
        order = reachable(self.graph, found)
        copied = _CopiedStep(self.graph, dependents(self.graph, order, lanes), self._places)
        inputs = [copied.rows(name, entries) for name, entries in rows.items()]
        copied.copy(order)
        ends = iter([copied.node(node) for node in found])
        outs = tuple(
            Argument(name, (len(entries),), tuple(next(ends) for _ in entries))
            for name, entries in outputs.items()
        )
        function = Function(name, (copied.shared(), *inputs), outs, description)
        return RolledStep(copied.into, function, frozenset([*rows, *outputs]), any_width=True)

    # -- loops -----------------------------------------------------------------------------------

    def rolled(self, width: int) -> Rolled:
        """All three matrices, in blocks of so many columns; the last one ends with the last."""
        first = tuple(min(k, self.nu - width) for k in range(0, self.nu, width))
        still = (0,) * len(first)
        units, total = RolledArgument("units", first), RolledArgument(FORCE, still)
        calls: list[Call] = []
        for name in ("q", "u", "tau"):
            sides = {FORCE: units, HELD: RolledArgument("none", still)}
            if name in self._sides:
                own, held = (
                    RolledArgument(f"{side}_{name}" if entries else "none", first)
                    for side, entries in self._sides[name].items()
                )
                sides = {FORCE: total, HELD: held}
                pieces = {CHANGE: units, OWN: own, FORCE: total}
                calls.append(self._call(self._sweeps[name], width, pieces))
            to = {"a": RolledArgument(f"da_d{name}", first)}
            calls.append(self._call(self._answer, width, {**sides, **to}))
        return Rolled(tuple(self._arrays()), (ForLoop(len(first), tuple(calls)),))

    def _call(self, step: RolledStep, width: int, pieces: Mapping[str, RolledArgument]) -> Call:
        still = (0,) * -(-self.nu // width)
        shared = {SHARED: RolledArgument(SHARED, still)}
        return Call((replace(step, width=width),), still, {**shared, **pieces})

    def _arrays(self) -> Iterator[RolledArray]:
        """Matrices whose columns stand apart, and the shared values."""
        nu, one = self.nu, constant(self.graph, 1).node
        shared = {place: node for node, place in self._places.items()}
        yield RolledArray(SHARED, len(shared), shared)
        yield self._matrix("units", nu, {k * (nu + 1): one for k in range(nu)})
        yield self._matrix("none", max(nu, self.held), {})
        for name, sides in self._sides.items():
            for (side, entries), rows in zip(sides.items(), (nu, self.held), strict=True):
                yield self._matrix(f"{side}_{name}", rows, entries)
        yield RolledArray(FORCE, nu * nu, apart=nu)
        for name in ("q", "u", "tau"):
            yield RolledArray(f"da_d{name}", nu * nu, apart=nu)

    def _matrix(self, name: str, rows: int, entries: Mapping[int, int]) -> RolledArray:
        """Rows over all columns, zero where there is no entry."""
        zeros = dict.fromkeys(range(rows * self.nu), self.system.zero.node)
        return RolledArray(name, len(zeros), {**zeros, **entries}, apart=self.nu)


class _CopiedStep:
    """Nodes of a graph that depend on lanes, on a graph of their own."""

    def __init__(self, graph: Graph, dependent: set[int], places: dict[int, int]) -> None:
        self.graph, self.into, self._places = graph, Graph(), places
        self._dependent = dependent
        self._copies: dict[int, int] = {}

    def rows(self, name: str, entries: Sequence[Expression]) -> Argument:
        """An input whose entries stand for these."""
        own = nodes(symbols(self.into, name, len(entries)))
        self._copies |= zip(nodes(entries), own, strict=True)
        return Argument(name, (len(own),), own)

    def shared(self) -> Argument:
        """The input of values that do not depend on lanes."""
        own = nodes(symbols(self.into, SHARED, len(self._places)))
        return Argument(SHARED, (len(own),), own)

    def copy(self, order: Sequence[int]) -> None:
        """Copy all of `order` that depends on lanes, arguments first."""
        for node in order:
            if node in self._dependent and node not in self._copies:
                op, args = self.graph.op[node], self.graph.args[node]
                self._copies[node] = self._made(op, args)

    def _made(self, op: str, args: tuple[int, ...]) -> int:
        if op == "div" and args[1] not in self._dependent:
            one = self.graph.constant(1)
            op, args = "mul", (args[0], self.graph.div(one, args[1]))
        if op not in ("add", "sub", "mul", "neg"):
            raise OffRowsError(op)
        made: int = getattr(self.into, op)(*map(self.node, args))
        return made

    def node(self, node: int) -> int:
        """The copy of a node: of one that does not depend on lanes a number or a symbol."""
        if node in self._dependent:
            return self._copies[node]
        if (number := self.graph.number(node)) is not None:
            return self.into.constant(number)
        inner = self.graph.without_sign(node)
        place = self._places.setdefault(inner, len(self._places))
        symbol = self.into.symbol(f"{SHARED}[{place}]")
        return symbol if inner == node else self.into.neg(symbol)
