"""The solid of even density that has the mass and the inertia of a body.

A ball, a cylinder or an ellipsoid, as principal moments are equal: of a ball J = 2 m r^2/5, of a
cylinder J = m r^2/2 along and m (3 r^2 + l^2)/12 across, of an ellipsoid with half axes a, b, c
J_a = m (b^2 + c^2)/5.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, sqrt
from typing import Any

from eomc.derive.bodies.mass_properties import MassProperties
from eomc.derive.picture.numbers import Numbers, numbers, quaternion, rounded, turned_to

__all__ = ["principal", "solid"]

_EQUAL = 1e-6

Rows = list[list[float]]


def solid(
    body: MassProperties, values: Mapping[str, float], largest: float
) -> dict[str, Any] | None:
    """The shape about the centre of mass, made smaller if a half axis is above `largest` [m].

    None for a body without rotational inertia.
    """
    (mass,) = numbers((body.mass,), values)
    moments, axes = principal(numbers(body.inertia_com, values))
    if mass <= 0 or max(moments) <= 0:
        return None
    at = list(numbers(body.com, values))
    for k in range(3):
        across, other = moments[k - 1], moments[k - 2]
        square = 12 * across / mass - 6 * moments[k] / mass
        if abs(across - other) <= _EQUAL * across and square >= 0:
            if abs(moments[k] - across) <= _EQUAL * across:
                return _ball(sqrt(2.5 * across / mass), at, largest)
            radius, length = sqrt(2 * moments[k] / mass), sqrt(square)
            scale = _scale(max(radius, length / 2), largest)
            if min(radius, length) <= 0:
                break
            along = [row[k] for row in axes]
            sizes = {"radius": rounded(scale * radius), "length": rounded(scale * length)}
            return {
                "kind": "cylinder",
                "placement": {"xyz": at, "quaternion": turned_to(along)},
                **sizes,
            }
    radii = [sqrt(max(2.5 * (sum(moments) - 2 * moment) / mass, 0.0)) for moment in moments]
    scale = _scale(max(radii), largest)
    thin = 0.05 * max(radii)
    place = {"xyz": at, "quaternion": quaternion(axes)}
    radii = [rounded(scale * max(radius, thin)) for radius in radii]
    return {"kind": "ellipsoid", "placement": place, "radii": radii}


def _ball(radius: float, at: list[float], largest: float) -> dict[str, Any]:
    sizes = {"radius": rounded(radius * _scale(radius, largest))}
    return {"kind": "sphere", "placement": {"xyz": at}, **sizes}


def _scale(size: float, largest: float) -> float:
    return min(1.0, largest / size) if largest > 0 else 1.0


def principal(inertia: Numbers) -> tuple[Numbers, Rows]:
    """Principal moments of (ixx, iyy, izz, ixy, ixz, iyz), and a right-handed turn whose columns
    are their axes, by Jacobi's rotations: the same on every machine.

    >>> principal((3.0, 2.0, 1.0, 0.0, 0.0, 0.0))[0]
    (3.0, 2.0, 1.0)
    """
    xx, yy, zz, xy, xz, yz = inertia
    a: Rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    v: Rows = [[float(i == j) for j in range(3)] for i in range(3)]
    size = max(abs(entry) for row in a for entry in row)
    for _ in range(12):
        for p, q in ((0, 1), (0, 2), (1, 2)):
            if abs(a[p][q]) > 1e-15 * size:
                _rotate(a, v, p, q)
    return (a[0][0], a[1][1], a[2][2]), v


def _rotate(a: Rows, v: Rows, p: int, q: int) -> None:
    """Make a[p][q] zero by a turn in that plane (Golub and Van Loan, sec. 8.5)."""
    theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
    t = (1 if theta >= 0 else -1) / (abs(theta) + hypot(theta, 1))
    c = 1 / hypot(t, 1)
    s = t * c
    for k in range(3):
        a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
    for k in range(3):
        a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
        v[k][p], v[k][q] = c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]
