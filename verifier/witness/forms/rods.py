"""Rods: the stiffness of their strains by quadrature, and losses by the retardation time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy

from eomc.verifier.witness.forms.judged import Claim, Judged, witness_of
from eomc.verifier.witness.strain_functions import declared_functions, kinks, piecewise

_NODES, _PIECES = 20, 4
_NAMES = ("twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z")


@witness_of("rod")
def strained(body: Judged) -> Iterator[Claim]:
    """K = integral of B^T S B dX, B the strains by unit coordinates."""
    rod: Any = body.form
    length, functions = body.numbers(rod.length), declared_functions(rod)
    bend = rod.EI if isinstance(rod.EI, tuple) else (rod.EI, rod.EI)
    shear = rod.GA if isinstance(rod.GA, tuple) else (rod.GA, rod.GA)
    own = (rod.GJ, *bend, rod.EA, *shear)
    known = {component for component, _ in functions}
    given = {(c, c): own[c] for c in known}
    for first, second, value in rod.coupling:
        pair = _NAMES.index(first), _NAMES.index(second)
        given[pair] = given[pair[::-1]] = value
    x = sympy.Symbol("x")

    def at(value: Any, s: float) -> float:
        return body.numbers(sympy.sympify(value).xreplace({x: length * sympy.Float(s, 17)}))

    inner = {*kinks(rod), *map(float, rod.breaks)}
    edges = sorted({*np.linspace(0.0, 1.0, _PIECES + 1).tolist(), *inner})
    expected = np.zeros((body.count, body.count))
    for s, weight in piecewise(edges, _NODES):
        strains = np.zeros((6, body.count))
        place = 0
        for component, values in functions:
            row = values(s)
            unit = 1 / length if component < 3 else 1.0
            strains[component, place : place + len(row)] = unit * np.array(row)
            place += len(row)
        section = np.zeros((6, 6))
        for pair, value in given.items():
            section[pair] = at(value, s)
        expected += length * weight * strains.T @ section @ strains
    size = float(np.abs(expected).max())
    yield Claim("stiffness of strains", body.stiffness, expected, size)
    late = body.numbers(rod.damping)
    yield Claim("damping of strains", body.damping, late * expected, (late or 1.0) * size)
