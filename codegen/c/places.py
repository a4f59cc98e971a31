"""Pieces of a C function that count what they touch of the work array from places near by.

A compiler that knew where in the array such a place is would count from the beginning of the array
again; the function of ``templates/base.c`` hides it.
"""

import itertools
import re
from collections.abc import Iterable, Sequence

from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.displacement import COUNTED, REACH, Place, places
from eomc.codegen.plan.identifiers import Names
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill

_MENTION = re.compile(r"((?:(\w+)\()?)\bwork(\[|, )(\d+)")
Called = dict[tuple[bool, int], list[tuple[Place, str]]]
"""Places with their names by their block; those of vectors of 64 bytes apart."""


def base_definition(face: Interface) -> str:
    """Definition of the function that hides a place."""
    return fill("base.c", m=face.prefix)


class NearPlaces:
    """Places of one piece.

    face : of the model
    wide : macro that names vectors of 64 bytes, of which a place has more in reach, if there is one
    """

    def __init__(self, face: Interface, wide: str | None = None) -> None:
        self.face, self.wide = face, wide
        size = face.real.bytes
        self._block = {False: 2 * REACH // size, True: 2 * REACH * COUNTED // size}

    def counted(self, lines: Sequence[str], names: Iterable[str]) -> list[str]:
        """The lines of the piece, with places whose names are none of these."""
        called = self._called(lines, Names(("work", *names)))
        beginning: dict[int, list[str]] = {}
        every = [each for own in called.values() for each in own]
        for place, name in sorted(every, key=lambda each: (each[0].lines.start, each[0].index)):
            hidden = f"{self.face.prefix}_base(&work[{place.index}])"
            text = f"{INDENT}{self.face.real_type} *const {name} = {hidden};"
            beginning.setdefault(place.lines.start, []).append(text)
        made: list[str] = []
        for number, line in enumerate(lines):
            made += beginning.get(number, ())
            made.append(self._near(line, number, called) if "work" in line else line)
        return made

    def _called(self, lines: Sequence[str], taken: Names) -> Called:
        mentions: dict[bool, list[tuple[int, int]]] = {False: [], True: []}
        for number, line in enumerate(lines):
            for _, macro, _, index in _MENTION.findall(line) if "work" in line else ():
                mentions[macro == self.wide].append((number, int(index)))
        found: Called = {}
        number = itertools.count(1)
        for wide, block in self._block.items():
            for place in places(mentions[wide], block):
                own = found.setdefault((wide, place.index // block), [])
                own.append((place, taken.take(f"base{next(number)}")))
        return found

    def _near(self, line: str, number: int, called: Called) -> str:
        def counted(mention: re.Match[str]) -> str:
            before, macro, mark, index = mention.groups()
            wide = macro is not None and macro == self.wide
            for place, name in called.get((wide, int(index) // self._block[wide]), ()):
                if number in place.lines:
                    return f"{before}{name}{mark}{int(index) - place.index}"
            return mention[0]

        return _MENTION.sub(counted, line)
