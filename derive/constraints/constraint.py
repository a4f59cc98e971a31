"""Constraints as records: what each kind takes, which bodies it holds, and its rows.

A kind is one class under `constraint`, with its fields and the rows that it gives::

    @constraint("coincident")
    class Coincident(Constraint):
        a: AtPoint = point()
        b: AtPoint = point()

        def rows(self, scene): ...
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from eomc.derive.elements.element import Element, element
from eomc.derive.elements.fields import fields_of
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.kind_files import KindFiles
from eomc.derive.language.naming import WORLD
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, symbols_of
from eomc.derive.language.value import value_of

if TYPE_CHECKING:
    from eomc.derive.constraints.rows import Row
    from eomc.derive.scene.loads import Scene

__all__ = ["Constraint", "check_length", "constraint", "constraint_kinds", "declared_constraint"]


@element("constraint")
class Constraint(Element):
    """An element that holds bodies, coordinates or speeds by rows."""

    kind: ClassVar[str]
    unilateral_rows: ClassVar[tuple[str, ...]] = ()
    """Labels of the rows whose multiplier is minus the tension of what can only pull."""

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


Kind = TypeVar("Kind", bound=Constraint)
_FILES = KindFiles("@constraint", "eomc.derive.constraints")
_KINDS: dict[str, type[Constraint]] = {}


def constraint(kind: str) -> Callable[[type[Kind]], type[Kind]]:
    """Decorator: the class is the record of a kind of constraint, known to files as `kind`."""

    def made(cls: type[Kind]) -> type[Kind]:
        _FILES.load(kind)
        _KINDS[kind] = cls = dataclasses.dataclass(frozen=True)(cls)
        cls.kind = kind
        return cls

    return made


def constraint_kinds() -> tuple[str, ...]:
    """Names of all kinds, those of this package first."""
    return tuple(dict.fromkeys([*_FILES.module, *_KINDS]))


def declared_constraint(
    name: str, kind: str, given: Mapping[str, Any], source: Source | None
) -> Constraint:
    """The constraint of a kind with these arguments.

    Raises `ModelError` for an unknown kind, and for an argument that it lacks or does not take.
    """
    _FILES.load(kind)
    known = _KINDS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise ModelError(f"unknown kind {kind!r}; {near_names(str(kind), constraint_kinds())}")
    takes = fields_of(known)
    for word in given:
        if word not in takes:
            raise ModelError(f"kind {kind!r} takes no {word}; it takes {', '.join(takes)}")
    for entry in dataclasses.fields(known):
        required = entry.default is dataclasses.MISSING and entry.name in takes
        if required and given.get(entry.name) is None:
            raise ModelError(f"kind {kind!r} needs {entry.name}")
    return known(name, source=source, **given)


def check_length(length: Scalar, values: Mapping[str, float], advice: str = "") -> None:
    """Raise `ModelError` unless a length that stays is positive."""
    if "t" not in symbols_of(length) and not (found := value_of(length, values)) > 0:
        raise ModelError(f"length is {found:g}; give a positive one{advice}")
