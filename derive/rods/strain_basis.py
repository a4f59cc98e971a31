"""Functions along a rod that carry one component of its strain.

All are functions of s = X / L in [0, 1]. Where a basis has kinks, the rod is integrated piece by
piece.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from eomc.derive.fields.field import FieldKind, Given, of_kind, whole
from eomc.derive.fields.part import Part, record_of
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import Registry, kind

__all__ = ["StrainBasis", "strain_basis"]

MOST_MONOMIALS = 4
MOST_FUNCTIONS = 50
"""A rod of more polynomials takes minutes to derive; knots or breaks divide it instead."""


BASES: Registry[type[StrainBasis]] = Registry("basis", "eomc.derive.rods")


class StrainBasis(Part):
    """`size` functions of s."""

    kinds = BASES

    @property
    def kinks(self) -> tuple[float, ...]:
        """Places in (0, 1) where derivatives of the functions jump."""
        return ()

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


class Fractions(FieldKind):
    """Increasing fractions of a length."""

    def schema(self) -> dict[str, Any]:
        """Numbers between 0 and 1."""
        return {
            "type": "array",
            "items": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        }

    def read(self, value: Any, word: str) -> tuple[float, ...]:
        """In (0, 1)."""
        return increasing(value, word)


Increasing = Given[Sequence[float], tuple[float, ...]]


@kind("legendre")
class Legendre(StrainBasis):
    """Legendre polynomials P_0 to P_(functions - 1) of 2 s - 1: orthogonal, for any number."""

    functions: int = whole(1, MOST_FUNCTIONS, "number of polynomials")

    @property
    def size(self) -> int:
        """As declared."""
        return self.functions

    def __call__(self, s: float) -> list[float]:
        """P_j(2 s - 1)"""
        return [float(v) for v in np.polynomial.legendre.legvander([2 * s - 1], self.size - 1)[0]]


@kind("polynomial")
class PolynomialStrain(StrainBasis):
    """1, s, s^2, s^3: the powers of s up to a degree."""

    degree: int = whole(0, MOST_FUNCTIONS, "highest power")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.size > MOST_MONOMIALS:
            raise ModelError(
                f"degree is {self.degree}; powers serve up to {MOST_MONOMIALS - 1}, beyond that "
                "they can hardly be told apart: take kind 'legendre'"
            )

    @property
    def size(self) -> int:
        """degree + 1"""
        return self.degree + 1

    def __call__(self, s: float) -> list[float]:
        """s^j"""
        return [s**j for j in range(self.size)]


@kind("b-spline")
class BSplines(StrainBasis):
    """B-splines of a degree over simple inner `knots` in (0, 1), the ends clamped.

    Degree 0 is the rod of constant strains between the knots.
    """

    degree: int = whole(0, MOST_FUNCTIONS, "of the pieces")
    knots: Increasing = of_kind(Fractions("inner knots, fractions of the length"))

    @property
    def kinks(self) -> tuple[float, ...]:
        """The knots."""
        return self.knots

    @property
    def size(self) -> int:
        """degree + 1 and one for each knot."""
        return self.degree + 1 + len(self.knots)

    @property
    def per_piece(self) -> int:
        """degree + 1"""
        return self.degree + 1

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
    """A basis from a number of Legendre functions, or from a mapping of its kind and fields.

    >>> strain_basis(2)(0.5)
    [1.0, 0.0]
    >>> strain_basis({"kind": "b-spline", "degree": 0, "knots": [0.5]})(0.2)
    [1.0, 0.0]

    Raises `ModelError` for what is neither, and for fields that the basis does not take.
    """
    if isinstance(given, StrainBasis):
        return given
    if not isinstance(given, Mapping | Sequence) or isinstance(given, str):
        return Legendre(given)  # type: ignore[arg-type]  # which it checks
    try:
        table = dict(given)
    except (TypeError, ValueError):
        raise ModelError(f"{given!r} is neither a number of functions nor a table") from None
    made: StrainBasis = record_of(BASES, table)
    return made


def written(basis: StrainBasis) -> Any:
    """The number, or (word, value) pairs, from which `strain_basis` makes the basis again."""
    if isinstance(basis, Legendre):
        return basis.functions
    return (("kind", basis.word), *((word, value) for word, _, value in basis.given()))
