"""Pieces of a C function that count what they touch of arrays from places near by.

A compiler that knew where in the array such a place is would count from the beginning of the array
again; the function of ``templates/base.c`` hides it.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.displacement import Block, places
from eomc.codegen.plan.identifiers import Names
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill
from eomc.derive.graph.tuning import COUNTED_VECTOR, REACH

Mention = tuple[int, int, Block, int]
"""Columns of a line from the name of an array to the end of its index; the block, and the index."""
Called = dict[Block, list[tuple[range, str]]]
"""Names of the places of blocks, and the lines for which they stand."""


def base_definition(face: Interface) -> str:
    """Definition of the function that hides a place."""
    return fill("base.c", m=face.prefix)


class NearPlaces:
    """Places of one piece.

    face : of the model
    arrays : that have places, and their lengths
    wide : macro that names vectors of 64 bytes, of which a place has more in reach, if there is one
    """

    def __init__(self, face: Interface, arrays: Mapping[str, int], wide: str | None = None) -> None:
        self.face, self.arrays = face, arrays
        self._before = None if wide is None else f"{wide}("
        self._size = 2 * REACH // face.real.bytes
        names = "|".join(map(re.escape, arrays))
        self._mention = re.compile(rf"\b({names})(?:\[|, )(\d+)")

    def counted(self, lines: Sequence[str], names: Iterable[str]) -> list[str]:
        """The lines of the piece, with places whose names are none of these."""
        mentions = [list(self._mentions(line)) for line in lines]
        every = [(number, each[2]) for number, own in enumerate(mentions) for each in own]
        taken, called = Names(names), Called()
        beginning: dict[int, list[str]] = {}
        for count, (during, block) in zip(itertools.count(1), places(every), strict=False):
            name = taken.take(f"base{count}")
            called.setdefault(block, []).append((during, name))
            hidden = f"{self.face.prefix}_base(&{block.array}[{self._middle(block)}])"
            text = f"{INDENT}{self.face.real_type} *const {name} = {hidden};"
            beginning.setdefault(during.start, []).append(text)
        made: list[str] = []
        for number, (line, own) in enumerate(zip(lines, mentions, strict=True)):
            made += beginning.get(number, ())
            made.append(self._near(line, number, own, called) if own else line)
        return made

    def _middle(self, block: Block) -> int:
        """The index to count from: no pointer leads beyond the end of an array."""
        return min(block.middle, self.arrays[block.array])

    def _mentions(self, line: str) -> Iterator[Mention]:
        for found in self._mention.finditer(line):
            array, index = found[1], int(found[2])
            begin = found.start()
            is_wide = self._before is not None and line.endswith(self._before, 0, begin)
            size = self._size * COUNTED_VECTOR if is_wide else self._size
            yield begin, found.end(), Block(array, size, index // size), index

    def _near(self, line: str, number: int, mentions: Iterable[Mention], called: Called) -> str:
        """The line with the names of places."""
        parts, done = [], 0
        for begin, end, block, index in mentions:
            name = next((name for during, name in called.get(block, ()) if number in during), None)
            if name is not None:
                mark = "[" if line[begin + len(block.array)] == "[" else ", "
                parts += [line[done:begin], name, mark, str(index - self._middle(block))]
                done = end
        return "".join([*parts, line[done:]])
