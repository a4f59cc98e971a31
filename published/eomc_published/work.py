"""A published work with its cases and figures, found by name."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from eomc_published.case import Case

Draw = Callable[[Path], None]

_HERE = Path(__file__).parent


class UnknownReferenceError(ValueError):
    """There is no reference, or no case of it, by that name."""


@dataclass(frozen=True)
class Figure:
    """A picture that belongs to cases; `draw` writes it to the path it is given."""

    name: str
    title: str
    cases: tuple[int, ...]
    draw: Draw = field(compare=False, repr=False)


@dataclass(frozen=True)
class PublishedWork:
    """A published work: citation, cases in order of their numbers, figures."""

    name: str
    title: str
    citation: str
    cases: tuple[Case, ...]
    figures: tuple[Figure, ...] = ()

    def __post_init__(self) -> None:
        numbers = [case.number for case in self.cases]
        if numbers != sorted(set(numbers)):
            raise ValueError(f"reference {self.name!r}: case numbers must increase: {numbers}")

    def select(self, numbers: Iterable[int] | None = None) -> tuple[Case, ...]:
        """The cases of these numbers, all by default. Raises UnknownReferenceError."""
        if numbers is None:
            return self.cases
        wanted = set(numbers)
        known = {case.number for case in self.cases}
        for number in sorted(wanted - known):
            raise UnknownReferenceError(
                f"{self.name} has no case {number}; there are {_ranges(sorted(known))}"
            )
        return tuple(case for case in self.cases if case.number in wanted)

    def figures_of(self, numbers: Iterable[int]) -> tuple[Figure, ...]:
        """Figures that belong to one of the cases."""
        wanted = set(numbers)
        return tuple(figure for figure in self.figures if wanted & set(figure.cases))


def _ranges(numbers: list[int]) -> str:
    """``"1-18, 20"``"""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{p[0]}-{p[-1]}" if len(p) > 1 else str(p[0]) for p in parts)


def model_file(name: str) -> Path:
    """Model file of an example of eomc.

    >>> model_file("pendulum").is_file()
    True
    """
    return _HERE / "models" / f"{name}.toml"


def names() -> tuple[str, ...]:
    """Names of all references: the packages beside this file.

    >>> "moosavian" in names()
    True
    """
    found = (info.name for info in pkgutil.iter_modules([str(_HERE)]) if info.ispkg)
    return tuple(sorted(found))


def reference(name: str) -> PublishedWork:
    """The reference `name`; its cases are not evaluated. Raises UnknownReferenceError."""
    if name not in names():
        raise UnknownReferenceError(f"no reference {name!r}; there are: {', '.join(names())}")
    found: PublishedWork = import_module(f"eomc_published.{name}").REFERENCE
    return found
