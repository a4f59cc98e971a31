r"""Coulomb friction of a joint under its own reaction: a journal turning, a slide pushed.

    Q = -mu h N g(h u),    N = N_0 + |F_1| + |F_2| + ...

N sums the forces between the surfaces, h is the lever of the friction: the radius of a journal, 1
of a slide; g is the step of dry friction made smooth (`eomc.derive.contacts.friction.slip`). Of the
reaction (F, M) of parent on child in the joint frame, with the axis e,

    one surface         F_1 = F - (F.e) e
    two, a span apart   F_1,2 = (F - (F.e) e)/2 -+ e x M/span
    a collar            h |F.e| with its own lever h: what presses along the axis of a journal
    a width             2 |M.e|/width: what a slide holds about its axis

F and M depend on the accelerations, which depend on Q, and in loops and under constraints on their
multipliers: the system solves them together. References:
Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, vol. I, sec. 10.4; Pfeiffer
and Glocker, *Multibody Dynamics with Unilateral Contacts*, sec. 5.3, for what jams.
"""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.friction.slip import FORMS, slipping
from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.fields.field import Number, OptionalNumber, choice, number, speed
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.forces.own_speed import check_own_speed
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.joints.joint import Joint
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import AllLoads, Scene

_TURNS = "rad/s"


@kind("bearing")
class Bearing(ForceElement):
    """Coulomb friction of a hinge or a slide under the joint's own reaction."""

    speed: str = speed("of the joint that rubs")
    friction: Number = number("", "coefficient mu")
    radius: OptionalNumber = number("m", "of the journal, of a joint that turns", default=None)
    span: OptionalNumber = number("m", "between two surfaces along the axis", default=None)
    collar: Number = number("m", "radius of the collar, of a joint that turns", default=0)
    width: OptionalNumber = number(
        "m", "across a slide, which holds it about its axis", default=None
    )
    preload: Number = number("N", "force between the surfaces without reaction", default=0)
    slip_speed: Number = number("m/s", "eps", default=1e-3)
    regularization: str = choice(*FORMS, default="root")
    minimum_load: Number = number("N", "over which a force counts smoothly", default=1e-6)

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """None without the reaction."""

    def reacts_to(self) -> str | None:
        """Its joint."""
        return self.speed

    def references(self) -> tuple[str, ...]:
        """Nothing of its joint, which may close a loop and rubs there as well."""
        return tuple(name for name in super().references() if name != self.speed)

    def dissipates(self, model: Mechanism, values: Mapping[str, float]) -> bool:
        """By friction, which is not negative."""
        return True

    def resistance(self, scene: Scene, force: Vector, moment: Vector) -> Expression:
        """Q = -mu h N g(h u)."""
        axis = scene.scalars.vector(self._joint(scene).direction)
        lever = scene.tree.zero + 1 if self.radius is None else scene.scalar(self.radius)
        slip = lever * scene.variables[f"speed({self.speed})"]
        zero = scene.tree.zero
        g = slipping(Vector(slip, zero, zero), scene.scalar(self.slip_speed), self.regularization).x
        held = lever * self._pressing(scene, axis, force, moment)
        held = held + scene.scalar(self.collar) * self._size(scene, axis * axis.dot(force))
        return -(scene.scalar(self.friction) * held * g)

    def _pressing(self, scene: Scene, axis: Vector, force: Vector, moment: Vector) -> Expression:
        """N, the collar left out."""
        total = scene.scalar(self.preload)
        across = force - axis * axis.dot(force)
        if self.span is None:
            total = total + self._size(scene, across)
        else:
            pair = axis.cross(moment) * (1 / scene.scalar(self.span))
            half = across * (scene.tree.zero + 0.5)
            total = total + self._size(scene, half + pair) + self._size(scene, half - pair)
        if self.width is not None:
            turning = axis * (axis.dot(moment) * 2 / scene.scalar(self.width))
            total = total + self._size(scene, turning)
        return total

    def _size(self, scene: Scene, force: Vector) -> Expression:
        """|F|, smooth and zero at zero: F.F/sqrt(F.F + minimum_load^2)."""
        square, least = force.dot(force), scene.scalar(self.minimum_load)
        return square / (square + least * least).sqrt()

    def _joint(self, scene: Scene) -> Joint:
        return next(joint for joint in scene.joints.values() if self.speed in joint.speeds)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """A hinge or a slide, and sizes."""
        check_own_speed(model, self.speed)
        (joint,) = (joint for joint in model.joints.values() if self.speed in joint.speeds)
        speeds = joint.declaration.speeds
        if joint.axis is None or len(speeds) != 1 or joint.declaration.takes != ("axis",):
            raise ModelError(
                f"joint {joint.name!r} is of kind {joint.kind!r}; bearings are of joints that turn "
                "about or slide along one axis"
            )
        turns = speeds[0].unit == _TURNS
        if turns and self.radius is None:
            raise ModelError(f"joint {joint.name!r} turns; give the radius of the journal")
        if not turns and (self.radius is not None or self.collar):
            raise ModelError(f"joint {joint.name!r} slides; leave out radius and collar")
        if turns and self.width is not None:
            raise ModelError(f"joint {joint.name!r} turns; leave out width")
        for word in ("friction", "collar", "preload"):
            not_negative(getattr(self, word), word, values)
        for word in ("radius", "span", "width", "slip_speed", "minimum_load"):
            if getattr(self, word) is not None:
                positive(getattr(self, word), word, values)
