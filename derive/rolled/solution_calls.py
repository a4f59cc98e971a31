"""Calls that solve for the responses of a tree through M = L^T D L (see `factor_calls`).

All three matrices are solved for at once, in groups of columns: what a row of a group loses to
others is carried in registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from eomc.derive.graph import Call, Climb, ForLoop, RolledArgument, RolledArray, RolledStep, Spread
from eomc.derive.graph.tuning import CARRIED_BYTES, CARRIED_ROWS
from eomc.derive.rolled import factor_steps as steps
from eomc.derive.rolled.factor_steps import MATRICES
from eomc.derive.rolled.speed_pairs import END
from eomc.derive.rolled.sweeps import SharedSweeps
from eomc.derive.rolled.tree_axes import odd_rows

_BYTES = 8
"""Bytes that such columns of all speeds may take, and those of a number."""


@dataclass(frozen=True)
class _Columns:
    """Lists of columns: where that of each row starts, what follows each entry, and the column."""

    first: tuple[int, ...]
    following: tuple[int, ...]
    columns: tuple[int, ...]


class SolutionCalls:
    """Of matrices in rows of `width` columns; one by one in the arrays that they are to be in, else
    in such whose rows are filled up.

    outputs : arrays by q, u and tau, by the names in the steps
    filled : entries of these, row by row, of speeds that are not on the way of each other
    into : arrays that are solved for
    pitch : numbers of a row of these
    """

    def __init__(
        self, over: SharedSweeps, width: int, outputs: Mapping[str, str], filled: Iterable[int]
    ) -> None:
        self.over, self.width, self.outputs = over, width, outputs
        self.pairs = over.pairs
        self.count, self.nu = over.speed_count, over.tree.nu
        self.filled = frozenset(filled)
        if width == 1:
            self.pitch, self.into = self.nu, dict(outputs)
            return
        rows = -(-self.nu // width)
        most = CARRIED_BYTES // (len(MATRICES) * _BYTES * width * self.nu)
        self.groups = -(-rows // min(max(most, 2), CARRIED_ROWS))
        self.size = -(-rows // self.groups)
        self.pitch = odd_rows(self.groups * self.size * width, width)
        self.into = {name: name for name in MATRICES}

    @property
    def loops(self) -> list[ForLoop]:
        """-M^-1 times the matrices by q and u, and M^-1."""
        units = tuple((self.pitch + 1) * k for k in range(self.nu))
        to = {"to": RolledArgument(self.into[MATRICES[-1]], units)}
        unit = ForLoop(self.nu, (Call((steps.unit_step(),), (0,) * self.nu, to),))
        if self.width == 1:
            return [unit, *self._one_by_one]
        inward = [self._inward] if self.pairs.pairs else []
        return [unit, *inward, self._outward, self._lay]

    def _rows(
        self, names: str, rows: Sequence[int], inner: Sequence[int]
    ) -> dict[str, RolledArgument]:
        """Rows of speeds in the matrices."""
        offsets = tuple(rows)
        return {
            names.format(m): RolledArgument(self.into[m], offsets, tuple(inner)) for m in MATRICES
        }

    @property
    def _one_by_one(self) -> list[ForLoop]:
        """Row after row, all columns that are not zero."""
        pairs = list(enumerate(self.pairs.pairs))
        met, solved = self._columns(self._met), self._columns(self._solved)
        inward = sorted(((i, k, p) for p, (k, i) in pairs), key=lambda turn: -turn[1])
        each = [(k, k, k) for k in range(self.count)]
        outward = [(k, i, p) for p, (k, i) in pairs]
        less, scale = steps.less_of_each_step(), steps.scale_step()
        loops = ((less, met, inward), (scale, met, each), (less, solved, outward))
        return [self._row_by_row(*loop) for loop in loops if loop[2]]

    def _row_by_row(
        self, step: RolledStep, columns: _Columns, turns: Sequence[tuple[int, int, int]]
    ) -> ForLoop:
        """Turns of a row, of another one whose columns they are over, and of the place of a factor
        of both or of a reciprocal."""
        still = (0,) * len(columns.columns)
        own, other = ([self.pitch * self.over.speeds[turn[n]] for turn in turns] for n in range(2))
        numbers = tuple(turn[2] for turn in turns)
        pieces = self._rows("{}", own, columns.columns)
        pieces |= self._rows("other_{}", other, columns.columns)
        pieces |= {"factor": RolledArgument("lower", numbers, still)}
        pieces |= {"reciprocal": RolledArgument("reciprocal", numbers, still)}
        first = tuple(columns.first[turn[1]] for turn in turns)
        climb = Climb(first, columns.following, (Call((step,), still, pieces),))
        return ForLoop(len(turns), (), (climb,))

    def _columns(self, rows: Sequence[set[int]]) -> _Columns:
        """Columns of each row in which it is not zero, by the rows of each column."""
        first: list[int] = []
        following: list[int] = []
        columns: list[int] = []
        starts: dict[tuple[int, ...], int] = {}
        for k in range(self.count):
            own = tuple(c for c, met in zip(self.over.speeds, rows, strict=True) if k in met)
            if own not in starts:
                starts[own] = len(columns)
                columns += own
                following += [*range(starts[own] + 1, len(columns)), END]
            first.append(starts[own])
        return _Columns(tuple(first), tuple(following), tuple(columns))

    @property
    def _inward(self) -> ForLoop:
        """L^T: off each row, those of its subtree that have columns of a group."""
        lists: dict[tuple[int, ...], dict[int, int]] = {}
        rows: list[int] = []
        following: list[int] = []
        turns, first = [], []
        for group, met in enumerate(self._by_group(self._met)):
            kept = tuple(p for p, (k, _) in enumerate(self.pairs.pairs) if k in met)
            if kept not in lists:
                last: dict[int, int] = {}
                for row, p in enumerate(kept, start=len(rows)):
                    i = self.pairs.upper[p]
                    following.append(last.get(i, END))
                    last[i] = row
                rows += kept
                lists[kept] = last
            for i in sorted(lists[kept], reverse=True):
                turns.append((group, i))
                first.append(lists[kept][i])
        begin = steps.begin_step(self.width, self.size, is_scaled=False)
        others = [self.over.speeds[self.pairs.pairs[p][0]] for p in rows]
        return self._by_groups(
            turns, begin, Climb(tuple(first), tuple(following), ()), rows, others
        )

    @cached_property
    def _met(self) -> list[set[int]]:
        """Speeds in whose rows each column is not zero once L^T has been solved for."""
        met = [self.pairs.way(k) for k in range(self.count)]
        for k, i in self.pairs.pairs:
            met[i].add(k)
        slot = {speed: k for k, speed in enumerate(self.over.speeds)}
        for entry in self.filled:
            met[slot[entry % self.nu]] |= self.pairs.way(slot[entry // self.nu])
        return met

    @cached_property
    def _solved(self) -> list[set[int]]:
        """The same of the solution: all speeds of the trees that a column has met."""
        root = [min(self.pairs.way(k)) for k in range(self.count)]
        trees: dict[int, set[int]] = {}
        for k, own in enumerate(root):
            trees.setdefault(own, set()).add(k)
        return [set().union(*(trees[own] for own in {root[k] for k in met})) for met in self._met]

    def _by_group(self, columns: Sequence[set[int]]) -> list[set[int]]:
        """Those of the columns of each group together."""
        own = self.size * self.width
        found: list[set[int]] = [set() for _ in range(self.groups)]
        for speed, rows in zip(self.over.speeds, columns, strict=True):
            found[speed // own] |= rows
        return found

    @property
    def _outward(self) -> ForLoop:
        """D and L: off each row over its pivot, those on its way to the base."""
        solved = self._by_group(self._solved)
        turns = [(group, k) for group, rows in enumerate(solved) for k in sorted(rows)]
        first = tuple(self.pairs.first[k] for _, k in turns)
        begin = steps.begin_step(self.width, self.size, is_scaled=True)
        above = [self.over.speeds[i] for i in self.pairs.upper]
        climb = Climb(first, self.pairs.next, ())
        return self._by_groups(turns, begin, climb, range(len(above)), above)

    def _by_groups(
        self,
        turns: Sequence[tuple[int, int]],
        begin: RolledStep,
        climb: Climb,
        pairs: Sequence[int],
        others: Sequence[int],
    ) -> ForLoop:
        """Columns of a group in the row of a speed, less those of others by pairs."""
        own, speeds = self.size * self.width, self.over.speeds
        places = [self.pitch * speeds[k] + own * group for group, k in turns]
        still = (0,) * len(turns)
        row = {
            **self._rows("{}", places, (0,)),
            "carried": RolledArgument("carried_rows", still, (0,)),
        }
        row["reciprocal"] = RolledArgument("reciprocal", tuple(k for _, k in turns))
        groups = [own * group for group, _ in turns]
        less = self._rows("{}", groups, [self.pitch * speed for speed in others])
        less["carried"] = RolledArgument("carried_rows", still, (0,) * len(pairs))
        less["factor"] = RolledArgument("lower", still, tuple(pairs))
        step, end = (make(self.width, self.size) for make in (steps.less_rows_step, steps.end_step))
        climbs = (
            replace(climb, calls=(Call((step,), (0,) * len(pairs), less),)),
            Climb(still, (END,), (Call((end,), (0,), row),)),
        )
        return ForLoop(len(turns), (Call((begin,), still, row),), climbs)

    @property
    def _lay(self) -> ForLoop:
        """From rows that are filled up, into the matrices."""
        starts = tuple(range(0, self.nu, self.width))
        ends = tuple(min(self.width, self.nu - start) for start in starts)
        rows = range(self.nu)
        pieces = self._rows("{}", starts, [self.pitch * row for row in rows])
        for name in MATRICES:
            to = RolledArgument(
                self.outputs[name], starts, tuple(self.nu * row for row in rows), Spread(1, ends)
            )
            pieces[f"laid_{name}"] = to
        call = Call((steps.lay_step(self.width),), (0,) * self.nu, pieces)
        climb = Climb((0,) * len(starts), (*rows[1:], END), (call,))
        return ForLoop(len(starts), (), (climb,))

    @property
    def arrays(self) -> list[RolledArray]:
        """The matrices, and what is carried."""
        by_q, by_u, by_tau = self.into.values()
        size = self.nu * self.pitch
        zeros = dict.fromkeys(range(size), self.over.tree.zero.node)
        found = [self.over.matrix(name, self.pitch, self.width) for name in (by_q, by_u)]
        found.append(RolledArray(by_tau, size, zeros, apart=self.width))
        if self.width > 1:
            found.append(RolledArray("carried_rows", len(MATRICES) * self.size, width=self.width))
        return found
