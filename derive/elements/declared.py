"""The words of all kinds of elements, as methods and tables of models.

Type checkers and editors read them in the stub beside this file, which is made from the records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eomc.derive.elements.declares import Declares, Table
from eomc.derive.elements.kinds import ELEMENTS

if TYPE_CHECKING:
    from eomc.derive.elements.element import Element

__all__ = ["Declared"]


class _Unread:
    """The method of a kind whose file is not imported yet: asked for, it imports the file, which
    puts the method itself into this place."""

    def __init__(self, word: str) -> None:
        self.word = word

    def __get__(self, model: object | None, owner: type) -> Any:
        ELEMENTS.find(self.word)
        return getattr(owner if model is None else model, self.word)


class Declared:
    """A model by its kinds of elements: ``model.spring(...)`` declares, ``model.springs`` holds."""

    @classmethod
    def learn(cls, kind: type[Element]) -> None:
        """Make a kind known to every model, one of the user's too."""
        setattr(cls, kind.word, Declares(kind))
        setattr(cls, kind.plural.replace(" ", "_"), Table(kind))


def _expect(word: str, plural: str = "") -> None:
    """Methods and tables of a kind of this package, before its file is imported."""
    setattr(Declared, word, _Unread(word))
    setattr(Declared, (plural or f"{word}s").replace(" ", "_"), Table(word))


for _, (_word, *_), _plural in ELEMENTS.lines:
    _expect(_word, _plural)
