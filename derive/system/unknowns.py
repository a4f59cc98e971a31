r"""Unknowns of elements, variables without inertia: w of g(x, w) = 0 on the graph.

Elements that need each other's unknowns are solved together, all others one after the other. What
is linear in w is solved in closed form. Else `STEPS` steps of Newton's method from the guess,

    dw = -(dg/dw)^-1 g

are followed by two more, for which what was found so far is a constant: once g = 0,

    dw/dx = -(dg/dw)^-1 dg/dx

the first of them has the first derivative of the implicit function w(x), the second one the
derivatives up to the third, and no derivative passes through the iteration. References: Krantz and
Parks, *The Implicit Function Theorem*, sec. 3.3; Griewank and Walther, *Evaluating Derivatives*,
2nd ed., sec. 15.3, for derivatives of iterations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.derive.dynamics.elimination import eliminate
from eomc.derive.elements.element import ForceElement
from eomc.derive.elements.state import ElementUnknown
from eomc.derive.graph import Expression, symbols
from eomc.derive.graph.columns import substituted, swept
from eomc.derive.graph.traverse import reachable
from eomc.derive.language.errors import ModelError

if TYPE_CHECKING:
    from eomc.derive.system.model_on_graph import ModelOnGraph

#: Of Newton's method, before the two that are differentiated.
STEPS = 10
#: Size of the last of these steps over that of the unknown: the next is below rounding.
_SETTLED = 1e-6
_LARGEST_BY_COFACTORS = 3

Columns = list[list[Expression]]


@dataclass(frozen=True, eq=False)
class ImplicitElement:
    """One element: its unknowns, their symbols, and what vanishes at them."""

    element: ForceElement
    unknowns: tuple[ElementUnknown, ...]
    symbols: Sequence[Expression]
    conditions: Sequence[Expression]


def solved(system: ModelOnGraph, known: Mapping[str, Expression]) -> dict[str, Expression]:
    """The unknowns of all elements by name; `known` are the other names of expressions."""
    each = _declared(system, known)
    found: dict[str, Expression] = {}
    values: dict[int, int] = {}
    for group in _groups(system, each):
        w = [symbol for one in group for symbol in one.symbols]
        g = [entry for one in group for entry in one.conditions]
        (g,) = substituted(system.graph, [g], values)
        names = [unknown.of(one.element.name) for one in group for unknown in one.unknowns]
        for name, symbol, value in zip(
            names, w, _solution(system, group, known, w, g), strict=True
        ):
            found[name] = value
            values[symbol.node] = value.node
    return found


def _declared(system: ModelOnGraph, known: Mapping[str, Expression]) -> list[ImplicitElement]:
    acting = [e for table in system.model.acting().values() for e in table.values() if e.unknowns()]
    names = [unknown.of(e.name) for e in acting for unknown in e.unknowns()]
    free = iter(symbols(system.graph, "unknown", len(names)))
    own = {e.name: [next(free) for _ in e.unknowns()] for e in acting}
    flat = [symbol for each in own.values() for symbol in each]
    scene = system.seen({**known, **dict(zip(names, flat, strict=True))})
    found = []
    for element in acting:
        conditions = list(element.conditions(scene))
        if len(conditions) != len(own[element.name]):
            raise ModelError(
                f"{element.title}: {len(own[element.name])} unknowns, but {len(conditions)} "
                "conditions",
                element.source,
            )
        found.append(ImplicitElement(element, element.unknowns(), own[element.name], conditions))
    return found


def _groups(
    system: ModelOnGraph, each: Sequence[ImplicitElement]
) -> Iterator[list[ImplicitElement]]:
    """Elements that need each other together, and before them those that they need."""
    owner = {symbol.node: k for k, one in enumerate(each) for symbol in one.symbols}
    needs = [
        {
            owner[node]
            for node in reachable(system.graph, [g.node for g in one.conditions])
            if node in owner
        }
        for one in each
    ]
    for _ in each:
        needs = [set().union(direct, *(needs[k] for k in direct)) for direct in needs]
    left = set(range(len(each)))
    while left:
        k = min(k for k in left if all(j not in left or k in needs[j] for j in needs[k]))
        group = {k, *(j for j in needs[k] if k in needs[j])}
        left -= group
        yield [each[j] for j in sorted(group)]


def _solution(
    system: ModelOnGraph,
    group: Sequence[ImplicitElement],
    known: Mapping[str, Expression],
    w: Sequence[Expression],
    g: Sequence[Expression],
) -> list[Expression]:
    graph, one = system.graph, system.zero + 1
    slopes = swept(graph, g, [{symbol.node: one.node} for symbol in w])
    code = "no_solution_of_" + re.sub(r"\W", "_", group[0].element.name)

    def step(x: Sequence[Expression]) -> list[Expression]:
        at = {symbol.node: value.node for symbol, value in zip(w, x, strict=True)}
        values, *columns = substituted(graph, [list(g), *slopes], at)
        return [-entry for entry in _solve(columns, values, code)]

    if len(w) <= _LARGEST_BY_COFACTORS and determinant(slopes).is_zero:
        names = ", ".join(u.of(each.element.name) for each in group for u in each.unknowns)
        raise ModelError(
            f"{group[0].element.title}: what should vanish does not determine {names}; give "
            "equations that hold them",
            group[0].element.source,
        )

    unknowns = [unknown for each in group for unknown in each.unknowns]
    bounded = any(u.lower is not None or u.upper is not None for u in unknowns)
    held = {symbol.node for symbol in w}
    flat = [entry.node for column in slopes for entry in column]
    if not bounded and held.isdisjoint(reachable(graph, flat)):
        return step([system.zero] * len(w))
    scene = system.seen(known)
    x = [scene.scalar(unknown.guess) for unknown in unknowns]
    lower = [None if u.lower is None else scene.scalar(u.lower) for u in unknowns]
    upper = [None if u.upper is None else scene.scalar(u.upper) for u in unknowns]
    size = [scene.scalar(unknown.scale) for unknown in unknowns]
    change = x
    for _ in range(STEPS):
        change = step(x)
        x = [_kept(a + b, *ends) for a, b, *ends in zip(x, change, lower, upper, strict=True)]
    x = [
        value.frozen_unless(((value * value + s * s) * _SETTLED**2 - d * d).required(code))
        for value, s, d in zip(x, size, change, strict=True)
    ]
    for _ in range(2):
        x = [a + b for a, b in zip(x, step(x), strict=True)]
    return x


def _kept(x: Expression, lower: Expression | None, upper: Expression | None) -> Expression:
    x = x if lower is None else x.binary("max", lower)
    return x if upper is None else x.binary("min", upper)


def _solve(columns: Columns, right: Sequence[Expression], code: str) -> list[Expression]:
    """x of A x = right: by cofactors, which need no pivots, or by elimination as it stands."""
    if len(columns) > _LARGEST_BY_COFACTORS:
        rows = [list(row) for row in zip(*columns, strict=True)]
        return eliminate(rows).solve(right)
    whole = determinant(columns)
    (whole * whole).required(code)
    replaced = [[*columns[:k], list(right), *columns[k + 1 :]] for k in range(len(columns))]
    return [determinant(each) / whole for each in replaced]


def determinant(columns: Columns) -> Expression:
    """Of a small matrix, along its first column."""
    first, *rest = columns
    if not rest:
        return first[0]
    total = first[0] * 0
    for k, entry in enumerate(first):
        if not entry.is_zero:
            minor = determinant([[*column[:k], *column[k + 1 :]] for column in rest])
            total = total + (entry * minor if k % 2 == 0 else -(entry * minor))
    return total
