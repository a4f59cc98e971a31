"""Functions as for-loops: the same values as an unrolled expression, in code that does not grow.

Bodies of one kind take the same operations on different numbers. A `Step` states these operations
once, on a small graph of its own; a `ForLoop` calls it for row after row of its tables, which tell
where in which array each argument of the step stands. Arrays hold the numbers of the bodies and
what the steps pass on to one another. A new recursion is data: nothing here knows of bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eomc.derive.graph.node import Graph

if TYPE_CHECKING:
    from eomc.derive.graph.function import Function


@dataclass(frozen=True)
class Step:
    """One turn of a for-loop: a function on a graph of its own.

    An output of the same name as an input changes that array in place. Names are unique among the
    steps of a program.
    """

    graph: Graph
    function: Function

    @property
    def name(self) -> str:
        """Of the function."""
        return self.function.name


@dataclass(frozen=True)
class Piece:
    """Place of an argument: the array, and the offset in it at each turn of the loop.

    Inside a climb the offset by its row, `inner`, is added.
    """

    array: str
    offsets: tuple[int, ...]
    inner: tuple[int, ...] = ()


@dataclass(frozen=True)
class Call:
    """The steps of one place in a loop: `kinds` tells which one at each turn, -1 for none.

    `pieces` gives the arguments by name; each step takes those that it has.
    """

    steps: tuple[Step, ...]
    kinds: tuple[int, ...]
    pieces: Mapping[str, Piece]


@dataclass(frozen=True)
class Climb:
    """An inner loop over rows ``first[i]``, ``following[first[i]]``, ... while not negative.

    The kinds of its calls go by its rows.
    """

    first: tuple[int, ...]
    following: tuple[int, ...]
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class ForLoop:
    """Calls, then the climb, for each of so many turns in order, or backward."""

    turns: int
    calls: tuple[Call, ...] = ()
    climb: Climb | None = None
    backward: bool = False


@dataclass(frozen=True)
class Array:
    """Numbers that steps read and write; an input or output of the function if it has that name.

    `start` gives entries their first values, nodes of the program's graph; other entries are
    written before they are read. An array of constants that no step writes is a table.
    """

    name: str
    size: int
    start: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Rolled:
    """Arrays and the for-loops over them, in the order in which they run."""

    arrays: tuple[Array, ...]
    loops: tuple[ForLoop, ...]
