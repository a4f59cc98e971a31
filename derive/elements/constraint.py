"""Constraints as records: what each kind takes, which bodies it holds, and its rows.

A kind is one class under `kind`, with its fields and the rows that it gives::

    @kind("coincident")
    class Coincident(Constraint):
        a: AtPoint = point()
        b: AtPoint = point()

        def rows(self, scene): ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from eomc.derive.elements.element import Element
from eomc.derive.fields.field import check_given
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.naming import WORLD
from eomc.derive.language.registry import Registry, kind
from eomc.derive.language.scalar import Scalar, symbols_of
from eomc.derive.language.value import value_of

if TYPE_CHECKING:
    from eomc.derive.elements.rows import Row
    from eomc.derive.scene.loads import Scene

__all__ = ["CONSTRAINTS", "Constraint", "check_length", "declared_constraint"]


CONSTRAINTS: Registry[type[Constraint]] = Registry("kind", "eomc.derive.constraints")


@kind("constraint")
class Constraint(Element):
    """An element that holds bodies, coordinates or speeds by rows."""

    kinds = CONSTRAINTS
    kind: ClassVar[str]
    unilateral_rows: ClassVar[tuple[str, ...]] = ()
    """Labels of the rows whose multiplier is minus the tension of what can only pull."""

    @staticmethod
    def named(made: type[Any], word: str, plural: str = "") -> None:
        """Remember the word of a kind."""
        made.kind = word

    def rows(self, scene: Scene) -> Iterator[Row]:
        """Its rows on the graph."""
        raise NotImplementedError

    @property
    def sides(self) -> tuple[str, str] | None:
        """The two bodies that it holds together, the world first if it names one; None if it acts
        on coordinates."""
        named = self.bodies()
        if not named:
            return None
        first, second = named if len(named) == 2 else (WORLD, *named)
        return first, second


def declared_constraint(
    name: str, kind: str, given: Mapping[str, Any], source: Source | None
) -> Constraint:
    """The constraint of a kind with these arguments.

    Raises `ModelError` for an unknown kind, and for an argument that it lacks or does not take.
    """
    made = CONSTRAINTS.find(kind)
    check_given(made, kind, given)
    return made(name, source=source, **given)


def check_length(length: Scalar, values: Mapping[str, float], advice: str = "") -> None:
    """Raise `ModelError` unless a length that stays is positive."""
    if "t" not in symbols_of(length) and not (found := value_of(length, values)) > 0:
        raise ModelError(f"length is {found:g}; give a positive one{advice}")
