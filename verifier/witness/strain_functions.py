"""Functions of strain along a rod and the points at which it has its mass, as declared.

Legendre polynomials by Bonnet's recursion, B-splines by that of de Boor and Cox. Reference: de
Boor, *A Practical Guide to Splines*, ch. IX.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

__all__ = ["declared_functions", "kinks", "mass_points", "piecewise"]

Functions = Callable[[float], list[float]]

_COMPONENTS = ("twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z")


def declared_functions(rod: Any) -> list[tuple[int, Functions]]:
    """(component, functions of the fraction of the length) of the strains that are not held."""
    given = dict(rod.strains)
    return [(k, _functions(given[name])) for k, name in enumerate(_COMPONENTS) if name in given]


def _functions(given: Any) -> Functions:
    if isinstance(given, int):
        return lambda s: _legendre(given, s)
    table = dict(given)
    basis = table["kind"]
    if basis == "legendre":
        return lambda s: _legendre(table["functions"], s)
    if basis == "polynomial":
        return lambda s: [s**j for j in range(table["degree"] + 1)]
    return lambda s: _splines(table["degree"], table["knots"], s)


def _legendre(count: int, s: float) -> list[float]:
    x, found = 2 * s - 1, [1.0, 2 * s - 1]
    for n in range(1, count - 1):
        found.append(((2 * n + 1) * x * found[n] - n * found[n - 1]) / (n + 1))
    return found[:count]


def _splines(degree: int, inner: Sequence[float], s: float) -> list[float]:
    knots = [0.0] * (degree + 1) + [float(x) for x in inner] + [1.0] * (degree + 1)
    last = max(k for k in range(len(knots) - 1) if knots[k] < knots[k + 1])
    here = min(last, max(k for k in range(len(knots) - 1) if knots[k] <= max(s, 0.0)))
    found = [float(k == here) for k in range(len(knots) - 1)]

    def share(a: float, b: float, x: float) -> float:
        return x / (b - a) if b > a else 0.0

    for p in range(1, degree + 1):
        found = [
            share(knots[k], knots[k + p], s - knots[k]) * found[k]
            + share(knots[k + 1], knots[k + p + 1], knots[k + p + 1] - s) * found[k + 1]
            for k in range(len(found) - 1)
        ]
    return found


def kinks(rod: Any) -> list[float]:
    """Places between the ends at which a function has a kink."""
    return sorted(
        {
            float(x)
            for _, given in rod.strains
            if not isinstance(given, int)
            for x in dict(given).get("knots", ())
        }
    )


def piecewise(edges: Sequence[float], count: int) -> list[tuple[float, float]]:
    """(place, weight) of so many Gauss points between neighbouring edges."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return [
        (a + (b - a) * (float(x) + 1) / 2, (b - a) * float(w) / 2)
        for a, b in pairwise(edges)
        for x, w in zip(nodes, weights, strict=True)
    ]


def mass_points(rod: Any) -> list[tuple[float, float]]:
    """(fraction of the length, weight) of all mass: as many points in a piece as declared, else
    twice the functions that live there, at least five."""
    edges = sorted({0.0, *kinks(rod), *map(float, rod.breaks), 1.0})
    count = rod.points
    if count is None:
        count = max(5, 2 * max(_alive(given) for _, given in rod.strains))
    return piecewise(edges, int(count))


def _alive(given: Any) -> int:
    """Functions that are not zero within a piece."""
    if isinstance(given, int):
        return given
    table = dict(given)
    return int(table["functions"] if table["kind"] == "legendre" else table["degree"] + 1)
