"""The words of all kinds of elements, as methods and tables of models.

Type checkers and editors read them in the stub beside this file, which is made from the records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.elements.declares import Declares, Table

if TYPE_CHECKING:
    from eomc.derive.elements.element import Element

__all__ = ["Declared"]


class Declared:
    """A model by its kinds of elements: ``model.spring(...)`` declares, ``model.springs`` holds."""

    @classmethod
    def learn(cls, kind: type[Element]) -> None:
        """Make a kind known to every model, one of the user's too."""
        setattr(cls, kind.word, Declares(kind))
        setattr(cls, kind.plural.replace(" ", "_"), Table(kind))
