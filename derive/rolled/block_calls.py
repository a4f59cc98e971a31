"""Calls of the steps on rows: blocks of columns on their way to the base (see `blocks`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from eomc.derive.graph import Array, Call, Climb, ForLoop, Piece, Spread, Step
from eomc.derive.rolled import block_steps as steps
from eomc.derive.rolled.blocks import Blocks
from eomc.derive.rolled.layouts import ASCENT, INERTIA, PARTIALS, SPATIAL, VECTOR
from eomc.derive.rolled.step_builder import RowConstants
from eomc.derive.rolled.tree_axes import TreeAxes

Met = Mapping[str, tuple[str, bool]]
"""Output of a step -> matrix that it goes to, and whether into rows of it; else into columns."""


class BlockCalls:
    """Blocks of one width over the speeds of a tree."""

    def __init__(self, axes: TreeAxes, width: int) -> None:
        self.axes, self.over, self.width = axes, axes.over, width
        over = axes.over
        self.count, self.nu = over.speed_count, over.tree.nu
        self.blocks = Blocks(over.above, over.speeds, over.speed_links, width)
        self._still = (0,) * len(self.blocks.first)

    # -- the matrices ----------------------------------------------------------------------------

    def mass_matrix(self, matrix: str) -> ForLoop:
        """Momenta that meet the columns of links."""
        meet = self._meet(steps.meet_step, {}, matrix)
        shift = self._shift(steps.shift_step(self.width))
        if self.width == 1:
            return self._one_by_one(meet, shift)
        join = self._each_column(partial(steps.momentum_step, width=self.width))
        return self._loop(SPATIAL.size, (join, meet, shift), (meet, shift))

    def _one_by_one(self, meet: Call, shift: Call) -> ForLoop:
        """Each speed, and all on its way."""
        call, order = self._each_column(steps.lone_momentum_step), self.blocks.first
        pieces = {
            name: Piece(piece.array, tuple(piece.inner[k] for k in order))
            for name, piece in call.pieces.items()
            if piece.inner
        }
        kinds = tuple(call.kinds[k] for k in order)
        begin = Call(call.steps, kinds, {**call.pieces, **pieces})
        return ForLoop(self.count, (begin,), (Climb(order, self.blocks.above, (meet, shift)),))

    def derivatives(self, by_q: str, by_u: str, by_a: str) -> ForLoop:
        """Pairs of speeds; by a, the mass matrix."""
        met = {
            "row_q": (by_q, True),
            "row_u": (by_u, True),
            "column_q": (by_q, False),
            "column_u": (by_u, False),
        }
        meet = self._meet(steps.meet_pairs_step, met, by_a)
        shift = self._shift(steps.shift_pairs_step(self.width))
        own = (self._join(ASCENT.size, "started"), meet, self._leave, shift)
        return self._loop(ASCENT.size, own, (meet, shift))

    def _loop(self, size: int, own: Sequence[Call], above: Sequence[Call]) -> ForLoop:
        """Over the blocks, whose columns carry so many numbers each."""
        carried = {"carried": Piece("carried", self._still)}
        clear = Call((steps.clear_step(size, self.width),), self._still, carried)
        return ForLoop(
            len(self._still), (clear,), (self.blocks.own(own), self.blocks.ancestors(above))
        )

    def arrays(self, carried: int) -> list[Array]:
        """Rows of so many numbers of each column, and places in them."""
        return [Array("carried", carried, width=self.width), self._units()]

    def unmet(self, matrix: str) -> Array:
        """A matrix, zero where no two columns meet."""
        zeros = dict.fromkeys(self.blocks.unmet, self.over.tree.zero.node)
        return Array(matrix, self.nu**2, zeros)

    def _units(self) -> Array:
        """Rows that are one at the place of a speed, and zero where it is not in the block."""
        zero, one = self.over.tree.zero.node, (self.over.tree.zero + 1).node
        least, most = self.blocks.reach
        entries = {
            self.width * row + k: one if least + row == k else zero
            for row in range(most - least + 1)
            for k in range(self.width)
        }
        return Array("unit", most - least + 1, entries, self.width)

    # -- calls in climbs -------------------------------------------------------------------------

    @cached_property
    def _pieces(self) -> Mapping[str, Piece]:
        """Arguments by name."""
        before = tuple(-first - self.blocks.reach[0] for first in self.blocks.first)
        return {
            "axis_0": self._numbers("axis", SPATIAL.size),
            "partials": self._numbers("partials", PARTIALS.size),
            "carried": Piece("carried", self._still),
            "composite": self._of_links("composite", INERTIA.size),
            "arm": self._of_links("arm", VECTOR.size),
            "unit": Piece("unit", before, tuple(range(self.count))),
        }

    def _numbers(self, array: str, size: int, further: int = 0) -> Piece:
        """So many of each speed, or of one so much further."""
        slots = (min(k + further, self.count - 1) for k in range(self.count))
        return Piece(array, self._still, tuple(self.axes.place(size, slot) for slot in slots))

    def _of_links(self, array: str, size: int) -> Piece:
        """So many of the link of each speed."""
        places = tuple(self.axes.place(size, link) for link in self.over.speed_links)
        return Piece(array, self._still, places)

    def _join(self, size: int, array: str) -> Call:
        """Numbers of each speed at its place."""
        pieces = {**self._pieces, "added_0": self._numbers(array, size)}
        return Call((steps.join_step(size, 1, self.width),), (0,) * self.count, pieces)

    @cached_property
    def _leave(self) -> Call:
        """At the first speed of a link, after all others: the wrench turns with all of them."""
        counts = [self.over.speed_links.count(link) for link in self.over.speed_links]
        sizes = sorted(set(counts))
        found = tuple(steps.join_step(SPATIAL.size, size, self.width) for size in sizes)
        kinds = tuple(
            sizes.index(count) if first == 0 else -1
            for count, first in zip(counts, self.over.first_of_link, strict=True)
        )
        pieces = dict(self._pieces)
        for speed in range(max(sizes)):
            pieces[f"added_{speed}"] = self._numbers("turned", SPATIAL.size, speed)
        return Call(found, kinds, pieces)

    def _shift(self, step: Step) -> Call:
        """From the first speed of a link to its parent."""
        return Call((step,), self.over.first_of_link, self._pieces)

    def _meet(
        self, make: Callable[[str, RowConstants, int], Step], met: Met, symmetric: str
    ) -> Call:
        """The column of a speed with those of a block; forces into rows and columns of a matrix.

        Those that have not joined yet give zeros, which what they meet themselves replaces.
        """
        call = self._each_column(lambda name, own: make(name, own, self.width))
        pieces = {name: self._into(*place) for name, place in met.items()}
        pieces["force"] = self._into(symmetric, in_row=True)
        copies = {"force": self._into(symmetric, in_row=False)}
        return replace(call, pieces={**call.pieces, **pieces}, copies=copies)

    def _into(self, matrix: str, in_row: bool) -> Piece:
        """Row of a speed at the columns of a block, or its column at their rows."""
        over, nu = self.over, self.nu
        own, apart = (nu, 1) if in_row else (1, nu)
        offsets = tuple(apart * over.speeds[first] for first in self.blocks.first)
        inner = tuple(own * speed for speed in over.speeds)
        return Piece(matrix, offsets, inner, Spread(apart, self.blocks.sizes))

    def _each_column(self, make: Callable[[str, RowConstants], Step]) -> Call:
        """A step by kind of column."""
        over = self.over
        kinds = zip(over.column_kinds, over.column_numbers, strict=True)
        found = tuple(make(name, own) for name, own in kinds)
        return Call(found, over.column_row, self._pieces)
