"""Pieces of a C function that count what they touch of arrays from places near by.

A compiler that knew where in the array such a place is would count from the beginning of the array
again; the function of ``templates/base.c`` hides it.
"""

import itertools
import re
from collections.abc import Iterable, Sequence

from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.displacement import COUNTED, REACH, Block, places
from eomc.codegen.plan.identifiers import Names
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill

Called = dict[Block, list[tuple[range, str]]]
"""Names of the places of blocks, and the lines for which they stand."""


def base_definition(face: Interface) -> str:
    """Definition of the function that hides a place."""
    return fill("base.c", m=face.prefix)


class NearPlaces:
    """Places of one piece.

    face : of the model
    arrays : that have places
    wide : macro that names vectors of 64 bytes, of which a place has more in reach, if there is one
    """

    def __init__(self, face: Interface, arrays: Iterable[str], wide: str | None = None) -> None:
        self.face, self.wide = face, wide
        self._size = 2 * REACH // face.real.bytes
        names = "|".join(map(re.escape, arrays))
        self._mention = re.compile(rf"((?:(\w+)\()?&?)\b({names})(\[|, )(\d+)")

    def counted(self, lines: Sequence[str], names: Iterable[str]) -> list[str]:
        """The lines of the piece, with places whose names are none of these."""
        mentions = [
            (number, self._block(*mention[1:3], int(mention[4])))
            for number, line in enumerate(lines)
            for mention in self._mention.findall(line)
        ]
        taken, called = Names(names), Called()
        beginning: dict[int, list[str]] = {}
        for count, (during, block) in zip(itertools.count(1), places(mentions), strict=False):
            name = taken.take(f"base{count}")
            called.setdefault(block, []).append((during, name))
            hidden = f"{self.face.prefix}_base(&{block.array}[{block.middle}])"
            text = f"{INDENT}{self.face.real_type} *const {name} = {hidden};"
            beginning.setdefault(during.start, []).append(text)
        made: list[str] = []
        for number, line in enumerate(lines):
            made += beginning.get(number, ())
            made.append(self._near(line, number, called))
        return made

    def _block(self, macro: str | None, array: str, index: int) -> Block:
        is_wide = bool(macro) and macro == self.wide
        size = self._size * COUNTED if is_wide else self._size
        return Block(array, size, index // size)

    def _near(self, line: str, number: int, called: Called) -> str:
        def counted(mention: re.Match[str]) -> str:
            before, macro, array, mark, index = mention.groups()
            block = self._block(macro, array, int(index))
            for during, name in called.get(block, ()):
                if number in during:
                    return f"{before}{name}{mark}{int(index) - block.middle}"
            return mention[0]

        return self._mention.sub(counted, line)
