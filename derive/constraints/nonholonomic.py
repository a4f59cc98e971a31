"""Constraints linear in the speeds: rolling without slip, the knife edge, expressions of the user.

A disc of radius R with the axis n touches the plane with the unit normal m at

    c - R (m - (m.n) n) / |m - (m.n) n|,

a sphere at c - R m. Its material point there has no velocity along the plane; that the centre keeps
its height is a holonomic row. Reference: Neimark and Fufaev, *Dynamics of Nonholonomic Systems*.
"""

from __future__ import annotations

from collections.abc import Iterator

from eomc.derive.constraints.pair import body_frames
from eomc.derive.constraints.rows import Row, register
from eomc.derive.forces.loads import Scene
from eomc.derive.geometry import Vector
from eomc.derive.model.constraint import Constraint
from eomc.derive.model.joint import normal_directions, unit_vector
from eomc.derive.model.naming import WORLD


@register("velocity")
def velocity(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """psi(q, u, t), linear in u"""
    residual = scene.scalar(constraint.expression)
    yield Row(constraint.name, "velocity", residual, holonomic=False)


@register("knife_edge")
def knife_edge(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """The point a does not move along axis_a, a direction of its body."""
    assert constraint.a is not None and constraint.axis_a is not None
    across = scene.scalars.vector(unit_vector(constraint.axis_a, "axis_a"))
    _, blade = body_frames(scene, (WORLD, constraint.a.body))
    velocity = blade.velocity(scene.scalars.vector(constraint.a.xyz))
    slip = across.dot(blade.axes.to_child(velocity))
    yield Row(constraint.name, "slip", slip, holonomic=False)


@register("rolling")
def rolling(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """A disc (axis_a given) or a sphere of radius `length` and centre a on the plane through b."""
    assert constraint.a is not None and constraint.b is not None and constraint.axis_b is not None
    wheel, ground = body_frames(scene, (constraint.a.body, constraint.b.body))
    m_local = unit_vector(constraint.axis_b, "axis_b")
    m = ground.direction(scene.scalars.vector(m_local))
    radius = scene.scalar(constraint.length)
    centre = scene.scalars.vector(constraint.a.xyz)
    foot = scene.scalars.vector(constraint.b.xyz)
    down = m
    if constraint.axis_a is not None:
        n = wheel.direction(scene.scalars.vector(unit_vector(constraint.axis_a, "axis_a")))
        upright = m - n * m.dot(n)
        down = upright * (1 / upright.dot(upright).sqrt())
    height = m.dot(wheel.point(centre) - ground.point(foot)) - radius * m.dot(down)
    yield Row(constraint.name, "height", height)
    contact = wheel.point(centre) - down * radius
    slip = _velocity_at(wheel.v, wheel.w, wheel.origin, contact)
    slip = slip - _velocity_at(ground.v, ground.w, ground.origin, contact)
    for label, t in zip(("1", "2"), normal_directions(m_local), strict=True):
        along = ground.direction(scene.scalars.vector(t))
        yield Row(constraint.name, f"slip_{label}", along.dot(slip), holonomic=False)


def _velocity_at(v: Vector, w: Vector, origin: Vector, point: Vector) -> Vector:
    return v + w.cross(point - origin)
