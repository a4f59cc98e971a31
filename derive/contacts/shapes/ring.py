"""Circles about an axis e, thick by a: with w = u - (u.e) e, the part of the normal across it,

    h = a + r sqrt(w.w + delta^2),    arm = -a u - r w / sqrt(w.w + delta^2)

delta is what keeps the point of contact apart from 0/0 where the circle lies flat, and it goes
round the whole circle; the gap is off by no more than r delta, and its rate is that of its
own, exactly.
"""

from __future__ import annotations

from eomc.derive.contacts.shapes.oval import Oval
from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.scalar import Scalar, Vector3
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene

FLAT = 1e-7
"""delta where none is given."""


def ring(
    scene: Scene, at: Point, axis: Vector3, radius: Scalar, tube: Scalar, flat: Scalar
) -> Site:
    """The site of a circle of that radius about a point."""
    unit = unit_vector(axis, "axis")
    e = scene.direction(at.body, unit)
    r, a, delta = scene.scalar(radius), scene.scalar(tube), scene.scalar(flat)

    def support(n: Vector) -> tuple[Expression, Vector]:
        w = n - e * e.dot(n)
        size = (w.dot(w) + delta * delta).sqrt()
        return a + r * size, n * -a - w * (r / size)

    centre = scene.point(at.body, at.xyz)

    def apart(place: Vector, sign: int) -> tuple[Expression, Vector]:
        away = place - centre.position
        across = away - e * e.dot(away)
        far = (across.dot(across) + (r * delta) * (r * delta)).sqrt()
        off = away - across * (sign * r / far)
        size = off.norm()
        return size, off * (1 / size)

    def distance(place: Vector) -> tuple[Expression, Vector]:
        size, towards = apart(place, 1)
        return size - a, towards

    def furthest(place: Vector) -> tuple[Expression, Vector]:
        size, towards = apart(place, -1)
        return size + a, towards

    axes = [*(scene.direction(at.body, d) for d in normal_directions(unit)), e]
    wide = r * (1 + delta * delta).sqrt()
    oval = Oval(axes, (wide, wide, r * delta), a, hollow=True)
    return Site(centre, support, distance=distance, furthest=furthest, oval=oval)
