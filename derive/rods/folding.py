"""Nearness of the sections of a rod to folding over their neighbours, by its strains.

A fibre that runs at the place (y, z) of the section, between two sections dX apart, has the length

    (1 + stretch - y kappa_z + z kappa_y) dX,

the determinant of the deformation gradient there, whatever twist and shears are. Where it comes to
zero, two sections pass through each other: the strains have left the chart of the rod, though the
equations, which see the axis alone, go on. A section that reaches r_y and r_z along its axes, as an
ellipse does, folds where hypot(r_y kappa_z, r_z kappa_y) - stretch comes to 1. Reference: Antman,
*Nonlinear Problems of Elasticity*, 2nd edition, chapter 8 (strains that preserve orientation).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy

from eomc.derive.language.scalar import Scalar, is_zero, scalar
from eomc.derive.rods.strain_basis import StrainBasis

__all__ = ["fold_rows", "gyration"]

_BEND_Y, _BEND_Z, _STRETCH = 1, 2, 3


def fold_rows(
    stations: Sequence[float],
    length: Scalar,
    strains: Sequence[tuple[int, StrainBasis]],
    radii: Callable[[float], tuple[Scalar, Scalar]],
    curvature: Callable[[float], Sequence[Scalar]],
) -> tuple[tuple[Scalar, ...], ...]:
    """Rows over (q, 1), three for each station: r_y kappa_z, r_z kappa_y and the stretch; none if
    the sections are points and cannot stretch.

    `radii` and `curvature` are by the fraction of the length.
    """
    rows = []
    for s in stations:
        (y, z), bent = radii(s), curvature(s)
        for component, factor in ((_BEND_Z, y), (_BEND_Y, z), (_STRETCH, 1)):
            size = factor if component == _STRETCH else _ratio(factor, length)
            row: list[Scalar] = []
            for c, basis in strains:
                row += [_times(size, value) if c == component else 0 for value in basis(s)]
            rows.append((*row, 0 if component == _STRETCH else _times(factor, bent[component])))
    return tuple(rows) if any(not is_zero(entry) for row in rows for entry in row[:-1]) else ()


def gyration(inertia: Scalar, mass: Scalar) -> Scalar:
    """The radius of gyration: no section reaches less far than that."""
    return 0 if is_zero(inertia) else scalar(sympy.sqrt(sympy.sympify(inertia) / mass))


def _ratio(a: Scalar, b: Scalar) -> Scalar:
    return 0 if is_zero(a) else scalar(sympy.sympify(a) / b)


def _times(a: Scalar, b: Scalar) -> Scalar:
    return 0 if is_zero(a) or is_zero(b) else scalar(sympy.sympify(a) * b)
