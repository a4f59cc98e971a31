"""Symbols of equations as they are written: Greek letters, indices, dots of rates, plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from eomc.derive.graph import Argument

_ORDER = {"q": 0, "u": 1, "a": 2}


@dataclass(frozen=True)
class WrittenSymbol:
    """A symbol in its parts.

    Attributes
    ----------
    base : str
        A letter, a word, the name of a Greek letter, or any other text.
    above, below : tuple of str
        Superscripts and subscripts.
    dots : int
        Order of the derivative with respect to time.
    """

    base: str
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    dots: int = 0

    def latex(self) -> str:
        r"""LaTeX of the symbol; no character of a name is taken for markup.

        >>> written_symbol("theta1").latex(), WrittenSymbol("arm", dots=2).latex()
        ('\\theta_{1}', '\\ddot{\\mathrm{arm}}')
        >>> written_symbol(r"\href{x}").latex()
        '\\backslash{}\\mathrm{href}\\{x\\}'
        """
        text = _latex(self.base)
        if self.dots:
            text = f"\\{'d' * self.dots}ot{{{text}}}"
        for mark, indices in (("^", self.above), ("_", self.below)):
            text += f"{mark}{{{' '.join(map(_latex, indices))}}}" if indices else ""
        return text


def written_symbol(name: str) -> WrittenSymbol:
    """The symbol `name` in its parts, by SymPy's rules: ``a_1``, ``theta1``, ``x^2_i``.

    >>> written_symbol("l_1")
    WrittenSymbol(base='l', above=(), below=('1',), dots=0)
    """
    from sympy.printing.conventions import split_super_sub

    if not all(part.isalnum() for part in name.replace("^", "_").split("_")):
        return WrittenSymbol(name)
    base, above, below = split_super_sub(name)
    return WrittenSymbol(base, tuple(above), tuple(below))


def motions(inputs: Sequence[Argument]) -> dict[str, WrittenSymbol]:
    """Coordinates and those of their derivatives that are speeds, by their names in SymPy.

    A speed that is the rate of a coordinate has its name: ``u_arm`` is the rate of ``arm``.
    """
    rows = {argument.name: argument.rows for argument in inputs}
    return {
        f"{name}_{row}": replace(written_symbol(row), dots=order)
        for name, order in _ORDER.items()
        for row in rows.get(name, ())
        if row in rows.get("q", ())
    }


_MARKS = {"\\": r"\backslash{}", "^": r"{\wedge}", "~": r"{\sim}", "<": r"\langle{}"}
_MARKS |= {">": r"\rangle{}", " ": r"\ "} | {mark: f"\\{mark}" for mark in "{}$&#%_"}


def _latex(part: str) -> str:
    """A letter, number or Greek letter as it is, a word upright, and all marks escaped."""
    from sympy.printing.latex import greek_letters_set, tex_greek_dictionary

    if part in greek_letters_set:
        return tex_greek_dictionary.get(part) or f"\\{part}"
    text, word = "", ""
    for letter in part:
        if letter in _MARKS:
            text += _upright(word) + _MARKS[letter]
            word = ""
        else:
            word += letter
    return text + _upright(word)


def _upright(word: str) -> str:
    return word if len(word) < 2 or word.isdigit() else f"\\mathrm{{{word}}}"
