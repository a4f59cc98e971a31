"""Places and turns along beams by their mode shapes, as the ends of uniform beams ask for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.derive.model import ModelError
from eomc.verifier.witness.forms.judged import AXES, Claim, Judged, Places, witness_of
from eomc.verifier.witness.mode_shapes import shape_functions

_STATIONS = np.linspace(0.0, 1.0, 9)
_MOST = 30
"""Modes of a direction; the digits of more are believed."""
_DIRECTIONS = ("y", "z", "axial", "torsion")
_X = sympy.Symbol("x_of_a_carriage")


@witness_of("beam", "telescopic_beam")
def along(body: Judged) -> Iterator[Claim]:
    """Unit amplitudes move and turn the sections by the shapes and their slopes."""
    form, rest = body.form, body.rest
    if max(form.modes, default=0) > _MOST:
        return
    start, length = line_of(body)
    expected = expected_slopes(body, length)
    slides = body.kind == "telescopic_beam"
    at = body.places([*stations(body, _STATIONS), "root", "tip"])
    found, still = at.slopes(rest), at.at(rest)
    ends = np.concatenate([expected, expected[[0, -1]]])
    modes = [j for j, name in enumerate(form.coordinates) if name != "length"]
    sizes = np.abs(ends).max(axis=(0, 2), initial=1e-300)
    yield Claim("mode shapes", found[:, :, modes] / sizes[:, None], ends / sizes[:, None], 1.0)
    places = start + length * np.array([*_STATIONS, 0.0, 1.0])
    yield Claim("line", still[:, 0], places, length)
    if body.is_ridden:
        try:
            riding = body.places([_X], _X)
        except ModelError:  # no closed form, or one without digits: nothing can ride on it
            return
        got = np.concatenate([_carried(riding, rest, x) for x in places[:-2]])
        sized = got[:, :, modes] / sizes[:, None]
        yield Claim("mode shapes under a carriage", sized, expected / sizes[:, None], 1.0)
    if slides:
        sleeve = body.places(["sleeve"]).at(rest)[0, 0]
        yield Claim("sleeve", sleeve, body.numbers(form.slewing_length), length)


def _carried(riding: Places, rest: Array, x: float) -> Array:
    return riding.slopes(np.append(rest, x))


def expected_slopes(body: Judged, length: float) -> Array:
    """(stations, 6, modes)."""
    form = body.form
    counts = dict(zip(_DIRECTIONS, form.modes, strict=False))
    columns = []
    for direction in _DIRECTIONS[: len(form.modes)]:
        for shape in shape_functions(form, direction, counts[direction]):
            column = np.zeros((len(_STATIONS), 6))
            if direction in ("y", "z"):
                column[:, AXES.index(direction)] = shape(_STATIONS, 0)
                sign, axis = (1, 5) if direction == "y" else (-1, 4)
                column[:, axis] = sign * shape(_STATIONS, 1) / length
            else:
                column[:, 0 if direction == "axial" else 3] = shape(_STATIONS, 0)
            columns.append(column)
    return np.stack(columns, axis=-1) if columns else np.zeros((len(_STATIONS), 6, 0))


def stations(body: Judged, shares: Array) -> list[Any]:
    """Places along the axis, in the scalars of the declaration: a share of a length of parameters
    is a number again where the form divides by that."""
    form: Any = body.form
    length, start = sympy.sympify(form.length), sympy.Integer(0)
    if body.kind == "beam" and form.origin != "root":
        start = -(length / 2 if form.origin == "middle" else sympy.sympify(form.origin))
    return [start + length * sympy.Float(float(s), 17) for s in shares]


def line_of(body: Judged) -> tuple[float, float]:
    """Start of the undeformed axis, and its length."""
    form: Any = body.form
    length = body.numbers(form.length)
    if body.kind == "telescopic_beam" or form.origin == "root":
        return 0.0, length
    return -(length / 2 if form.origin == "middle" else body.numbers(form.origin)), length
