"""Rows of constraints: what each kind gives, and the registry of kinds.

A holonomic row is an expression phi(q, t) that is to be zero, a nonholonomic one an expression
psi(q, u, t), linear in u. A new kind is one file with one function that yields its rows, and its
declaration in `eomc.derive.model.constraint`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from eomc.derive.forces.loads import Scene
from eomc.derive.graph import Expression
from eomc.derive.model.constraint import Constraint


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


Rows = Callable[[Constraint, Scene], Iterator[Row]]
_KINDS: dict[str, Rows] = {}


def register(kind: str) -> Callable[[Rows], Rows]:
    """Decorator: the function yields the rows of constraints of one kind."""

    def remember(function: Rows) -> Rows:
        _KINDS[kind] = function
        return function

    return remember


def rows(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """The rows of a declared constraint."""
    return _KINDS[constraint.kind](constraint, scene)
