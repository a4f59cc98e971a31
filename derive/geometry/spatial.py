"""Spatial vectors at the origin of a frame: motions (angular, linear), forces (moment, force).

Reference: Featherstone, *Rigid Body Dynamics Algorithms*, ch. 2.
"""

from __future__ import annotations

from eomc.derive.geometry.vector import Vector
from eomc.derive.graph import Expression

Spatial = tuple[Vector, Vector]


def plus(a: Spatial, b: Spatial) -> Spatial:
    """a + b"""
    return a[0] + b[0], a[1] + b[1]


def minus(a: Spatial, b: Spatial) -> Spatial:
    """a - b"""
    return a[0] - b[0], a[1] - b[1]


def times(a: Spatial, factor: Expression) -> Spatial:
    """a x"""
    return a[0] * factor, a[1] * factor


def dot(a: Spatial, b: Spatial) -> Expression:
    """a . b, the power of a force along a motion."""
    return a[0].dot(b[0]) + a[1].dot(b[1])


def cross_motion(a: Spatial, b: Spatial) -> Spatial:
    """a x b of two motions."""
    return a[0].cross(b[0]), a[0].cross(b[1]) + a[1].cross(b[0])


def cross_force(a: Spatial, f: Spatial) -> Spatial:
    """a x* f of a motion and a force."""
    return a[0].cross(f[0]) + a[1].cross(f[1]), a[0].cross(f[1])
