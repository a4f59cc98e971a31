"""A site of a shape and a surface, with all that laws ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from eomc.derive.contacts.friction import Sliding
from eomc.derive.contacts.normal_laws.penetration import Depth, depth
from eomc.derive.contacts.shapes import Shape
from eomc.derive.contacts.surfaces import Surface
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.scene.fixed_at import fixed_at
from eomc.derive.scene.loads import BodyPoint, Loads, Scene


@dataclass(frozen=True, eq=False)
class Meeting:
    """Gap [m], its gradient from the surface to the shape, the points of both that touch."""

    gap: Expression
    normal: Vector
    upper: BodyPoint
    lower: BodyPoint
    tangents: tuple[Vector, Vector] | None
    is_distance: bool

    @property
    def velocity(self) -> Vector:
        """Of the shape's material point against the surface's."""
        return self.upper.velocity - self.lower.velocity

    @property
    def gap_rate(self) -> Expression:
        """n.(v_shape - v_surface) [m/s]."""
        return self.normal.dot(self.velocity)

    @property
    def slip(self) -> Vector:
        """(1 - n n^T)(v_shape - v_surface) [m/s]."""
        share, n = self.gap_rate, self.normal
        return self.velocity - n * (share if self.is_distance else share / n.dot(n))

    def depth(self, width: Expression, smoothing: str) -> Depth:
        """How deep they are in each other."""
        return depth(self.gap, self.gap_rate, width, smoothing)

    def sliding(self, pressing: Expression) -> Sliding:
        """What friction may look at."""
        return Sliding(pressing, self.slip, self.tangents)

    def push(self, loads: Loads, force: Vector) -> None:
        """A force on the shape, and against it on the surface."""
        loads.add_force(self.upper, force)
        loads.add_force(self.lower, -force)


def meetings(scene: Scene, shape: Shape, surface: Surface, name: str) -> Iterator[Meeting]:
    """One a site."""
    carrier, tangents = surface.carrier(scene), surface.tangents(scene)
    for k, site in enumerate(shape.sites(scene), 1):
        touch = surface.touch(scene, site)
        numbered = f"{name}.gap_{k}" if shape.count() > 1 else f"{name}.gap"
        yield Meeting(
            touch.gap.named(numbered),
            touch.normal,
            fixed_at(scene, site.centre, touch.point),
            fixed_at(scene, carrier, touch.point),
            tangents,
            touch.is_distance,
        )
