"""Displacements of second order along beams that keep their length and the curvatures declared.

With p'' and -q'' the curvatures about z and y of the twisted section, t its twist, and all of it at
rest in the station s0, the sections stand besides at

    u = -int (p'^2 + q'^2) / 2,   v' = -int t q'',   w' = int t p'',   twist = -int p'' q',

integrals from s0, v and w those of v' and w'; telescoping links have the first
alone. Here of the shapes by Ritz's method, at Gauss points. Reference: Hodges, *Nonlinear
Composite Beam Theory*, ch. 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.forms.judged import Claim, Judged, witness_of
from eomc.verifier.witness.forms.mode_shapes import line_of, stations
from eomc.verifier.witness.mode_shapes import shape_functions

_STATIONS = np.array([0.0, 0.2, 0.45, 0.7, 1.0])
_NODES = 24


@witness_of("beam", "telescopic_beam")
def bent(body: Judged) -> Iterator[Claim]:
    """Even terms of places and turns; none without stiffening."""
    _, length = line_of(body)
    rng = np.random.default_rng(body.seed)
    xi = rng.uniform(0.5, 1.0, body.count) * 0.1 * length
    modes = np.array([name != "length" for name in body.form.coordinates])
    at = body.places(stations(body, _STATIONS))
    ahead, back, rest = (at.at(body.rest + sign * modes * xi) for sign in (1, -1, 0))
    found = (ahead + back) / 2 - rest
    expected = np.array([_moved(body, s, xi, length) for s in _STATIONS])
    if not body.form.stiffening:
        expected = 0 * expected
    size = max(float(np.abs(part).max()) for part in (expected, ahead - rest))
    yield Claim("terms of second order", found, expected, size * 0.01)


def _moved(body: Judged, s: float, xi: Array, length: float) -> Array:
    """(u, v, w, twist, turn about y, turn about z) of second order."""
    s0 = 0.0
    if body.kind == "beam":
        s0 = min(max(-line_of(body)[0] / length, 0.0), 1.0)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    places, share = s0 + (s - s0) * (nodes + 1) / 2, (s - s0) * weights / 2 * length
    reach = (s - places) * length
    fields: dict[tuple[str, int], Any] = {}
    first = 0
    for direction, count in zip(("y", "z", "axial", "torsion"), body.form.modes, strict=False):
        shapes = shape_functions(body.form, direction, count)
        for order in range(3):
            rows = [shape(places, order) * a for shape, a in zip(shapes, xi[first:], strict=False)]
            fields[direction, order] = np.sum(rows, axis=0) / length**order if rows else 0 * places
        first += count
    p1, p2, q1, q2 = (fields[name, order] for name in ("y", "z") for order in (1, 2))
    t = fields.get(("torsion", 0), 0 * places)
    v, w = -t * q2, t * p2
    return np.array(
        [
            -share @ (p1**2 + q1**2) / 2,
            share @ (reach * v),
            share @ (reach * w),
            -share @ (p2 * q1) if body.kind == "beam" else 0.0,
            -share @ w,
            share @ v,
        ]
    )
