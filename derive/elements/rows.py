"""Rows of constraints: what each is, and the scalar that is to vanish.

A holonomic row is an expression phi(q, t) that is to be zero, a nonholonomic one an expression
psi(q, u, t), linear in u.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.graph import Expression


@dataclass(frozen=True)
class Row:
    """One scalar constraint: which element it belongs to, what it holds, and its residual."""

    element: str
    label: str
    residual: Expression
    holonomic: bool = True

    @property
    def name(self) -> str:
        """For arrays and messages: <element>.<label>."""
        return f"{self.element}.{self.label}"
