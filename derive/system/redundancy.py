"""Rows of constraints that depend on others, found by rank at configurations that close.

A planar four-bar in space closes with a revolute joint, five rows, of which two are independent:
the others hold wherever these do. Rows are taken in their order; one whose gradient lies in the
span of those before it, at every configuration that was found, is redundant. Configurations are
found by Gauss-Newton from random starts, in doubles, with tunable parameters at their defaults.
Where a redundancy is gone with a parameter a little off (another length, and the loop opens or
locks), it rests on the value of that parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eomc.derive.constraints.rows import Row
from eomc.derive.graph import Expression, ForwardSweep, nodes, reachable, symbols
from eomc.derive.graph.evaluate import evaluate
from eomc.derive.language.errors import ModelError
from eomc.derive.system.manifold import integrated, neutral_values

if TYPE_CHECKING:
    from eomc.derive.system.constraints import Constraints

Array = NDArray[np.float64]

DEPENDENT = 1e-7
"""Of the length of a gradient: what is left of it beside the span of others that counts as none."""

CLOSED = 1e-10
"""Residual of a configuration that closes [m, rad]."""

_SOME_TIME = 0.37
"""At which no rate of a constraint vanishes by chance [s]."""

_SETTLED = 1e-6
"""Newton's next step that is still taken where the residual is none: the place is next to a
singular one, which the method reaches slowly, and where rank cannot be told."""

_CONFIGURATIONS, _STARTS, _STEPS, _NEARBY, _LONGEST = 2, 60, 100, 20, 0.5

_ANOTHER = 1e-3
"""Change of a tunable parameter, relative or of a zero, that tells what rests on its value."""


@dataclass(frozen=True)
class Redundancy:
    """What the rank of a model's constraints says.

    Attributes
    ----------
    rows, redundant : names of all rows, and of those that depend on others
    speeds : number of generalized speeds
    parameters : names of the tunable parameters on whose default values the redundancy rests;
        with others near them the loops open or lock
    freedoms : speeds less independent rows

    A row bears the name of its joint or constraint and the direction that it holds:
    "hinge.force_x" a force along x of the joint frame on the parent, "hinge.torque_1" a torque
    about the first direction normal to the axis.

    >>> found = Redundancy(("loop.force_x", "loop.force_z"), ("loop.force_z",), 3)
    >>> found.rank, found.freedoms, found.directions
    (1, 2, {'loop': ('force_z',)})
    """

    rows: tuple[str, ...]
    redundant: tuple[str, ...]
    speeds: int
    parameters: tuple[str, ...] = ()

    @property
    def rank(self) -> int:
        """Number of independent rows."""
        return len(self.rows) - len(self.redundant)

    @property
    def freedoms(self) -> int:
        """Degrees of freedom."""
        return self.speeds - self.rank

    @property
    def directions(self) -> dict[str, tuple[str, ...]]:
        """Redundant directions by joint or constraint."""
        found: dict[str, tuple[str, ...]] = {}
        for row in self.redundant:
            element, _, direction = row.rpartition(".")
            found[element] = (*found.get(element, ()), direction)
        return found

    def report(self) -> dict[str, object]:
        """All of it as plain values, for JSON."""
        return {
            "rows": list(self.rows),
            "rank": self.rank,
            "speeds": self.speeds,
            "freedoms": self.freedoms,
            "redundant": {name: list(entries) for name, entries in self.directions.items()},
            "rests_on": list(self.parameters),
        }


@dataclass(frozen=True)
class Independent:
    """Rows that are independent, and tunable parameters on whose values it rests that the others
    are not."""

    rows: list[Row]
    parameters: tuple[str, ...] = ()


def redundancy(constraints: Constraints) -> Redundancy:
    """The report of a model's constraints."""
    names = tuple(row.name for row in constraints.all_rows)
    kept = set(constraints.names)
    dependent = tuple(name for name in names if name not in kept)
    rests_on = constraints.independent.parameters
    return Redundancy(names, dependent, constraints.system.tree.nu, rests_on)


def independent(constraints: Constraints) -> Independent:
    """Rows that are independent at some configuration that closes.

    Raises `ModelError` if there is none, with what does not close, for rows that depend on
    others but for what is given from outside (prescribed coordinates or time), and for a
    redundancy of rows of speeds that rests on a tunable parameter: no open loop would tell.
    """
    live = _live(constraints)
    if not live:
        return Independent([])
    search = _Search(constraints, live)
    kept: set[int] = set()
    found = list(search.jacobians())
    for jacobian, _ in found:
        kept |= set(_spanning(jacobian))
    for jacobian, given in found:
        for k in _spanning(np.hstack([jacobian, given])):
            if k not in kept:
                raise _overdetermined(constraints, live[k])
    rows = [row for k, row in enumerate(live) if k in kept]
    if len(rows) == len(live):
        return Independent(rows)
    return Independent(rows, tuple(_rests_on(search, kept)))


def _live(constraints: Constraints) -> list[Row]:
    """Rows that are no numbers."""
    live = []
    for row in constraints.all_rows:
        if not row.residual.is_constant:
            live.append(row)
            continue
        gap = float(row.residual.graph.number(row.residual.node) or 0)
        if abs(gap) > CLOSED:
            raise ModelError(
                f"{row.name} can never close: it is {gap:g} in every configuration; "
                "check the placements of its joint"
            )
    return live


def _rests_on(search: _Search, kept: set[int]) -> Iterator[str]:
    """Tunable parameters near whose values rows beside `kept` are independent, or cannot close."""
    names = search.tunable()
    if not names or search.new_rows(kept, names) == []:
        return
    for name in names:
        new = search.new_rows(kept, [name])
        for k in new or ():
            if not search.rows[k].holonomic:
                raise ModelError(
                    f"{search.rows[k].name} is redundant at the default value of parameter "
                    f"{name!r} only; bake it in (tunable=False) or leave the constraint out"
                )
        if new is None or new:
            yield name


def _overdetermined(constraints: Constraints, row: Row) -> ModelError:
    """Of a row that nothing free can satisfy."""
    names = constraints.system.tree.prescribed_names
    if names:
        return ModelError(
            f"the prescribed coordinates {', '.join(map(repr, names))} leave nothing free that "
            f"could satisfy {row.name}; prescribe fewer"
        )
    return ModelError(
        f"{row.name} and the constraints before it move the same coordinates in time, each its own "
        "way; leave one of them out"
    )


def _spanning(jacobian: Array) -> list[int]:
    """Rows that are no combination of those before them."""
    basis: list[Array] = []
    chosen = []
    for k, row in enumerate(jacobian):
        size = np.linalg.norm(row)
        rest = row.copy()
        for _ in range(2):  # twice is enough for orthogonality to rounding
            for direction in basis:
                rest -= (direction @ rest) * direction
        if size > 0 and np.linalg.norm(rest) > DEPENDENT * size:
            basis.append(rest / np.linalg.norm(rest))
            chosen.append(k)
    return chosen


class _Search:
    """Configurations that close the holonomic rows, with `parameters` as they are."""

    def __init__(self, constraints: Constraints, rows: Sequence[Row]) -> None:
        self.system = constraints.system
        self.rows = list(rows)
        self.holonomic = [k for k, row in enumerate(rows) if row.holonomic]
        self.residuals = [row.residual for row in rows]
        model = self.system.model
        self.parameters = {
            name: float(model.parameters[name].value) for name in self.system.symbolic
        }
        self.places: list[tuple[Array, Array]] = []
        self.last: tuple[Array, Array]

    def tunable(self) -> list[str]:
        """Tunable parameters that the rows depend on."""
        graph = self.system.graph
        used = set(reachable(graph, nodes(self.residuals)))
        return [name for name in self.parameters if graph.symbol(name) in used]

    def new_rows(self, kept: set[int], names: Sequence[str]) -> list[int] | None:
        """Rows beside `kept` that are independent with parameters a little off; None if nothing
        closes then, near the places that were found."""
        sound, found = self.parameters, set()
        changes = {name: 1 + _ANOTHER / (k + 1) for k, name in enumerate(names)}
        self.parameters = sound | {n: sound[n] * by or by - 1 for n, by in changes.items()}
        try:
            for q, s in self.places:
                closed, _ = self._newton(q, s, np.zeros(self.system.tree.nu + s.size), _NEARBY)
                if closed is None:
                    return None
                found |= set(_spanning(self._jacobian(closed)[:, : self.system.tree.nu]))
        finally:
            self.parameters = sound
        return sorted(found - kept)

    @cached_property
    def _columns(self) -> list[list[Expression]]:
        """Derivatives of the residuals along the tangent of q, then along the prescribed s; of
        nonholonomic rows along the speeds."""
        system = self.system
        sweep = ForwardSweep(system.graph, nodes(self.residuals))
        one = (system.tree.zero + 1).node
        columns = []
        for along, u in zip(system.directions(), system.u, strict=True):
            by_q, by_u = sweep(along), sweep({u.node: one})
            columns.append(
                [
                    Expression(system.graph, a if row.holonomic else b)
                    for row, a, b in zip(self.rows, by_q, by_u, strict=True)
                ]
            )
        for s in system.s:
            by_s = sweep({s.node: one})
            columns.append(
                [
                    Expression(system.graph, node) if row.holonomic else system.tree.zero
                    for row, node in zip(self.rows, by_s, strict=True)
                ]
            )
        return columns

    @cached_property
    def _given(self) -> list[list[Expression]]:
        """What each row gets from outside: its derivatives by the prescribed s and by time; of
        nonholonomic rows by s' and the part without speeds."""
        system = self.system
        sweep = ForwardSweep(system.graph, nodes(self.residuals))
        one = (system.tree.zero + 1).node
        columns = []
        for s, rate in zip(system.s, system.s_rate, strict=True):
            pairs = zip(self.rows, sweep({s.node: one}), sweep({rate.node: one}), strict=True)
            columns.append([a if row.holonomic else b for row, a, b in pairs])
        by_time = sweep({system.time.node: one})
        columns.append(
            [
                slope if row.holonomic else row.residual.node
                for row, slope in zip(self.rows, by_time, strict=True)
            ]
        )
        return [[Expression(system.graph, node) for node in column] for column in columns]

    @cached_property
    def _step(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Nodes of the tangent displacement du, and of q moved by it."""
        system = self.system
        du = symbols(system.graph, "du", system.tree.nu)
        return nodes(du), nodes(integrated(system.tree, system.q, du))

    def _values(self, q: Array, s: Array) -> dict[int, float]:
        system = self.system
        zeros = [*system.u, *system.r, system.time, *system.s_rate, *system.s_acceleration]
        values = {entry.node: 0.0 for entry in zeros}
        values |= {entry.node: float(x) for entry, x in zip(system.q, q, strict=True)}
        values |= {entry.node: float(x) for entry, x in zip(system.s, s, strict=True)}
        for name, number in self.parameters.items():
            values[system.graph.symbol(name)] = number
        return values

    def _at(self, expressions: Sequence[Expression], values: dict[int, float]) -> Array:
        found = evaluate(self.system.graph, [e.node for e in expressions], values)
        return np.array([float(x) for x in found])

    def _jacobian(self, values: dict[int, float]) -> Array:
        flat = [entry for column in self._columns for entry in column]
        return self._at(flat, values).reshape(len(self._columns), len(self.rows)).T

    def _from_outside(self, values: dict[int, float]) -> Array:
        flat = [entry for column in self._given for entry in column]
        at = values | {self.system.time.node: _SOME_TIME}
        return self._at(flat, at).reshape(len(self._given), len(self.rows)).T

    def jacobians(self) -> Iterator[tuple[Array, Array]]:
        """Gradients by the free speeds, and by what is given, at configurations that close.

        Raises `ModelError` if none is found.
        """
        rng = np.random.default_rng(0)
        found = 0
        gaps: list[tuple[float, str]] = []
        doubtful: list[tuple[Array, Array]] = []
        for start in range(_STARTS):
            spread = 0.1 + 0.05 * start
            closed, gap = self._closed(rng, spread)
            if closed is None:
                gaps.append(gap)
                continue
            jacobian = self._jacobian(closed)[:, : self.system.tree.nu]
            answer = jacobian, self._from_outside(closed)
            if not self._is_settled(closed):
                doubtful.append(answer)
                continue
            self.places.append(self.last)
            yield answer
            found += 1
            if found == _CONFIGURATIONS:
                return
        if not found:
            yield from doubtful[:_CONFIGURATIONS]
        if not found and not doubtful:
            least, where = min(gaps)
            left = f"the nearest leaves {least:.3g} in {where}"
            raise ModelError(
                f"model {self.system.model.name!r} cannot be assembled: no configuration was found "
                "that closes its loops; "
                + (left if np.isfinite(least) else f"{where} has no finite value at t = 0")
            )

    def _closed(
        self, rng: np.random.Generator, spread: float
    ) -> tuple[dict[int, float] | None, tuple[float, str]]:
        """A configuration that closes, or the gap that is left and where."""
        q, s = np.array(neutral_values(self.system.tree)), np.zeros(len(self.system.s))
        step = rng.normal(scale=spread, size=self.system.tree.nu + s.size)
        return self._newton(q, s, step, _STEPS)

    def _newton(
        self, q: Array, s: Array, step: Array, steps: int
    ) -> tuple[dict[int, float] | None, tuple[float, str]]:
        """The same from a place and a first step; `last` is what closed."""
        nu = self.system.tree.nu
        rows = [self.rows[k] for k in self.holonomic]
        for _ in range(steps):
            q, s = self._moved(q, s, step[:nu]), s + step[nu:]
            values = self._values(q, s)
            gap = self._at([row.residual for row in rows], values)
            if not np.isfinite(gap).all():
                return None, (np.inf, rows[int(np.argmin(np.isfinite(gap)))].name)
            if np.abs(gap).max(initial=0.0) < CLOSED:
                self.last = q, s
                return values, (0.0, "")
            jacobian = self._jacobian(values)[self.holonomic]
            newton = np.asarray(-np.linalg.lstsq(jacobian, gap, rcond=1e-9)[0], dtype=float)
            step = newton * min(1.0, _LONGEST / max(float(np.linalg.norm(newton)), 1e-300))
        worst = int(np.abs(gap).argmax())
        return None, (float(np.abs(gap).max()), rows[worst].name)

    def _is_settled(self, closed: dict[int, float]) -> bool:
        gap = self._at([self.residuals[k] for k in self.holonomic], closed)
        step = np.linalg.lstsq(self._jacobian(closed)[self.holonomic], -gap, rcond=1e-9)[0]
        return float(np.abs(step).max(initial=0.0)) < _SETTLED

    def _moved(self, q: Array, s: Array, du: Array) -> Array:
        nodes_du, moved = self._step
        values = self._values(q, s) | dict(zip(nodes_du, du.tolist(), strict=True))
        return np.array([float(x) for x in evaluate(self.system.graph, moved, values)])
