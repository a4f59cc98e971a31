"""Mode shapes of the platform and the units (1 to 3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq

from eomc.derive.shapes import clamped_free, clamped_free_root, free_free, free_free_root
from eomc.systems.flexible_manipulator.data import PLATFORM
from eomc_published.case import Case, CaseCheck, agrees, at_most

_FREE = (4.73, 7.85, 11.00, 14.14)
_FREE_EXACT = (4.730040744862704, 7.853204624095838, 10.995607838001671, 14.137165491257464)
_TIP_MASS = {
    0: (1.88, 4.69, 7.85, 11.00),
    1: (1.25, 4.03, 7.13, 10.26),
    2: (1.08, 3.98, 7.10, 10.23),
    3: (0.98, 3.96, 7.09, 10.23),
    4: (0.92, 3.96, 7.09, 10.22),
    5: (0.87, 3.95, 7.08, 10.22),
}
_TIP_MASS_EXACT = {
    0: (1.8751, 4.6941, 7.8548, 10.9955),
    1: (1.2479, 4.0311, 7.1341, 10.2566),
    2: (1.0762, 3.9826, 7.1027, 10.2340),
    3: (0.9812, 3.9648, 7.0916, 10.2262),
    4: (0.9174, 3.9556, 7.0860, 10.2223),
    5: (0.8700, 3.9500, 7.0825, 10.2199),
}


def _free_free() -> Iterator[CaseCheck]:
    roots = [free_free_root(j) for j in range(1, 5)]
    yield agrees("roots as printed", _FREE, roots, 0.006)
    yield agrees("roots", _FREE_EXACT, roots, 1e-9)


def _tip_mass() -> Iterator[CaseCheck]:
    printed = exact = residual = 0.0
    for ratio, values in _TIP_MASS.items():
        roots = np.array([clamped_free_root(j, ratio) for j in range(1, 5)])
        printed = max(printed, float(np.abs(roots - values).max()))
        exact = max(exact, float(np.abs(roots - _TIP_MASS_EXACT[ratio]).max()))
        c, s, ch, sh = np.cos(roots), np.sin(roots), np.cosh(roots), np.sinh(roots)
        equation = c + 1 / ch - ratio * roots * (s - c * sh / ch)
        residual = max(residual, float(np.abs(equation).max()))
    yield at_most("roots from those printed", printed, 0.006)
    yield at_most("roots from those recomputed", exact, 1e-4)
    yield at_most("characteristic equation (2.16), by cosh", residual, 1e-12)


def _first_shape() -> Iterator[CaseCheck]:
    shape, length = free_free(1), PLATFORM.length
    tip = abs(float(shape.value(1.0)))
    node = brentq(shape.value, 0.5, 0.9, xtol=1e-14)
    yield agrees("nodes, from the middle [m]", 33.10, (node - 0.5) * length, 0.01)
    yield agrees("other node [m]", -33.10, (0.5 - node) * length, 0.01)
    yield at_most("deflection of the other node", abs(float(shape.value(1.0 - node))), 1e-9)
    yield agrees("value at the ends", 2.0, tip, 1e-9)
    yield agrees(
        "the cantilever's tip, without mass", 2.0, abs(float(clamped_free(1).value(1.0))), 1e-9
    )


CASES = (
    Case(
        1,
        "Wave numbers of the platform",
        "eq. (2.13), table in sec. 2.2",
        "roots of the characteristic equation",
        _free_free,
    ),
    Case(
        2,
        "Wave numbers of a unit with tip mass",
        "eq. (2.16), table in sec. 2.2",
        "24 roots against the table and their own equation",
        _tip_mass,
    ),
    Case(
        3,
        "First mode of the platform",
        "fig. 2-2",
        "nodes and value at the ends",
        _first_shape,
        note="Shapes of the units are scaled to a tip value of 2 without tip mass, not as (2.15) "
        "is printed: only so do the weights of chapter 5 mean what they do there.",
    ),
)
