"""Nearest points of an oval and a smooth curved surface: on one normal of both.

Of two ovals a unit normal n, the vector between their furthest points along it being r,

    r = (c - o) - grad h_shape(n) - grad h_surface(n) = g n

and g is the gap. With H the Hessians of both h, curvature, Newton's method is

    (H + g) dn = (1 - n n^T) r,    n <- (n + dn)/|n + dn|

On the way |r| stands for g, which at the root it is: the matrix is positive then, and ovals ten
times as long as thick settle from the line between their centres, near and far.

Of a level f = 0 the unknowns are its point x and g, with n = grad f/|grad f|,

    c + arm(n(x)) - x = g n(x),    f(x) = 0

from where `nearest_on_level` leads; what is found must be the least distance near it and no farther
than the start. It is handed on to two more steps, which alone are differentiated. The gap is a
distance: as the normal turns about the points of contact, its rate is the normal velocity of the
material points. Reference: Wellmann, Lillie and Wriggers,
*A contact detection algorithm for superellipsoids based on the common-normal concept*,
Eng. Comput. 25 (2008).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eomc.derive.contacts.shapes.oval import Oval
from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.contacts.surfaces.nearest_on_level import Quadric, least_at, oval_towards, solved
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression, symbol, symbols
from eomc.derive.graph.columns import substituted, swept

#: Of Newton's method, before the two that are differentiated.
OVAL_STEPS = 10
LEVEL_STEPS = 3
_SETTLED = 1e-6


def between_ovals(
    away: Vector, shape: Oval, surface: Oval, code: str
) -> tuple[Expression, Vector, Vector]:
    """Gap, unit normal from the surface to the shape, and the shape's point from its centre;
    `away` is from the centre of the surface to that of the shape."""
    far = away.norm()

    def step(n: Vector, exact: bool = False) -> Vector:
        """dn"""
        r = away - shape.support(n)[1] - surface.support(n)[1]
        g = n.dot(r)
        stiff = g if exact else r.norm()
        units = [Vector(*(far * 0 + int(i == k) for i in range(3))) for k in range(3)]
        matrix = [
            shape.turned(n, e) + surface.turned(n, e) + e * stiff + n * (n.dot(e) * far)
            for e in units
        ]
        return solved(matrix, r - n * g)

    n, change = away * (1 / far), away
    for _ in range(OVAL_STEPS):
        change = step(n)
        n = _unit(n + change)
    held = (_SETTLED**2 - change.dot(change)).required(code)
    n = Vector(*(entry.frozen_unless(held) for entry in n))
    for _ in range(2):
        n = _unit(n + step(n, exact=True))
    reach, point = shape.support(n)
    return n.dot(away) - reach - surface.support(n)[0], n, -point


def on_level(
    site: Site, level: Callable[[Vector], Expression], code: str
) -> tuple[Expression, Vector, Vector]:
    """Gap, unit normal, and the shape's point, in the world; `level` is f of a place there."""
    graph = site.centre.position.x.graph
    place, s = Vector(*symbols(graph, "place", 3)), symbol(graph, "gap")
    zero = s * 0
    f = level(place)
    units = [{x.node: (zero + 1).node} for x in (*place, s)]
    slope = Vector(*(column[0] for column in swept(graph, [f], units[:3])))
    steep = slope.norm()
    n = slope * (1 / steep)
    bends = swept(graph, [*slope], units[:3])
    touching = site.centre.position + site.support(n)[1]
    rest = touching - place - n * s
    columns = swept(graph, [*rest], units)

    def at(x: Vector, g: Expression, *values: Sequence[Expression]) -> list[list[Expression]]:
        put = {a.node: b.node for a, b in zip((*place, s), (*x, g), strict=True)}
        return substituted(graph, [list(row) for row in values], put)

    def step(x: Vector, g: Expression) -> tuple[Vector, Expression]:
        r, grad, (value,), *by = at(x, g, [*rest], [*slope], [f], *columns)
        matrix, along = [Vector(*column) for column in by[:3]], Vector(*grad)
        left, right = solved(matrix, -Vector(*r)), solved(matrix, -Vector(*by[3]))
        change = -(value + along.dot(left)) / along.dot(right)
        return left + right * change, change

    def quadric(x: Vector) -> Quadric:
        (value,), grad, *bend = at(x, zero, [f], [*slope], *bends)
        return Quadric(value, Vector(*grad), [Vector(*column) for column in bend])

    assert site.oval is not None
    x, g, first = oval_towards(quadric, site.centre.position, site.oval)
    change = x, g
    for _ in range(LEVEL_STEPS):
        change = step(x, g)
        x, g = x + change[0], g + change[1]
    normal, point = at(x, g, [*n], [*touching])
    arm = Vector(*point) - site.centre.position
    error = change[0].dot(change[0]) + change[1] * change[1]
    along = [e * size for e, size in zip(site.oval.axes, site.oval.sizes, strict=True)]
    holds = (arm.dot(arm) + g * g) * _SETTLED**2 - error
    for condition in (first - g, *least_at(quadric, x, g + site.oval.tube, along)):
        holds = holds.binary("min", condition)
    held = holds.required(code)
    x, g = Vector(*(entry.frozen_unless(held) for entry in x)), g.frozen_unless(held)
    for _ in range(2):
        moved = step(x, g)
        x, g = x + moved[0], g + moved[1]
    normal, point = at(x, g, [*n], [*touching])
    return g, Vector(*normal), Vector(*point)


def _unit(v: Vector) -> Vector:
    return v * (1 / v.norm())
