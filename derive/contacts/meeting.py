"""A site of a shape and a surface, with all that laws ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from eomc.derive.contacts.friction import Sliding
from eomc.derive.contacts.normal_laws.penetration import Depth, depth
from eomc.derive.contacts.pairs.form import PairForm
from eomc.derive.contacts.shapes import Shape
from eomc.derive.contacts.surfaces import Surface
from eomc.derive.geometry import SpatialForce, Vector
from eomc.derive.graph import Expression
from eomc.derive.graph.columns import swept
from eomc.derive.scene.fixed_at import fixed_at
from eomc.derive.scene.loads import BodyPoint, Loads, Scene
from eomc.derive.tree.link import WORLD


@dataclass(frozen=True, eq=False)
class Meeting:
    """Gap [m], its gradient from the surface to the shape, the points of both that touch."""

    scene: Scene
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
        """Depth of the two bodies in each other, its slope and its rate."""
        return depth(self.gap, self.gap_rate, width, smoothing)

    def sliding(self, pressing: Expression) -> Sliding:
        """Normal force, slip and directions, which a law of friction may look at."""
        n = self.normal if self.is_distance else self.normal * (1 / self.normal.norm())
        return Sliding(pressing, self.slip, self.tangents, n, self._rolling, lambda: self._spin(n))

    def _rolling(self) -> Vector:
        """Of the point of contact along the surface, over the surface and the shape in the mean."""
        (rates,) = swept(self.gap.graph, [*self.upper.position], [self.scene.passing])
        over = Vector(*rates) - self.lower.velocity - self.slip * (self.gap * 0 + 0.5)
        n = self.normal
        return over - n * (n.dot(over) / n.dot(n))

    def _spin(self, n: Vector) -> Expression:
        """n.(w_shape - w_surface) [rad/s]."""
        return n.dot(self._turning())

    def _turning(self) -> Vector:
        """w_shape - w_surface [rad/s]."""
        zero = self.scene.tree.zero_vector()
        w = [
            zero if at.link == WORLD else at.axes.to_parent(self.scene.twists[at.link].angular)
            for at in (self.upper, self.lower)
        ]
        return w[0] - w[1]

    def resistance(
        self, pressing: Expression, rolling: Expression, spinning: Expression, eps: Expression
    ) -> Vector:
        """-N (b w_t/|w_t| + s w_n/|w_n|), with the turning w_t along the surface and w_n about its
        normal, both smooth below eps [rad/s], and the arms b and s [m]."""
        w, n = self._turning(), self.sliding(pressing).normal
        about = n * n.dot(w)
        shares = ((rolling, w - about), (spinning, about))
        first, second = (part * (arm / (part.dot(part) + eps * eps).sqrt()) for arm, part in shares)
        return (first + second) * -pressing

    def push(self, loads: Loads, force: Vector) -> None:
        """A force on the shape, and against it on the surface."""
        loads.add_force(self.upper, force)
        loads.add_force(self.lower, -force)

    def twist(self, loads: Loads, moment: Expression) -> None:
        """A moment about the unit normal on the shape, and against it on the surface."""
        self.turn(loads, self.sliding(moment).normal * moment)

    def turn(self, loads: Loads, about: Vector) -> None:
        """A moment on the shape, and against it on the surface."""
        still = self.scene.tree.zero_vector()
        for at, share in ((self.upper, about), (self.lower, -about)):
            wrench = SpatialForce(linear=still, angular=at.axes.to_child(share))
            loads.add_wrench(at.link, wrench)


def meetings(
    scene: Scene, shape: Shape, surface: Surface, name: str, form: PairForm | None = None
) -> Iterator[Meeting]:
    """One a site, of the shape or of the form of the pair."""
    carrier, tangents = surface.carrier(scene), surface.tangents(scene)
    if form is not None:
        centre = scene.point(shape.at.body, shape.at.xyz)
        touches = [(centre, touch) for touch in form.touches(scene, shape, surface)]
    else:
        touches = [(site.centre, surface.meet(scene, site)) for site in shape.sites(scene)]
    for k, (centre, touch) in enumerate(touches, 1):
        numbered = f"{name}.gap_{k}" if len(touches) > 1 else f"{name}.gap"
        yield Meeting(
            scene,
            touch.gap.named(numbered),
            touch.normal,
            fixed_at(scene, centre, touch.point),
            fixed_at(scene, carrier, touch.point),
            tangents,
            touch.is_distance,
        )
