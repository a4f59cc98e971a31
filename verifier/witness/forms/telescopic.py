"""Energies of telescoping links, by quadrature over elements that keep their place on their link.

An element of the slewing link stays at x = X, one of the deployable link at x = l - b + X. With its
place r(X, xi), xi the amplitudes and the length l, r' = dr/dxi xi', and

    T = integral of |v + w x r + r'|^2 dm / 2,      V = integral of EI |turn'|^2 dx / 2.

Derivatives by xi are imaginary steps; those of the turns by x too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.verifier.witness.forms.judged import Claim, Judged, Places, witness_of

_NODES, _TINY, _SIZE = 24, 1e-30, 1e-3
_X = sympy.Symbol("x_of_an_element")


@witness_of("telescopic_beam")
def deployed(body: Judged) -> Iterator[Claim]:
    """T and V at a length that is not that at rest: by orders of the amplitudes."""
    links = _Links(body)
    rng = np.random.default_rng(body.seed)
    a, b = (body.numbers(body.form.slewing_length), body.numbers(body.form.deployable_length))
    straight = np.zeros(body.count)
    straight[-1] = max(a, b) + rng.uniform(0.3, 0.7) * min(a, b)
    along = np.append(rng.uniform(0.5, 1.0, body.count - 1) * straight[-1], 0.0)

    bent = straight + along
    size = abs(links.strain(bent)) or 1.0
    yield Claim("strain energy of the links", body.strain(bent), links.strain(bent), size)
    slopes = links.strain_slopes(bent)
    yield Claim(
        "slopes of the strain energy",
        body.strain_slopes(bent),
        slopes,
        float(np.abs(slopes).max(initial=1e-300)),
    )

    def apart(share: float) -> Array:
        xi = straight + share * _SIZE * along
        return np.asarray(body.mass(xi) - links.mass(xi))

    whole = links.mass(straight)
    sizes = np.diag(whole).copy()
    sizes[:3], sizes[3:6] = sizes[:3].max(), sizes[3:6].max()
    scale = np.sqrt(np.outer(sizes, sizes))
    rest, ahead, back = (apart(share) / scale for share in (0.0, 1.0, -1.0))
    odd, even = (ahead - back) / (2 * _SIZE), (ahead + back - 2 * rest) / (2 * _SIZE**2)
    # By cubes of a thousandth nothing is left but what the theory leaves out of the odd terms.
    half_ahead, half_back = (apart(share) / scale for share in (0.5, -0.5))
    odd = (4 * (half_ahead - half_back) / _SIZE - odd) / 3
    half = (half_ahead + half_back - 2 * rest) / (2 * (_SIZE / 2) ** 2)
    even = (4 * half - even) / 3 * _SIZE
    yield Claim("mass of the links", rest, 0 * rest, 1.0)
    yield Claim("mass of the links, first order", odd, 0 * odd, 1.0)
    if not body.form.stiffening:
        yield Claim("mass of the links, second order", even, 0 * even, 1.0)
    else:
        yield Claim("inertia of the links, second order", even[:6, :6], 0 * even[:6, :6], 1.0)
        # Bending shortens along x, which a turn about x does not tell.
        yield Claim("momentum about x, second order", even[3, 6:], 0 * even[3, 6:], 1.0)
        # Along the length v_l^2 and the shortening are all that there is to that order.
        yield Claim("inertia of sliding, second order", even[-1, -1], 0.0, 1.0)


class _Links:
    """Both links in numbers."""

    def __init__(self, body: Judged) -> None:
        form, number = body.form, body.numbers
        self.places: Places = body.places([_X], _X)
        self.tip = number(form.payload)
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        pairs = form.EI if isinstance(form.EI, tuple) else (form.EI, form.EI)
        self.links: list[tuple[Array, Array, Array, float]] = []
        for word, given, slides in zip(("slewing", "deployable"), pairs, (0, 1), strict=True):
            length = number(getattr(form, f"{word}_length"))
            both: Any = given if isinstance(given, tuple) else (given, given)
            share = length * weights / 2
            mass = share * number(getattr(form, f"{word}_mass")) / length
            stiffness = np.outer(share, [number(value) for value in both])
            self.links.append((length * (nodes + 1) / 2 - slides * length, mass, stiffness, slides))

    def _found(self, xi: Any, step: complex = 0.0) -> Iterator[tuple[Array, Array, Array]]:
        """(places and turns, masses, stiffnesses) of the elements; `step` along x."""
        for places, mass, stiffness, slides in self.links:
            rows = [self.places(np.append(xi, x + slides * xi[-1] + step))[0] for x in places]
            yield np.array(rows), mass, stiffness
        tip = self.places(np.append(xi, xi[-1] + step))
        yield tip, np.array([self.tip]), np.zeros((1, 2))

    def mass(self, xi: Array) -> Array:
        """H (6+k, 6+k)"""
        k = len(xi)
        places = [rows[:, :3].real for rows, _, _ in self._found(xi.astype(complex))]
        masses = [mass for _, mass, _ in self._found(xi.astype(complex))]
        steps = []
        for unit in np.eye(k):
            found = self._found(xi + 1j * _TINY * unit)
            steps.append(np.concatenate([rows[:, :3].imag / _TINY for rows, _, _ in found]))
        at, dm = np.concatenate(places), np.concatenate(masses)
        velocity = np.zeros((len(at), 3, 6 + k))
        velocity[:, :, :3] = np.eye(3)
        velocity[:, :, 3:6] = -np.cross(np.eye(3), at[:, None, :])
        velocity[:, :, 6:] = np.stack(steps, axis=-1)
        return np.asarray(np.einsum("n,nai,naj->ij", dm, velocity, velocity))

    def strain(self, xi: Array) -> float:
        """V"""
        total = 0.0
        for rows, _, stiffness in self._found(xi.astype(complex), 1j * _TINY):
            turns = rows[:, [5, 4]].imag / _TINY
            total += float((stiffness * turns**2).sum()) / 2
        return total

    def strain_slopes(self, xi: Array) -> Array:
        """dV/dxi by differences."""
        step = 1e-3 * float(np.abs(xi).max())
        return np.array([self._slope(xi, step * unit) / step for unit in np.eye(len(xi))])

    def _slope(self, xi: Array, h: Array) -> float:
        """Richardson's extrapolation of central differences, to the eighth order."""
        table = [
            (self.strain(xi + h / 2**k) - self.strain(xi - h / 2**k)) * 2**k / 2 for k in range(4)
        ]
        for n in range(1, 4):
            table = [(4**n * b - a) / (4**n - 1) for a, b in pairwise(table)]
        return float(table[0])
