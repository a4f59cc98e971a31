"""The lowest frequency of a deformable body whose frame is held."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import sympy

from eomc.derive.graph import Graph, evaluate, forward_derivative, from_sympy
from eomc.derive.language.value import value_of

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable

__all__ = ["lowest_frequency"]

_NONE = 1e-9


def lowest_frequency(body: Deformable, parameters: Mapping[str, float]) -> float | None:
    """[rad/s], of the modes that strain the body at rest; None if none does."""
    if not body.coordinates:
        return None
    given = {sympy.Symbol(name): value for name, value in parameters.items()}
    rest = dict(zip(body.symbols, body.form.neutral, strict=True))
    graph = Graph()
    leaves = {symbol: graph.symbol(symbol.name) for symbol in (*given, *rest)}
    energy = from_sympy(graph, body.strain_energy, leaves)
    one = graph.constant(1)
    slopes = [forward_derivative(graph, [energy], {leaves[symbol]: one})[0] for symbol in rest]
    at = {leaves[symbol]: np.array(value) for symbol, value in given.items()}
    small = 1e-6  # beside amplitudes of one: V is a quadratic form, or nearly
    for k, (symbol, value) in enumerate(rest.items()):
        at[leaves[symbol]] = value + small * np.eye(len(rest) + 1)[k]
    columns = [np.broadcast_to(row, len(rest) + 1) for row in evaluate(graph, slopes, at)]
    stiffness = np.array([row[:-1] - row[-1] for row in columns]) / small
    values = {symbol.name: value for symbol, value in (given | rest).items()}
    mass = [[value_of(entry, values) for entry in row] for row in body.invariants.internal]
    squares = np.linalg.eigvals(np.linalg.lstsq(np.array(mass), stiffness, rcond=None)[0]).real
    strained = squares[squares > _NONE * squares.max(initial=0.0)]
    return math.sqrt(strained.min()) if strained.size else None
