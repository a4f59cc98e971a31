"""Calls of the steps on rows: blocks of columns on their way to the base (see `blocks`)."""

from __future__ import annotations

from functools import cached_property, partial

from eomc.derive.graph import Call, Climb, ForLoop, RolledArgument, RolledStep
from eomc.derive.rolled import block_steps as steps
from eomc.derive.rolled.block_rows import BlockRows
from eomc.derive.rolled.blocks import Blocks
from eomc.derive.rolled.layouts import ASCENT, SPATIAL_MOTION
from eomc.derive.rolled.tree_axes import TreeAxes


class BlockCalls(BlockRows):
    """Blocks of one width over the speeds of a tree."""

    def __init__(self, axes: TreeAxes, width: int, pitch: int | None = None) -> None:
        over = axes.over
        self.ways = Blocks(over.above, over.speeds, over.speed_links, width)
        super().__init__(axes, self.ways, width, pitch)

    # -- the matrices ----------------------------------------------------------------------------

    def mass_matrix(self, matrix: str) -> ForLoop:
        """Momenta that meet the columns of links."""
        meet = self.meet("meet", steps.meet_step, {}, matrix)
        shift = self._shift(steps.shift_step(self.width))
        if self.width == 1:
            return self._one_by_one(meet, shift)
        join = self.each_column("momentum", partial(steps.momentum_step, width=self.width))
        return self.loop(SPATIAL_MOTION.size, (join, meet, shift), (meet, shift))

    def _one_by_one(self, meet: Call, shift: Call) -> ForLoop:
        """Each speed, and all on its way."""
        call, order = self.each_column("lone momentum", steps.lone_momentum_step), self.blocks.first
        pieces = {
            name: RolledArgument(piece.array, tuple(piece.inner[k] for k in order))
            for name, piece in call.pieces.items()
            if piece.inner
        }
        kinds = tuple(call.kinds[k] for k in order)
        begin = Call(call.steps, kinds, {**call.pieces, **pieces})
        return ForLoop(self.count, (begin,), (Climb(order, self.ways.above, (meet, shift)),))

    def derivatives(self, by_q: str, by_u: str, by_a: str | None) -> ForLoop:
        """Pairs of speeds; by a, the mass matrix, if it is asked for."""
        met = {
            "row_q": (by_q, True),
            "row_u": (by_u, True),
            "column_q": (by_q, False),
            "column_u": (by_u, False),
        }
        with_force = by_a is not None
        make = partial(steps.meet_pairs_step, with_force=with_force)
        meet = self.meet("pairs" if with_force else "changes", make, met, by_a)
        shift = self._shift(steps.shift_pairs_step(self.width))
        own = (self.join(ASCENT.size, "started"), meet, self._leave, shift)
        return self.loop(ASCENT.size, own, (meet, shift))

    # -- calls in climbs -------------------------------------------------------------------------

    @cached_property
    def _leave(self) -> Call:
        """At the first speed of a link, after all others: the wrench turns with all of them."""
        counts = [self.over.speed_links.count(link) for link in self.over.speed_links]
        sizes = sorted(set(counts))
        found = tuple(steps.join_step(SPATIAL_MOTION.size, size, self.width) for size in sizes)
        kinds = tuple(
            sizes.index(count) if first == 0 else -1
            for count, first in zip(counts, self.over.first_of_link, strict=True)
        )
        pieces = dict(self.pieces)
        for speed in range(max(sizes)):
            pieces[f"added_{speed}"] = self.numbers("turned", SPATIAL_MOTION.size, speed)
        return Call(found, kinds, pieces)

    def _shift(self, step: RolledStep) -> Call:
        """From the first speed of a link to its parent."""
        return Call((step,), self.over.first_of_link, self.pieces)
