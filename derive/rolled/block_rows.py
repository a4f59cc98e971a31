"""Rows of blocks of columns: where their numbers stand, and how columns join them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Protocol

from eomc.derive.graph import Call, Climb, ForLoop, RolledArgument, RolledArray, RolledStep, Spread
from eomc.derive.rolled import block_steps as steps
from eomc.derive.rolled.layouts import INERTIA, PARTIALS, SPATIAL_MOTION, VECTOR
from eomc.derive.rolled.tree_axes import Make, TreeAxes

Met = Mapping[str, tuple[str, bool]]
"""Output of a step -> matrix that it goes to, and whether into rows of it; else into columns."""


class SpeedBlocks(Protocol):
    """Speeds by blocks (see `blocks`)."""

    @property
    def first(self) -> tuple[int, ...]:
        """The first speed of each block."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Speeds of each block."""

    @property
    def reach(self) -> tuple[int, int]:
        """Least and largest place, counted from the first speed of a block, of what joins it."""

    def own(self, calls: Sequence[Call]) -> Climb:
        """`calls` at the speeds of each block."""

    def others(self, calls: Sequence[Call]) -> Climb:
        """`calls` at the speeds on the way of each block behind those."""


class BlockRows:
    """Blocks of one partition over the speeds of a tree.

    pitch : numbers of a row of the matrices, the number of speeds if it is not given
    """

    def __init__(
        self, axes: TreeAxes, blocks: SpeedBlocks, width: int, pitch: int | None = None
    ) -> None:
        self.axes, self.over, self.width, self.blocks = axes, axes.over, width, blocks
        self.count, self.nu = self.over.speed_count, self.over.tree.nu
        self.still = (0,) * len(blocks.first)
        self.pitch = pitch or self.nu

    def loop(self, size: int, own: Sequence[Call], above: Sequence[Call]) -> ForLoop:
        """Over the blocks, whose columns carry so many numbers each."""
        return ForLoop(
            len(self.still), (self.clear(size),), (self.blocks.own(own), self.blocks.others(above))
        )

    def clear(self, size: int) -> Call:
        """Before a block comes, no numbers."""
        carried = {"carried": RolledArgument("carried", self.still)}
        return Call((steps.clear_step(size, self.width),), self.still, carried)

    def arrays(self, carried: int) -> list[RolledArray]:
        """Rows of so many numbers of each column, and places in them."""
        return [RolledArray("carried", carried, width=self.width), self._units()]

    def _units(self) -> RolledArray:
        """Rows that are one at the place of a speed, and zero where it is not in the block."""
        zero, one = self.over.tree.zero.node, (self.over.tree.zero + 1).node
        least, most = self.blocks.reach
        entries = {
            self.width * row + k: one if least + row == k else zero
            for row in range(most - least + 1)
            for k in range(self.width)
        }
        return RolledArray("unit", most - least + 1, entries, self.width)

    @cached_property
    def pieces(self) -> Mapping[str, RolledArgument]:
        """Arguments by name."""
        before = tuple(-first - self.blocks.reach[0] for first in self.blocks.first)
        return {
            "axis_0": self.numbers("axis", SPATIAL_MOTION.size),
            "partials": self.numbers("partials", PARTIALS.size),
            "carried": RolledArgument("carried", self.still),
            "composite": self.of_links("composite", INERTIA.size),
            "arm": self.of_links("arm", VECTOR.size),
            "unit": RolledArgument("unit", before, tuple(range(self.count))),
        }

    def numbers(self, array: str, size: int, further: int = 0) -> RolledArgument:
        """So many of each speed, or of one so much further."""
        slots = (min(k + further, self.count - 1) for k in range(self.count))
        return RolledArgument(
            array, self.still, tuple(self.axes.place(size, slot) for slot in slots)
        )

    def of_links(self, array: str, size: int) -> RolledArgument:
        """So many of the link of each speed."""
        places = tuple(self.axes.place(size, link) for link in self.over.speed_links)
        return RolledArgument(array, self.still, places)

    def join(self, size: int, array: str) -> Call:
        """Numbers of each speed at its place."""
        pieces = {**self.pieces, "added_0": self.numbers(array, size)}
        return Call((steps.join_step(size, 1, self.width),), (0,) * self.count, pieces)

    def meet(
        self, name: str, make: Callable[..., RolledStep], met: Met, symmetric: str | None
    ) -> Call:
        """The column of a speed with those of a block; forces, if there are any, into rows and
        columns of a symmetric matrix.

        Those that have not joined yet give zeros, which what they meet themselves replaces.
        """
        call = self.each_column(name, partial(make, width=self.width))
        pieces = {name: self.into(*place) for name, place in met.items()}
        copies = {}
        if symmetric is not None:
            pieces["force"] = self.into(symmetric, in_row=True)
            copies["force"] = self.into(symmetric, in_row=False)
        return replace(call, pieces={**call.pieces, **pieces}, copies=copies)

    def into(self, matrix: str, in_row: bool) -> RolledArgument:
        """Row of a speed at the columns of a block, or its column at their rows."""
        over, pitch = self.over, self.pitch
        own, apart = (pitch, 1) if in_row else (1, pitch)
        offsets = tuple(apart * over.speeds[first] for first in self.blocks.first)
        inner = tuple(own * speed for speed in over.speeds)
        return RolledArgument(matrix, offsets, inner, Spread(apart, self.blocks.sizes))

    def each_column(self, name: str, make: Make) -> Call:
        """A step of this name by kind of column."""
        found = self.axes.of_columns(name, make, self.width)
        return Call(tuple(found), self.over.column_row, self.pieces)
