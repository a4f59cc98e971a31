"""Functions of coordinates that fill a vector space: a step is an addition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eomc.derive.functions.registry import column
from eomc.derive.graph import Argument, Expression, symbols
from eomc.derive.lagrange.derivation import Derivation
from eomc.derive.lagrange.equations import Kind

_UNITS = "rad or m"


def _coordinates(d: Derivation, name: str, values: Sequence[Expression]) -> list[Argument]:
    return [column(name, values, "coordinates", _UNITS, d.variables.coordinate_names)]


def _integrate(d: Derivation) -> list[Argument]:
    du = symbols(d.graph, "du", len(d.u))
    return _coordinates(d, "q_next", [x + dx for x, dx in zip(d.q, du, strict=True)])


def _difference(d: Derivation) -> list[Argument]:
    q0, q1 = (symbols(d.graph, array, len(d.q)) for array in ("q0", "q1"))
    du = [end - start for start, end in zip(q0, q1, strict=True)]
    return [column("du", du, "displacement", _UNITS, d.variables.speed_names)]


def _neutral(d: Derivation) -> list[Argument]:
    return _coordinates(d, "q", [d.zero] * len(d.q))


def _normalize(d: Derivation) -> list[Argument]:
    return _coordinates(d, "q_unit", d.q)


ANY: tuple[Kind[Any], ...] = (
    Kind("neutral", (), "Reference configuration: zero.", _neutral),
    Kind("normalize", ("q",), "q itself: there is nothing to normalize.", _normalize),
)
"""Functions of all systems whose q is free of conditions of its own."""

VECTOR_SPACE: tuple[Kind[Any], ...] = (
    Kind("integrate", ("q", "du"), "Configuration q + du.", _integrate),
    Kind("difference", ("q0", "q1"), "Displacement q1 - q0.", _difference),
)
"""Functions of systems with q' = u."""
