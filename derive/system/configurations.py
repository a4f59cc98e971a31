"""Configurations that close loops, found by Gauss-Newton in doubles, and the gradients there.

The search starts where the model's guesses say, or at its neutral configuration, then near it, then
ever further away at random. Displacements are counted in their sizes, 1 rad or the model's length;
residuals in those of their rows, the largest that a displacement of these sizes has made of them.
Where starts fail for lengths that are shorter than those of bodies (they may stand in an expression
alone), shorter ones are tried. Tunable parameters have their defaults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.elements.initial_guess import initial_guesses
from eomc.derive.elements.rows import Row
from eomc.derive.graph import Expression, ForwardSweep, nodes, reachable, symbols
from eomc.derive.graph.evaluate import evaluate
from eomc.derive.language.errors import ModelError
from eomc.derive.system.manifold import integrated, neutral_values
from eomc.derive.system.sizes import length, sliding

if TYPE_CHECKING:
    from eomc.derive.system.constraints import ConstraintRows


__all__ = ["CLOSED", "DEPENDENT", "Configuration", "ConfigurationSearch"]

DEPENDENT = 1e-7
"""Of the length of a gradient: what is left of it beside the span of others that counts as none."""

CLOSED = 1e-10
"""Residual of a configuration that closes, in the size of its row."""

_SOME_TIME = 0.37
"""At which no rate of a constraint vanishes by chance [s]."""

_SETTLED, _MORE = 1e-9, 4
"""Newton's next step where so many were taken after the residual was none. A longer one says that
the place is next to a singular one, which the method reaches slowly, by half of the way in each
step, and where rank cannot be told."""

_ROUNDING, _FAINT = 1e-12, 1e-5
"""Singular values, of the largest, between which a place is next to a singular one."""

_STARTS, _STEPS, _NEARBY, _LONGEST = 60, 100, 20, 0.5

_AROUND, _ASIDE = 4, 0.2
"""Places next to a closed one, and how far they are."""

_SHAKES, _WEAK = 20, 0.02
"""Displacements from a singular place, and singular values and shares of rows that count there."""

_SHORTER = 6
"""Starts after which every other one is made with a tenth of the length."""


@dataclass(frozen=True, eq=False)
class Configuration:
    """A configuration (q, s) that closes.

    gradients : (rows, nu) by free speeds of their sizes, in the sizes of the rows
    given : (rows, n) what the rows get from outside
    is_settled : whether rank can be told there
    is_home : whether it is on the branch of the initial guesses, or of a neutral one that closes
    row_sizes, speed_sizes : see `eomc.derive.system.sizes`
    """

    q: Array
    s: Array
    gradients: Array
    given: Array
    is_settled: bool
    is_home: bool
    row_sizes: Array
    speed_sizes: Array


class ConfigurationSearch:
    """Configurations that close the holonomic rows, with `parameters` as they are."""

    def __init__(self, constraints: ConstraintRows, rows: Sequence[Row]) -> None:
        self.system = constraints.system
        self.rows = list(rows)
        self.holonomic = [k for k, row in enumerate(rows) if row.holonomic]
        self.residuals = [row.residual for row in rows]
        model = self.system.model
        self.parameters = {
            name: float(model.parameters[name].value) for name in self.system.symbolic
        }
        self.guess = initial_guesses(model, model.defaults())
        self._slides, self._length = np.concatenate(sliding(self.system)), length(model)
        self._measure(1.0)

    def _measure(self, share: float) -> None:
        """Begin to count in a share of the model's length."""
        self.sizes = np.where(self._slides > 0, share * self._length, 1.0)
        self.row_sizes = np.zeros(len(self.rows))

    def _home(self, neutral: Array) -> Array:
        """Neutral coordinates, but for those that are guessed."""
        q = neutral.copy()
        for name, value in self.guess.items():
            q[self.system.coordinate_names.index(name)] = value
        return q

    def configurations(self) -> Iterator[Configuration]:
        """Those that are found, the home one first if there is any: it closes, or was guessed.

        Raises `ModelError` if none is found.
        """
        rng, n = np.random.default_rng(0), self.system.nu + len(self.system.s)
        neutral, s = np.array(neutral_values(self.system.tree)), np.zeros(len(self.system.s))
        gaps: list[tuple[float, str]] = []
        found = self._closed(self._home(neutral), s, np.zeros(n), _STEPS if self.guess else 1)
        has_home = isinstance(found, Configuration)
        if isinstance(found, Configuration):
            yield from self._around(found, rng)
        for start in range(_STARTS):
            spread = 0.1 + 0.05 * start
            self._measure(0.1 ** (start // _SHORTER) if start % 2 else 1.0)
            step = rng.normal(scale=spread, size=n) * self.sizes
            found = self._closed(neutral, s, step, _STEPS)
            if isinstance(found, Configuration):
                yield self._shaken(found, rng)
            else:
                gaps.append(found)
        if len(gaps) == _STARTS and not has_home:
            least, where = min(gaps)
            left = f"the nearest leaves {least:.3g} in {where}"
            raise ModelError(
                f"model {self.system.model.name!r} cannot be assembled: no configuration was found "
                "that closes its loops; "
                + (left if np.isfinite(least) else f"{where} has no finite value at t = 0")
                + ("; [[initial_guess]] may tell where they close" if np.isfinite(least) else "")
            )

    def _around(self, place: Configuration, rng: np.random.Generator) -> Iterator[Configuration]:
        """The place itself, and others that displacements along what is free there lead to: they
        tell the rank of the branch, for the place itself may be singular."""
        slopes = place.gradients[self.holonomic]
        _, values, right = np.linalg.svd(slopes)
        free = right[int((values > DEPENDENT).sum()) :]
        is_alone = not len(free)
        yield replace(place, is_home=is_alone, is_settled=is_alone and place.is_settled)
        for _ in range(_AROUND if len(free) else 0):
            along = free.T @ rng.normal(size=len(free))
            step = np.concatenate([_ASIDE * along / np.linalg.norm(along), 0 * place.s])
            found = self._closed(place.q, place.s, step * self.sizes, _NEARBY)
            if isinstance(found, Configuration):
                yield replace(self._shaken(found, rng), is_home=True)

    def _shaken(self, place: Configuration, rng: np.random.Generator) -> Configuration:
        """A configuration where no loop is next to a singular place any more, if one is found: what
        the rows move that are weak there is displaced, and the rest hardly follows."""
        for _ in range(_SHAKES):
            if place.is_settled:
                break
            slopes = place.gradients[self.holonomic]
            left, values, _ = np.linalg.svd(slopes, full_matrices=False)
            weak = np.abs(left[:, values < _WEAK]).max(axis=1, initial=0.0) > _WEAK
            moved = np.abs(slopes[weak]).max(axis=0, initial=0.0) > _WEAK
            step = np.concatenate([rng.normal(size=moved.size) * moved, 0 * place.s])
            found = self._closed(place.q, place.s, _ASIDE * step * self.sizes, _STEPS)
            place = found if isinstance(found, Configuration) else place
        return place

    def nearby(self, place: Configuration) -> Configuration | None:
        """Configuration that closes near `place` with the parameters as they are now, if any."""
        self.sizes = np.concatenate([place.speed_sizes, self.sizes[self.system.nu :]])
        self.row_sizes = place.row_sizes.copy()
        step = np.zeros(self.system.nu + place.s.size)
        found = self._closed(place.q, place.s, step, _NEARBY)
        return found if isinstance(found, Configuration) else None

    def _closed(
        self, q: Array, s: Array, step: Array, steps: int
    ) -> Configuration | tuple[float, str]:
        """The configuration that Newton's method finds from (q, s) and a first step; else the gap
        that it leaves, and where."""
        nu, gap, closed = self.system.nu, np.zeros(0), 0
        for count in range(steps + _MORE):
            q, s = self._moved(q, s, step[:nu]), s + step[nu:]
            values = self._values(q, s)
            gap = self._at([self.residuals[k] for k in self.holonomic], values)
            if not np.isfinite(gap).all():
                return np.inf, self.rows[self.holonomic[int(np.argmin(np.isfinite(gap)))]].name
            jacobian = self._jacobian(values) * self.sizes
            if not np.isfinite(jacobian).all():
                row = int(np.argmin(np.isfinite(jacobian).all(axis=1)))
                return np.inf, self.rows[row].name
            self.row_sizes = np.fmax(self.row_sizes, np.linalg.norm(jacobian, axis=1))
            sizes = np.where(self.row_sizes > 0, self.row_sizes, 1.0)
            slopes = jacobian[self.holonomic] / sizes[self.holonomic, None]
            rest = gap / sizes[self.holonomic]
            newton = np.asarray(-np.linalg.lstsq(slopes, rest, rcond=1e-9)[0], dtype=float)
            closed += bool(np.abs(rest).max(initial=0.0) < CLOSED)
            settled = bool(np.abs(newton).max(initial=0.0) < _SETTLED)
            if not closed and count + 1 >= steps:
                break
            if closed and (settled or closed > _MORE):
                free, given = jacobian[:, :nu] / sizes[:, None], self._from_outside(values)
                tells = settled and _tells_rank(slopes)
                return Configuration(q, s, free, given, tells, False, sizes, self.sizes[:nu])
            longest = max(float(np.linalg.norm(newton)), 1e-300)
            step = newton * self.sizes * min(1.0, _LONGEST / longest)
        worst = int(np.abs(gap).argmax())
        return float(np.abs(gap).max()), self.rows[self.holonomic[worst]].name

    def coordinate_sizes(self, place: Configuration) -> Array:
        """Largest change of each coordinate by a displacement of the size of a speed, or of those
        that move with it: entries of a quaternion, one of which stands still, have one size."""
        sizes = np.zeros(self.system.nq)
        places = {e.node: k for k, e in enumerate(self.system.configuration)}
        values = self._values(place.q, place.s)
        for along, size in zip(self.system.directions(), place.speed_sizes, strict=True):
            moved = [places[node] for node in along]
            rates = self._at(
                [Expression(self.system.graph, rate) for rate in along.values()], values
            )
            sizes[moved] = np.fmax(sizes[moved], size * np.abs(rates).max(initial=0.0))
        return np.where(sizes > 0, sizes, 1.0)

    def tunable(self) -> list[str]:
        """Tunable parameters that the rows depend on."""
        graph = self.system.graph
        used = set(reachable(graph, nodes(self.residuals)))
        return [name for name in self.parameters if graph.symbol(name) in used]

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
        """Shares of each row from outside: its derivatives by the prescribed s and by time; of
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

    def _moved(self, q: Array, s: Array, du: Array) -> Array:
        nodes_du, moved = self._step
        values = self._values(q, s) | dict(zip(nodes_du, du.tolist(), strict=True))
        return np.array([float(x) for x in evaluate(self.system.graph, moved, values)])


def _tells_rank(slopes: Array) -> bool:
    """True if each singular value is rounding, or clearly is not."""
    values = np.linalg.svd(slopes, compute_uv=False)
    largest = float(values.max(initial=0.0))
    return not ((values > _ROUNDING * largest) & (values < _FAINT * largest)).any()
