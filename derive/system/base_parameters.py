"""Base parameters in symbols: the combinations of inertial numbers that motion can tell apart.

Tips first, each joint hands to its parent what it cannot move relative to it (see
`eomc.derive.tree.regroup`); what a link keeps is a sum over the bodies beyond its joint. Near the
base that leaves more than counts, as links move little there (first turns along the weight, slides
before a turn): a combination that has no effect on the forces at random motions is left out, and
one whose effect is that of others joins them.

Reference: Gautier and Khalil, *Direct calculation of minimum set of inertial parameters of serial
robots*, IEEE Trans. Robotics and Automation 6(3), 1990; Gautier, *Numerical calculation of the base
inertial parameters of robots*, J. Robotic Systems 8(4), 1991, for the second step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.dynamics.regressor import INERTIAL
from eomc.derive.geometry import Inertia, Symmetric, Vector
from eomc.derive.graph import Expression, Graph, constant, nodes, symbol
from eomc.derive.graph.columns import swept
from eomc.derive.graph.evaluate import evaluate
from eomc.derive.graph.sympy_writer import to_sympy
from eomc.derive.model.model import Model
from eomc.derive.system.build import drafts_of
from eomc.derive.system.system import System
from eomc.derive.tree.regroup import distinguishable, regroup

if TYPE_CHECKING:
    import sympy as sp


_NONE = 1e-9
"""Of the length of a column of the regressor: what is left beside others that counts as none."""

_ROUNDING = 1e-14

_MORE = 5
"""Random motions beyond as many as there are columns for each force."""


@dataclass(frozen=True, eq=False)
class SymbolicBaseParameters:
    """Combinations of inertial numbers that forces of motion depend on, none of them on the others.

    Attributes
    ----------
    names : tuple of str
        ``"elbow.Jzz"``: of the link beyond the joint `elbow`, about its origin, in the axes of its
        motion, z that of a turn.
    parameters : tuple of str
        ``"forearm.Jxx"``: what they are made of, as of the function `inertial_parameters`.
    matrix : (number of names, number of parameters) array
        beta = matrix pi, parameters of the model at their defaults.
    ineffective : tuple of str
        Combinations by the rules that have no effect on forces.
    """

    names: tuple[str, ...]
    parameters: tuple[str, ...]
    matrix: Array
    ineffective: tuple[str, ...]
    _write: Callable[[], tuple[Any, ...]]

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def expressions(self) -> tuple[sp.Expr, ...]:
        """The combinations in SymPy; the number `Jxx` of the body `forearm` is ``Jxx_forearm``."""
        return self._write()

    def to_text(self) -> str:
        """One line ``name = expression`` for each."""
        pairs = zip(self.names, self.expressions, strict=True)
        return "\n".join(f"{name} = {expression}" for name, expression in pairs)


def base_parameters(
    model: Model, defaults: Mapping[str, float], Y: Regressor
) -> SymbolicBaseParameters:
    """Those of an open tree of rigid bodies; `Y` is its regressor."""
    bodies = [name.removesuffix(".m") for name in Y.parameters[:: len(INERTIAL)]]
    graph = Graph()
    unknown = {name: symbol(graph, name) for name in Y.parameters}
    kept = [*_kept(model, graph, bodies, unknown)]
    one = constant(graph, 1).node
    columns = swept(graph, [value for _, value in kept], [{x.node: one} for x in unknown.values()])
    flat = [entry.node for column in columns for entry in column]
    numbers = evaluate(graph, flat, dict(defaults))
    G = np.array([float(x) for x in numbers]).reshape(len(unknown), len(kept)).T
    told = _leading(G.T)  # a link without mass may keep several times what a body has once
    kept, columns, G = [kept[k] for k in told], [[c[k] for k in told] for c in columns], G[told]
    choice = _independent(Y.stacked, G)
    names = tuple(name for name, _ in kept)

    def write() -> tuple[Any, ...]:
        return _written(graph, columns, Y.parameters, choice)

    return SymbolicBaseParameters(
        tuple(names[k] for k in choice.rows),
        Y.parameters,
        choice.mixed @ G,
        tuple(names[k] for k in choice.ineffective),
        write,
    )


def _kept(
    model: Model, graph: Graph, bodies: Sequence[str], unknown: Mapping[str, Expression]
) -> Iterator[tuple[str, Expression]]:
    """Names and values of what the links keep, tips first."""
    zero = constant(graph, 0)

    def inertia(body: str) -> Inertia:
        if body not in bodies:
            return Inertia.zero(zero)
        m, hx, hy, hz, *j = (unknown[f"{body}.{number}"] for number in INERTIAL)
        about_origin = Inertia.of_body(m, Vector(zero, zero, zero), Symmetric(*j))
        return Inertia(m, Vector(hx, hy, hz), about_origin.second)

    drafts = drafts_of(model, graph, tuple(model.parameters), inertia)
    regroup(drafts, Inertia.zero(zero), symbolic=True)
    several = Counter(draft.name for draft in drafts)
    order: Counter[str] = Counter()
    found = []
    for draft in drafts:
        order[draft.name] += 1
        name = draft.name + (f"[{order[draft.name]}]" if several[draft.name] > 1 else "")
        found.append([(f"{name}.{what}", value) for what, value in distinguishable(draft)])
    for entries in reversed(found):
        yield from ((name, value) for name, value in entries if not value.is_zero)


@dataclass(frozen=True)
class Regressor:
    """Y of an open tree at random motions, (forces of all motions, parameters)."""

    parameters: tuple[str, ...]
    stacked: Array

    @classmethod
    def of(
        cls, system: System, Y: Sequence[int], names: tuple[str, ...], values: Mapping[str, float]
    ) -> Regressor:
        """At more motions than it takes; `Y` are its nodes, row by row, `values` parameters."""
        rng = np.random.default_rng(1)
        size = len(names) // max(system.nu, 1) + len(names) // 2 + _MORE
        arrays = (system.u, system.a, system.s, system.s_rate, system.s_acceleration)
        at: dict[Any, Any] = dict(values)
        for x in (x for array in arrays for x in array):
            at[x.node] = rng.uniform(-2, 2, size)
        q = [*nodes(system.q)]
        drawn = {node: rng.uniform(-3, 3, size) for node in q}
        unit = evaluate(system.graph, nodes(system.normalized(system.q)), drawn)
        at |= dict(zip(q, unit, strict=True))
        shape = (system.nu, len(names), size)
        flat = [np.broadcast_to(entry, size) for entry in evaluate(system.graph, Y, at)]
        found = np.array(flat).reshape(shape)
        return cls(names, np.moveaxis(found, 2, 0).reshape(-1, len(names)))


@dataclass(frozen=True)
class _BaseRows:
    """Rows that count, mixed with those whose effect is theirs: beta = mixed (all rows)."""

    rows: list[int]
    mixed: Array
    ineffective: list[int]


def _independent(Y: Array, G: Array) -> _BaseRows:
    """Of the rows of G those whose columns of the regressor depend on no others."""
    columns = Y @ np.linalg.pinv(G)  # Y = columns G, as G has full rank by rows
    size = np.linalg.norm(columns, axis=0)
    largest = size.max(initial=0.0)
    effective = np.flatnonzero(size > _NONE * largest)
    ineffective = [k for k in range(len(G)) if k not in effective]
    rows = [int(effective[k]) for k in _leading(columns[:, effective])]
    mixed = np.zeros((len(rows), len(G)))
    if rows:
        told = np.linalg.lstsq(columns[:, rows], columns[:, effective], rcond=None)[0]
        mixed[:, effective] = np.where(np.abs(told) > _NONE, told, 0)
        mixed[:, rows] = np.eye(len(rows))
    return _BaseRows(rows, mixed, ineffective)


def _leading(columns: Array) -> list[int]:
    """Columns that depend on none before them."""
    chosen: list[int] = []
    Q = np.zeros((len(columns), 0))
    for k, column in enumerate(columns.T):
        if not column.any():
            continue
        rest = column / np.linalg.norm(column)
        for _ in range(2):  # twice is enough
            rest = rest - Q @ (Q.T @ rest)
        if (length := np.linalg.norm(rest)) > _NONE:
            Q = np.column_stack([Q, rest / length])
            chosen.append(k)
    return chosen


def _written(
    graph: Graph,
    columns: Sequence[Sequence[Expression]],
    parameters: Sequence[str],
    chosen: _BaseRows,
) -> tuple[Any, ...]:
    """Each combination as a sum of symbols."""
    import sympy as sp

    symbols = [sp.Symbol("_".join(reversed(name.rsplit(".", 1)))) for name in parameters]
    rows = []
    for k in range(len(columns[0]) if columns else 0):
        factors = to_sympy(graph, [column[k].node for column in columns])
        terms = zip(factors, symbols, strict=True)
        rows.append(sum((f * x for f, x in terms if not _is_rounding(f)), sp.S.Zero))
    return tuple(
        sum((_plain(share) * rows[k] for k, share in enumerate(mix) if share), sp.S.Zero)
        for mix in chosen.mixed
    )


def _is_rounding(factor: Any) -> bool:
    """True if a factor is zero but for the rounding of rotations."""
    return bool(factor.is_number) and abs(float(factor)) < _ROUNDING


def _plain(number: float) -> Any:
    """A whole number where it is one but for rounding."""
    nearest = round(number)
    return nearest if abs(number - nearest) < _NONE else float(number)
