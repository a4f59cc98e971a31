"""Calls through M = L^T D L, over pairs of a speed and another on its way to the base.

L is kept pair by pair. The matrices that are solved for are so in rows of columns: what a row of
them loses to others is carried in registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from eomc.derive.graph import Array, Call, Climb, ForLoop, Piece, Spread, Step
from eomc.derive.rolled import factor_steps as steps
from eomc.derive.rolled.factor_steps import MATRICES
from eomc.derive.rolled.sweeps import Sweeps
from eomc.derive.rolled.tree_axes import odd_rows

_END = -1
_MOST = 5
"""Rows of columns, of each of three matrices, that are carried at once in registers."""
_CACHE, _BYTES = 36_000, 8
"""Bytes that such columns of all speeds may take, and those of a number."""


class FactorCalls:
    """Of one matrix M, for solutions in rows of `width` columns.

    pairs : of speeds, each with those on its way to the base, the nearest first
    into : arrays by q, u and tau that are solved for, by the names in the steps
    filled : entries of these, row by row, of speeds that are not on the way of each other
    """

    def __init__(
        self,
        over: Sweeps,
        width: int,
        matrix: str,
        into: Mapping[str, str],
        filled: Iterable[int] = (),
    ) -> None:
        self.over, self.width, self.matrix = over, width, matrix
        self.count, self.nu = over.speed_count, over.tree.nu
        self.pairs: list[tuple[int, int]] = []
        self.first = []
        for k in range(self.count):
            self.first.append(len(self.pairs) if over.above[k] != _END else _END)
            i = over.above[k]
            while i != _END:
                self.pairs.append((k, i))
                i = over.above[i]
        rows = -(-self.nu // width)
        most = _CACHE // (len(MATRICES) * _BYTES * width * self.nu)
        self.groups = -(-rows // min(max(most, 2), _MOST)) if width > 1 else rows
        self.size = -(-rows // self.groups)
        self.pitch = self.groups * self.size * width
        if width > 1:
            self.pitch = odd_rows(self.pitch, width)
        self.matrix_pitch = rows * width
        self.outputs, self.filled = into, frozenset(filled)
        self.into = dict(into) if width == 1 else {name: name for name in MATRICES}

    # -- the factor ------------------------------------------------------------------------------

    @property
    def factor(self) -> ForLoop:
        """Speeds from the tips on, each with the pairs that it is the first of."""
        turns: list[tuple[int, int]] = []
        for k in reversed(range(self.count)):
            turns += [(k, p) for p in self._own_pairs(k) or [_END]]
        firsts = tuple(0 if p == self.first[k] else _END for k, p in turns)
        paired = tuple(0 if p != _END else _END for _, p in turns)
        ways = tuple(self.pairs[p][1] if p != _END else _END for _, p in turns)
        lower = Piece("lower", tuple(max(p, 0) for _, p in turns))
        reciprocal = Piece("reciprocal", tuple(k for k, _ in turns))
        pivot = {"diagonal": self._entries([(k, k) for k, _ in turns]), "reciprocal": reciprocal}
        ends = [(k, max(i, 0)) for (k, _), i in zip(turns, ways, strict=True)]
        scale = {"one": self._entries(ends), "other": reciprocal, "product": lower}
        first, following, columns = self._ways
        rows = [self.matrix_pitch * speed for speed in self.over.speeds]
        still = (0,) * len(columns)
        less = {
            "total": Piece(self.matrix, tuple(rows[i] for _, i in ends), columns),
            "factor": Piece("lower", lower.offsets, still),
            "other": Piece(self.matrix, tuple(rows[k] for k, _ in ends), columns),
        }
        starts = tuple(first[i] if i != _END else _END for i in ways)
        climb = Climb(starts, following, (Call((steps.less_step(self.width),), still, less),))
        calls = (
            Call((steps.pivot_step(),), firsts, pivot),
            Call((steps.product_step(),), paired, scale),
        )
        return ForLoop(len(turns), calls, (climb,))

    def _own_pairs(self, k: int) -> list[int]:
        """Those that a speed is the first of."""
        found, p = [], self.first[k]
        while p != _END:
            found.append(p)
            p = self._next_pair[p]
        return found

    @cached_property
    def _ways(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Columns of each speed and those on its way, a row at a time: where each way starts, what
        follows, and the columns."""
        over = self.over
        if self.width == 1:
            return tuple(range(self.count)), over.above, over.speeds
        first, following, columns = [], [], []
        for k in range(self.count):
            places = {over.speeds[i] // self.width for i in (k, *self._on_way(k))}
            first.append(len(following))
            following += [*range(len(following) + 1, len(following) + len(places)), _END]
            columns += [self.width * place for place in sorted(places)]
        return tuple(first), tuple(following), tuple(columns)

    def _on_way(self, k: int) -> list[int]:
        return [self.pairs[p][1] for p in self._own_pairs(k)]

    def _entries(self, entries: Sequence[tuple[int, int]]) -> Piece:
        speeds = self.over.speeds
        places = tuple(self.matrix_pitch * speeds[i] + speeds[j] for i, j in entries)
        return Piece(self.matrix, places)

    def solve(self, ready: str, a: str) -> list[ForLoop]:
        """Accelerations by the forces that are left, which change."""
        each = tuple(range(self.count))
        factor = {"factor": self._lower}
        inward = {
            "total": Piece(ready, self._still, self._above_of_pair),
            "other": Piece(ready, each, (0,) * len(self.pairs)),
        }
        start = {
            "one": Piece(ready, each),
            "other": Piece("reciprocal", each),
            "product": Piece(a, self.over.speeds),
        }
        places = tuple(self.over.speeds[i] for i in self._above_of_pair)
        outward = {
            "total": Piece(a, self.over.speeds, (0,) * len(self.pairs)),
            "other": Piece(a, self._still, places),
        }
        less = steps.less_step(1)
        first, second = (self._along_pairs(less, {**factor, **more}) for more in (inward, outward))
        begin = Call((steps.product_step(),), self._still, start)
        return [
            ForLoop(self.count, (), (first,), backward=True),
            ForLoop(self.count, (begin,), (second,)),
        ]

    @cached_property
    def _still(self) -> tuple[int, ...]:
        return (0,) * self.count

    @cached_property
    def _above_of_pair(self) -> tuple[int, ...]:
        return tuple(i for _, i in self.pairs)

    @property
    def _lower(self) -> Piece:
        return Piece("lower", self._still, tuple(range(len(self.pairs))))

    def _along_pairs(self, step: Step, pieces: Mapping[str, Piece]) -> Climb:
        """The pairs that a speed is the first of."""
        call = Call((step,), (0,) * len(self.pairs), pieces)
        return Climb(tuple(self.first), self._next_pair, (call,))

    @cached_property
    def _next_pair(self) -> tuple[int, ...]:
        last = {k: p for p, (k, _) in enumerate(self.pairs)}
        return tuple(_END if p == last[k] else p + 1 for p, (k, _) in enumerate(self.pairs))

    # -- the matrices ----------------------------------------------------------------------------

    @property
    def solutions(self) -> list[ForLoop]:
        """-M^-1 times the matrices by q and u, and M^-1."""
        units = tuple((self.pitch + 1) * k for k in range(self.nu))
        to = {"to": Piece(self.into[MATRICES[-1]], units)}
        unit = ForLoop(self.nu, (Call((steps.unit_step(),), (0,) * self.nu, to),))
        if self.width == 1:
            return [unit, *self._one_by_one]
        return [unit, self._inward, self._outward, self._lay]

    def _rows(self, names: str, rows: Sequence[int], inner: Sequence[int]) -> dict[str, Piece]:
        """Rows of speeds in the matrices."""
        offsets = tuple(rows)
        return {names.format(m): Piece(self.into[m], offsets, tuple(inner)) for m in MATRICES}

    @property
    def _one_by_one(self) -> list[ForLoop]:
        """Pair after pair, all columns of a row."""
        columns, still = tuple(range(self.nu)), (0,) * self.nu
        following = (*columns[1:], _END)
        row = [self.pitch * speed for speed in self.over.speeds]

        def along(turns: int, step: Step, pieces: Mapping[str, Piece]) -> ForLoop:
            climb = Climb((0,) * turns, following, (Call((step,), still, pieces),))
            return ForLoop(turns, (), (climb,))

        def less(order: Sequence[int], place: int) -> ForLoop:
            """Off the row of one speed of each pair, that of the other."""
            own, other = ([row[self.pairs[p][n]] for p in order] for n in (place, 1 - place))
            pieces = self._rows("{}", own, columns) | self._rows("other_{}", other, columns)
            pieces["factor"] = Piece("lower", tuple(order), still)
            return along(len(order), steps.less_of_each_step(), pieces)

        scaled = self._rows("{}", row, columns)
        scaled["reciprocal"] = Piece("reciprocal", tuple(range(self.count)), still)
        order = range(len(self.pairs))
        inward = sorted(order, key=lambda p: -self.pairs[p][0])
        loops = [along(self.count, steps.scale_step(), scaled)]
        return [less(inward, 1), *loops, less(order, 0)] if self.pairs else loops

    @property
    def _inward(self) -> ForLoop:
        """L^T: off each row, those of its subtree that have columns of a group."""
        lists: dict[tuple[int, ...], dict[int, int]] = {}
        rows: list[int] = []
        following: list[int] = []
        turns, first = [], []
        for group, met in enumerate(self._met):
            kept = tuple(p for p, (k, _) in enumerate(self.pairs) if k in met)
            if kept not in lists:
                last: dict[int, int] = {}
                for row, p in enumerate(kept, start=len(rows)):
                    i = self.pairs[p][1]
                    following.append(last.get(i, _END))
                    last[i] = row
                rows += kept
                lists[kept] = last
            for i in sorted(lists[kept], reverse=True):
                turns.append((group, i))
                first.append(lists[kept][i])
        begin = steps.begin_step(self.width, self.size, is_scaled=False)
        others = [self.over.speeds[self.pairs[p][0]] for p in rows]
        return self._by_groups(
            turns, begin, Climb(tuple(first), tuple(following), ()), rows, others
        )

    @cached_property
    def _met(self) -> list[set[int]]:
        """Speeds by group of columns in whose rows these are not all zero."""
        own, speeds = self.size * self.width, self.over.speeds
        way: list[set[int]] = [{k} for k in range(self.count)]
        for k, i in self.pairs:
            way[k].add(i)
        met = [set(ways) for ways in way]
        for k, i in self.pairs:
            met[i].add(k)
        slot = {speed: k for k, speed in enumerate(speeds)}
        for entry in self.filled:
            met[slot[entry % self.nu]] |= way[slot[entry // self.nu]]
        found: list[set[int]] = [set() for _ in range(self.groups)]
        for k, speed in enumerate(speeds):
            found[speed // own] |= met[k]
        return found

    @property
    def _outward(self) -> ForLoop:
        """D and L: off each row over its pivot, those on its way to the base."""
        turns = [(group, k) for group in range(self.groups) for k in range(self.count)]
        first = tuple(self.first[k] for _, k in turns)
        begin = steps.begin_step(self.width, self.size, is_scaled=True)
        above = [self.over.speeds[i] for _, i in self.pairs]
        climb = Climb(first, self._next_pair, ())
        return self._by_groups(turns, begin, climb, range(len(self.pairs)), above)

    def _by_groups(
        self,
        turns: Sequence[tuple[int, int]],
        begin: Step,
        climb: Climb,
        pairs: Sequence[int],
        others: Sequence[int],
    ) -> ForLoop:
        """Columns of a group in the row of a speed, less those of others by pairs."""
        own, speeds = self.size * self.width, self.over.speeds
        places = [self.pitch * speeds[k] + own * group for group, k in turns]
        still = (0,) * len(turns)
        row = {**self._rows("{}", places, (0,)), "carried": Piece("carried_rows", still, (0,))}
        row["reciprocal"] = Piece("reciprocal", tuple(k for _, k in turns))
        groups = [own * group for group, _ in turns]
        less = self._rows("{}", groups, [self.pitch * speed for speed in others])
        less["carried"] = Piece("carried_rows", still, (0,) * len(pairs))
        less["factor"] = Piece("lower", still, tuple(pairs))
        step, end = (make(self.width, self.size) for make in (steps.less_rows_step, steps.end_step))
        climbs = (
            replace(climb, calls=(Call((step,), (0,) * len(pairs), less),)),
            Climb(still, (_END,), (Call((end,), (0,), row),)),
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
            to = Piece(
                self.outputs[name], starts, tuple(self.nu * row for row in rows), Spread(1, ends)
            )
            pieces[f"laid_{name}"] = to
        call = Call((steps.lay_step(self.width),), (0,) * self.nu, pieces)
        climb = Climb((0,) * len(starts), (*rows[1:], _END), (call,))
        return ForLoop(len(starts), (), (climb,))

    # -- arrays ----------------------------------------------------------------------------------

    def arrays(self, unmet: Sequence[int]) -> list[Array]:
        """The factor, and the matrices, which are zero where `unmet` tells so in rows of nu."""
        zero, nu = self.over.tree.zero.node, self.nu
        own = [self.matrix_pitch * (entry // nu) + entry % nu for entry in unmet]
        own += [self.matrix_pitch * k + c for k in range(nu) for c in range(nu, self.matrix_pitch)]
        beyond = [self.pitch * k + c for k in range(nu) for c in range(nu, self.pitch)]
        apart = [self.pitch * (entry // nu) + entry % nu for entry in unmet] + beyond
        places = dict.fromkeys(MATRICES, apart)
        places[MATRICES[-1]] = list(range(nu * self.pitch))
        length = nu * self.matrix_pitch
        return [
            Array(self.matrix, length, dict.fromkeys(own, zero), apart=self.width),
            Array("lower", max(len(self.pairs), 1)),
            Array("reciprocal", self.count),
            *([Array("carried_rows", 3 * self.size, width=self.width)] if self.width > 1 else []),
            *(
                Array(
                    self.into[name], nu * self.pitch, dict.fromkeys(places[name], zero),
                    apart=self.width,
                )
                for name in MATRICES
            ),
        ]  # fmt: skip
