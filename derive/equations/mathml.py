"""Equations as MathML, by SymPy's printer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def mathml(lines: Sequence[tuple[Any, Any]]) -> str:
    """Equations ``name = expression`` one below the other.

    >>> import sympy as sp
    >>> text = mathml([("T", sp.Symbol("m") / 2)])
    >>> text.startswith('<math display="block"') and "<mfrac>" in text
    True
    """
    import sympy as sp

    def printed(value: Any) -> str:
        text: str = sp.mathml(value, printer="presentation", mul_symbol="&InvisibleTimes;")
        return text

    rows = [
        f"<mtr><mtd>{printed(sp.Symbol(name) if isinstance(name, str) else name)}</mtd>"
        f'<mtd><mo>=</mo></mtd><mtd style="text-align:left">{printed(value)}</mtd></mtr>'
        for name, value in lines
    ]
    table = f'<mtable displaystyle="true">{"".join(rows)}</mtable>'
    return f'<math display="block" style="width:max-content">{table}</math>'
