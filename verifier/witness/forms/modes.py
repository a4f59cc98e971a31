"""Bodies of modes: their energies and places by the moments that they are declared with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.forms.judged import Claim, Judged, witness_of


@witness_of("modal_body")
def moments(body: Judged) -> Iterator[Claim]:
    """T, V and stations in one deformed state."""
    form, k = body.form, body.count
    e = np.random.default_rng(body.seed).uniform(-1.0, 1.0, k)

    def given(word: str, *shape: int) -> Array:
        return _numbers(body, getattr(form, word), shape)

    first, linear = given("first", 3), given("linear", k, 3)
    moved = given("first_second", k, k, 3)
    h = first + e @ linear + np.einsum("i,j,ija->a", e, e, moved)
    p = linear + np.einsum("i,ija->ja", e, moved) + np.einsum("i,jia->ja", e, moved)
    about = given("inertia", 3, 3) + np.einsum("i,iab->ab", e, given("inertia_rates", k, 3, 3))
    about += np.einsum("i,j,ijab->ab", e, e, given("inertia_second", k, k, 3, 3))
    turned = given("angular", k, 3) + np.einsum("i,ija->ja", e, given("angular_rates", k, k, 3))
    inner = given("internal", k, k) + np.einsum("i,ijk->jk", e, given("internal_rates", k, k, k))
    mass = body.numbers(form.mass)
    upper = np.triu(about) + np.triu(about, 1).T
    expected = np.block(
        [[mass * np.eye(3), -_cross(h), p.T], [_cross(h), upper, turned.T], [p, turned, inner]]
    )
    yield Claim("moments of modes", body.mass(e), expected, float(np.abs(expected).max()))
    stiffness = given("stiffness", k, k)
    size = float(np.abs(stiffness).max(initial=1e-300))
    yield Claim("stiffness of modes", body.strain_slopes(e), stiffness @ e, size)
    for name, (place, *rows) in form.stations:
        shifted, turns = (e @ _numbers(body, row, (k, 3)) for row in rows[:2])
        expected = np.concatenate([body.numbers.vector(place) + shifted, turns])
        if len(rows) > 2:
            second = _numbers(body, rows[2], (2, k, k, 3))
            expected = expected + np.einsum("i,j,nija->na", e, e, second).ravel()
        size = float(np.abs(expected).max(initial=1e-300))
        yield Claim(f"station {name}", body.places([name]).at(e)[0], expected, size)


def _numbers(body: Judged, given: Any, shape: tuple[int, ...]) -> Array:
    if not len(given):
        return np.zeros(shape)
    flat = np.array(given, dtype=object).ravel()
    return np.asarray(body.numbers.vector(list(flat))).reshape(shape)


def _cross(a: Array) -> Array:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
