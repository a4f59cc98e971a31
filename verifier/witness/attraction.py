"""Attraction by a point mass, summed over mass elements.

A body is replaced by seven point masses with its mass, centre and inertia: at the centre, and in
pairs along its principal axes. Each is pulled by the gradient of its own potential energy, whole or
expanded to second order about a point C of distance D from the attracting mass,

    V = -mu m [1/D - D.rho/D^3 - rho.rho/(2 D^3) + 3 (D.rho)^2/(2 D^5)],

whose slope by D acts at C. A slender rod is a sum over Gauss's abscissas on panels that are short
against their distance from the attracting mass. Reference: Goldstein, *Classical Mechanics*, 3rd
ed., sec. 5.8.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.mechanism import Attraction, WitnessBody

_ABSCISSAS, _WEIGHTS = np.polynomial.legendre.leggauss(20)
Element = tuple[float, Array]
"""Mass and place in the body's frame."""


def rod_elements(
    mass: float, middle: Array, half: Array, towards: Array, depth: int = 30
) -> list[Element]:
    """Point masses in place of a rod, seen from `towards`; all in the frame of the body."""
    length = float(np.linalg.norm(half))
    if depth and float(np.linalg.norm(towards - middle)) < 2 * length:
        ends = (middle - half / 2, middle + half / 2)
        parts = [rod_elements(mass / 2, end, half / 2, towards, depth - 1) for end in ends]
        return parts[0] + parts[1]
    pairs = zip(_WEIGHTS, _ABSCISSAS, strict=True)
    return [(mass * w / 2, middle + s * half) for w, s in pairs]


def elements(body: WitnessBody) -> list[Element]:
    """Point masses in place of a body."""
    # second moments about the centre, of any sign if the declared inertia is that of no body
    second = np.trace(body.inertia) / 2 * np.eye(3) - body.inertia
    moments, axes = np.linalg.eigh(second)
    weight = max(body.mass, float(np.abs(moments).max()))
    if weight == 0:
        return []
    found: list[Element] = []
    left = body.mass
    for moment, axis in zip(moments, axes.T, strict=True):
        share = float(np.copysign(weight, moment))
        reach = np.sqrt(abs(moment) / (2 * weight)) * axis
        found += [(share, body.com + reach), (share, body.com - reach)]
        left -= 2 * share
    return [(left, body.com), *found]


def whole(mu: float, mass: float, place: Array) -> tuple[Array, float]:
    """(force, V) of a point mass at `place` from the attracting one."""
    distance = float(np.linalg.norm(place))
    return -mu * mass / distance**3 * place, -mu * mass / distance


def expanded(mu: float, mass: float, d: Array, rho: Array) -> tuple[Array, Array, float]:
    """(force on the element, force at C, V) for C at `d` and the element at rho from C."""
    distance = float(np.linalg.norm(d))
    along, square = float(d @ rho), float(rho @ rho)
    cube, fifth = distance**3, distance**5
    by_rho = -d / cube - rho / cube + 3 * along * d / fifth
    by_d = -d / cube - rho / cube + 3 * along * d / fifth
    by_d = by_d + 3 * square * d / (2 * fifth) + 3 * along * rho / fifth
    by_d = by_d - 15 * along**2 * d / (2 * distance**7)
    energy = 1 / distance - along / cube - square / (2 * cube) + 3 * along**2 / (2 * fifth)
    force = mu * mass * by_rho
    return force, mu * mass * by_d - force, -mu * mass * energy


def pulls(
    attraction: Attraction, body: WitnessBody, rotation: Array, origin: Array, about: Array | None
) -> Iterator[tuple[Array, Array, Array, float]]:
    """(place in the body, force there, force at C, V) of each element of a body.

    `about` is C in the world; None if nothing is expanded.
    """
    half = attraction.rods.get(body.name)
    if half is None:
        parts = elements(body)
    else:
        towards = rotation.T @ (attraction.center - origin)
        parts = rod_elements(body.mass, body.com, half, towards)
    for mass, place in parts:
        position = origin + rotation @ place
        if about is None:
            force, energy = whole(attraction.mu, mass, position - attraction.center)
            yield place, force, np.zeros(3), energy
        else:
            d = about - attraction.center
            force, left, energy = expanded(attraction.mu, mass, d, position - about)
            yield place, force, left, energy
