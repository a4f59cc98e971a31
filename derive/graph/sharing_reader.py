"""SymPy expressions in an order in which a graph finds what their sums share."""

from __future__ import annotations

from typing import Any

import sympy as sp

from eomc.derive.graph.sympy_parts import parts
from eomc.derive.graph.sympy_reader import SympyReader


class SharingReader(SympyReader):
    """Reads short sums before long ones, which may contain them."""

    def __call__(self, expr: Any) -> int:
        """Node of one expression."""
        if isinstance(expr, sp.Expr):
            sums = [p for p in parts([expr], self._is_read) if isinstance(p, sp.Add)]
            for part in sorted(sums, key=lambda total: len(total.args)):
                super().__call__(part)
        return super().__call__(expr)

    def _is_read(self, expr: sp.Basic) -> bool:
        return expr in self._memo or self._lookup(expr) is not None
