"""Functions as for-loops: the same values as an unrolled expression, in code that does not grow.

Bodies of one kind take the same operations on different numbers. A `RolledStep` states these
operations once, on a small graph of its own; a `ForLoop` calls it for row after row of its tables,
which tell where in which array each argument of the step stands. Arrays hold the numbers of the
bodies and what the steps pass on to one another. A new recursion is data: nothing here knows of
bodies.

Rows are so many numbers side by side that take the same operations: a step may take some of its
arguments as rows, and reads in its graph as if each were a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from eomc.derive.graph.node import Graph
from eomc.derive.graph.traverse import flops

if TYPE_CHECKING:
    from eomc.derive.graph.function import Function


@dataclass(frozen=True)
class RolledStep:
    """One turn of a for-loop: a function on a graph of its own.

    An output of the same name as an input changes that array in place. Names are unique among the
    steps of a program. The entries of arguments named in `rows` are rows of `width` numbers; with
    `any_width` steps of all widths differ in nothing else, and stand once.
    """

    graph: Graph
    function: Function
    rows: frozenset[str] = frozenset()
    width: int = 1
    any_width: bool = False

    @property
    def name(self) -> str:
        """Of the function."""
        return self.function.name


@dataclass(frozen=True)
class Spread:
    """The places of the numbers of a row one by one in an array of numbers, in a climb.

    Number k goes to ``apart * k`` past the offset, for all k below `end`, by the turn of the loop.
    """

    apart: int
    end: tuple[int, ...]


@dataclass(frozen=True)
class RolledArgument:
    """Place of an argument: the array, and the offset in it at each turn of the loop.

    Inside a climb the offset by its row, `inner`, is added. An output that is one row may be
    `spread`.
    """

    array: str
    offsets: tuple[int, ...]
    inner: tuple[int, ...] = ()
    spread: Spread | None = None


@dataclass(frozen=True)
class Call:
    """The steps of one place in a loop: `kinds` tells which one at each turn, -1 for none.

    `pieces` gives the arguments by name; each step takes those that it has. `copies` are further
    places of outputs that are spread.
    """

    steps: tuple[RolledStep, ...]
    kinds: tuple[int, ...]
    pieces: Mapping[str, RolledArgument]
    copies: Mapping[str, RolledArgument] = field(default_factory=dict)


@dataclass(frozen=True)
class Climb:
    """An inner loop over rows ``first[i]``, ``following[first[i]]``, ... while not negative.

    The kinds of its calls go by its rows.
    """

    first: tuple[int, ...]
    following: tuple[int, ...]
    calls: tuple[Call, ...]

    @property
    def visits(self) -> list[int]:
        """Number of visits of each row in all turns of the loop."""
        counts = [0] * len(self.following)
        for row in self.first:
            while row >= 0:
                counts[row] += 1
                row = self.following[row]
        return counts


@dataclass(frozen=True)
class ForLoop:
    """Calls, then the climbs, for each of so many turns in order, or backward."""

    turns: int
    calls: tuple[Call, ...] = ()
    climbs: tuple[Climb, ...] = ()
    backward: bool = False


@dataclass(frozen=True)
class RolledTurns:
    """Sines, then cosines, of the first `count` numbers of an array, behind them in it."""

    array: str
    count: int


@dataclass(frozen=True)
class RolledArray:
    """Numbers that steps read and write; an input or output of the function if it has that name.

    `start` gives entries their first values, nodes of the program's graph; other entries are
    written before they are read. An array of constants that no step writes is a table. Of an array
    of rows of `width` numbers, size and offsets count rows, and entries the numbers in them. The
    entries of one argument stand `apart`: that of many bodies side by side, a step on rows takes
    neighbours.
    """

    name: str
    size: int
    start: Mapping[int, int] = field(default_factory=dict)
    width: int = 1
    apart: int = 1


@dataclass(frozen=True)
class Rolled:
    """Arrays and the for-loops over them, in the order in which they run."""

    arrays: tuple[RolledArray, ...]
    loops: tuple[ForLoop | RolledTurns, ...]

    @property
    def operations(self) -> int:
        """Operations of all turns, those on a row counted once; without first values of arrays."""
        total = 0
        for loop in self.loops:
            if isinstance(loop, ForLoop):
                total += sum(_operations(call, [1] * loop.turns) for call in loop.calls)
                for climb in loop.climbs:
                    total += sum(_operations(call, climb.visits) for call in climb.calls)
        return total

    @property
    def calls(self) -> list[Call]:
        """Of all loops, and of the climbs in them that go somewhere."""
        loops = [loop for loop in self.loops if isinstance(loop, ForLoop)]
        found = [call for loop in loops for call in loop.calls]
        climbs = [climb for loop in loops for climb in loop.climbs if max(climb.first) >= 0]
        return found + [call for climb in climbs for call in climb.calls]


def _operations(call: Call, visits: Sequence[int]) -> int:
    """Of a call whose rows are met so often."""
    each = [flops(step.graph, step.function.nodes) for step in call.steps]
    met = zip(call.kinds, visits, strict=True)
    return sum(each[kind] * count for kind, count in met if kind >= 0)
