"""Equations as MathML, by SymPy's printer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import Any

from eomc.derive.equations.written_symbols import WrittenSymbol, written_symbol

_DOTS = {1: "&#x2D9;", 2: "&#xA8;"}


def mathml(
    lines: Sequence[tuple[Any, Any]], symbols: Mapping[str, WrittenSymbol] | None = None
) -> str:
    """Equations ``name = expression`` one below the other.

    symbols : how symbols are written, by name, if not by `written_symbol`

    >>> import sympy as sp
    >>> text = mathml([("T", sp.Symbol("m") / 2)])
    >>> text.startswith('<math display="block"') and "<mfrac>" in text
    True
    """
    import sympy as sp

    printer = _printer()({"mul_symbol": "&InvisibleTimes;"})
    printer.symbols = symbols or {}

    def printed(value: Any) -> str:
        text: str = printer.doprint(sp.sympify(value))
        return text

    rows = [
        f"<mtr><mtd>{printed(sp.Symbol(name) if isinstance(name, str) else name)}</mtd>"
        f'<mtd><mo>=</mo></mtd><mtd style="text-align:left">{printed(value)}</mtd></mtr>'
        for name, value in lines
    ]
    table = f'<mtable displaystyle="true">{"".join(rows)}</mtable>'
    return f'<math display="block" style="width:max-content">{table}</math>'


@cache
def _printer() -> Any:
    """Class of the printer; SymPy's writes names into the markup as they are."""
    from sympy.printing.mathml import MathMLPresentationPrinter
    from sympy.printing.pretty.pretty_symbology import greek_unicode

    class MathmlPrinter(MathMLPresentationPrinter):  # type: ignore[misc]
        symbols: Mapping[str, WrittenSymbol]

        def _print_Symbol(self, symbol: Any, style: str = "plain") -> Any:
            written = self.symbols.get(symbol.name) or written_symbol(symbol.name)
            base = self._text("mi", written.base)
            if written.dots:
                base = self._element("mover", base, self._mark(_DOTS[written.dots]))
            below, above = (self._row(part) for part in (written.below, written.above))
            if below is not None and above is not None:
                return self._element("msubsup", base, below, above)
            if below is not None or above is not None:
                return self._element("msub" if above is None else "msup", base, below or above)
            return base

        def _element(self, tag: str, *children: Any) -> Any:
            element = self.dom.createElement(tag)
            for child in children:
                element.appendChild(child)
            return element

        def _text(self, tag: str, text: str) -> Any:
            escaped = escape(greek_unicode.get(text, text))
            return self._element(tag, self.dom.createTextNode(escaped))

        def _mark(self, entity: str) -> Any:
            return self._element("mo", self.dom.createTextNode(entity))

        def _row(self, indices: Sequence[str]) -> Any:
            parts = [self._text("mi", index) for index in indices]
            return parts[0] if len(parts) == 1 else self._element("mrow", *parts) if parts else None

    return MathmlPrinter
