"""Functions along a rod that carry one component of its strain.

All are functions of s = X / L in [0, 1]. Where a basis has kinks, the rod is integrated piece by
piece.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

__all__ = ["StrainBasis", "basis_names", "strain_basis"]

MOST_MONOMIALS = 4
MOST_FUNCTIONS = 50
"""A rod of more polynomials takes minutes to derive; knots or breaks divide it instead."""


class StrainBasis(ABC):
    """`size` functions of s."""

    name: ClassVar[str]
    arguments: ClassVar[tuple[str, ...]]
    kinks: tuple[float, ...] = ()

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of functions."""

    @property
    def per_piece(self) -> int:
        """Number of functions that are not zero between two neighbouring kinks."""
        return self.size

    @abstractmethod
    def __call__(self, s: float) -> list[float]:
        """The functions at s."""


_BASES: dict[str, type[StrainBasis]] = {}


def _register(basis: type[StrainBasis]) -> type[StrainBasis]:
    _BASES[basis.name] = basis
    return basis


def basis_names() -> tuple[str, ...]:
    """Names of all bases.

    >>> basis_names()
    ('legendre', 'polynomial', 'b-spline')
    """
    return tuple(_BASES)


@_register
@dataclass(frozen=True)
class Legendre(StrainBasis):
    """Legendre polynomials P_0 to P_(functions - 1) of 2 s - 1: orthogonal, for any number."""

    functions: Any

    name = "legendre"
    arguments = ("functions",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "functions", count(self.functions, "functions", 1, MOST_FUNCTIONS))

    @property
    def size(self) -> int:
        """As declared."""
        return int(self.functions)

    def __call__(self, s: float) -> list[float]:
        """P_j(2 s - 1)"""
        return [float(v) for v in np.polynomial.legendre.legvander([2 * s - 1], self.size - 1)[0]]


@_register
@dataclass(frozen=True)
class PolynomialStrain(StrainBasis):
    """1, s, s^2, s^3: the powers of s up to a degree."""

    degree: Any

    name = "polynomial"
    arguments = ("degree",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", count(self.degree, "degree", 0, MOST_FUNCTIONS))
        if self.size > MOST_MONOMIALS:
            raise ModelError(
                f"degree is {self.degree}; powers serve up to {MOST_MONOMIALS - 1}, beyond that "
                "they can hardly be told apart: take basis 'legendre'"
            )

    @property
    def size(self) -> int:
        """degree + 1"""
        return int(self.degree) + 1

    def __call__(self, s: float) -> list[float]:
        """s^j"""
        return [s**j for j in range(self.size)]


@_register
@dataclass(frozen=True)
class BSplines(StrainBasis):
    """B-splines of a degree over simple inner `knots` in (0, 1), the ends clamped.

    Degree 0 is the rod of constant strains between the knots.
    """

    degree: Any
    knots: Any

    name = "b-spline"
    arguments = ("degree", "knots")

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", count(self.degree, "degree", 0, MOST_FUNCTIONS))
        object.__setattr__(self, "knots", increasing(self.knots, "knots"))

    @property
    def kinks(self) -> tuple[float, ...]:  # type: ignore[override]
        """The knots."""
        return tuple(self.knots)

    @property
    def size(self) -> int:
        """degree + 1 and one for each knot."""
        return int(self.degree) + 1 + len(self.knots)

    @property
    def per_piece(self) -> int:
        """degree + 1"""
        return int(self.degree) + 1

    def __call__(self, s: float) -> list[float]:
        """N_j(s)"""
        ends = self.degree + 1
        knots = np.array([0.0] * ends + list(self.knots) + [1.0] * ends)
        inside = min(max(s, 0.0), 1.0)
        if inside == 1.0:
            return [0.0] * (self.size - 1) + [1.0]
        from scipy.interpolate import BSpline  # slow to load

        row = BSpline.design_matrix(np.array([inside]), knots, self.degree).toarray()[0]
        return [float(v) for v in row]


def count(value: Any, what: str, least: int, most: int) -> int:
    """A whole number from `least` to `most`.

    Raises `ModelError`.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ModelError(f"{what} is {value!r}; give a whole number from {least} to {most}")
    return value


def increasing(values: Any, what: str) -> tuple[float, ...]:
    """Increasing numbers in (0, 1), fractions of the length.

    Raises `ModelError`.
    """
    try:
        found = tuple(float(v) for v in values)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: give a list of numbers between 0 and 1") from None
    edges = (0.0, *found, 1.0)
    if any(not a < b for a, b in pairwise(edges)):
        raise ModelError(
            f"{what} are {', '.join(f'{v:g}' for v in found)}; give increasing fractions of the "
            "length between 0 and 1"
        )
    return found


def strain_basis(given: Any) -> StrainBasis:
    """A basis from a number of Legendre functions, or from a table with the word `basis`.

    >>> strain_basis(2)(0.5)
    [1.0, 0.0]
    >>> strain_basis({"basis": "b-spline", "degree": 0, "knots": [0.5]})(0.2)
    [1.0, 0.0]

    Raises `ModelError` for what is neither, and for arguments that the basis does not take.
    """
    if isinstance(given, StrainBasis):
        return given
    if not isinstance(given, Mapping | Sequence) or isinstance(given, str):
        return Legendre(given)
    try:
        table = dict(given)
    except (TypeError, ValueError):
        raise ModelError(f"{given!r} is neither a number of functions nor a table") from None
    name = table.pop("basis", "legendre")
    if name not in _BASES:
        raise ModelError(f"basis: {near_names(str(name), _BASES)}; there is no {name!r}")
    kind: Callable[..., StrainBasis] = _BASES[name]
    takes = _BASES[name].arguments
    for word in table:
        if word not in takes:
            raise ModelError(f"basis {name!r} takes no {word!r}; {near_names(str(word), takes)}")
    for word in takes:
        if word not in table:
            raise ModelError(f"basis {name!r} needs {word}")
    return kind(**table)


def written(basis: StrainBasis) -> Any:
    """The number, or (word, value) pairs, from which `strain_basis` makes the basis again."""
    if isinstance(basis, Legendre):
        return basis.size
    own = tuple((word, getattr(basis, word)) for word in basis.arguments)
    return (("basis", basis.name), *own)
