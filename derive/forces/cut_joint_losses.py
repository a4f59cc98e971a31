"""Losses in joints that close loops, which have no speeds of their own.

The force -d u - f tanh(u / u_0) on the rate u of each freedom, written as a wrench between the two
bodies. With the axis n of the parent side, t1 and t2 normal to it, and n2' the second axis as the
child carries it, the wrench (moment m about the origin of the child-side frame, force f) does on
the motions of the joint the work of the forces Q_k:

    revolute, screw   m = Q n
    prismatic         f = Q n
    cylindrical       m = Q_1 n,  f = Q_2 n
    planar            f = Q_1 t1 + Q_2 t2,  m = Q_3 n
    universal         m.n = Q_1,  m.n2' = Q_2,  m in their plane
    spherical         m = Q, in the axes of the child side
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from eomc.derive.constraints.pair import Seen, body_frames, common_ancestor, seen
from eomc.derive.forces.loads import AllLoads, Scene, register
from eomc.derive.geometry import Rotation, Vector
from eomc.derive.graph import Expression
from eomc.derive.model.joint import Joint, normal_directions
from eomc.derive.model.scalar import is_zero
from eomc.derive.tree.link import WORLD


@dataclass(frozen=True)
class _Sides:
    """The two frames of a joint from the common ancestor: axes, origin, rates of child in parent
    (of the child-side origin, and angular), all in the ancestor's axes."""

    joint: Joint
    scene: Scene
    parent: Rotation
    child: Rotation
    origin: Vector
    v: Vector
    w: Vector

    @property
    def axis(self) -> Vector:
        """n"""
        return self._in_parent(self.joint.direction)

    @property
    def normals(self) -> tuple[Vector, Vector]:
        """t1, t2"""
        first, second = normal_directions(self.joint.direction)
        return self._in_parent(first), self._in_parent(second)

    @property
    def second_axis(self) -> Vector:
        """n2'"""
        own = self.scene.scalars.vector(self.joint.axis2 or (0, 1, 0))
        return self.child.to_parent(own)

    def _in_parent(self, local: object) -> Vector:
        return self.parent.to_parent(self.scene.scalars.vector(local))  # type: ignore[arg-type]


Loss = Callable[[int, Expression], Expression]
Wrench = tuple[Vector, Vector]
"""(force, moment)"""


def _turning(at: _Sides, loss: Loss) -> Wrench:
    n = at.axis
    return at.scene.tree.zero_vector(), n * loss(0, n.dot(at.w))


def _sliding(at: _Sides, loss: Loss) -> Wrench:
    n = at.axis
    return n * loss(0, n.dot(at.v)), at.scene.tree.zero_vector()


def _cylindrical(at: _Sides, loss: Loss) -> Wrench:
    n = at.axis
    return n * loss(1, n.dot(at.v)), n * loss(0, n.dot(at.w))


def _planar(at: _Sides, loss: Loss) -> Wrench:
    n, (t1, t2) = at.axis, at.normals
    force = t1 * loss(0, t1.dot(at.v)) + t2 * loss(1, t2.dot(at.v))
    return force, n * loss(2, n.dot(at.w))


def _universal(at: _Sides, loss: Loss) -> Wrench:
    """w = n u_1 + n2' u_2, solved for the rates, and the moment for its components."""
    n, n2 = at.axis, at.second_axis
    c = n.dot(n2)
    determinant = 1 - c * c

    def dual(x: Expression, y: Expression) -> tuple[Expression, Expression]:
        return (x - c * y) / determinant, (y - c * x) / determinant

    rates = dual(n.dot(at.w), n2.dot(at.w))
    first, second = dual(loss(0, rates[0]), loss(1, rates[1]))
    return at.scene.tree.zero_vector(), n * first + n2 * second


def _spherical(at: _Sides, loss: Loss) -> Wrench:
    rates = at.child.to_child(at.w)
    moment = Vector(*(loss(k, rate) for k, rate in enumerate(rates)))
    return at.scene.tree.zero_vector(), at.child.to_parent(moment)


_WRENCHES: dict[str, Callable[[_Sides, Loss], Wrench]] = {
    "revolute": _turning,
    "screw": _turning,
    "prismatic": _sliding,
    "cylindrical": _cylindrical,
    "planar": _planar,
    "universal": _universal,
    "spherical": _spherical,
}


@register("cut joint losses")
def cut_joint_losses(scene: Scene, loads: AllLoads) -> None:
    """Add the losses of joints that close loops."""
    for joint in scene.model.cuts():
        found = _lost(joint, scene)
        if found is not None:
            _act(joint, scene, loads, *found)


def loss_wrench(joint: Joint, scene: Scene) -> Wrench:
    """(force, moment about the origin of the child-side frame) of the losses of a cut joint on its
    child, in the axes of the common ancestor."""
    found = _lost(joint, scene)
    zero = scene.tree.zero_vector()
    return (zero, zero) if found is None else found[1]


def _lost(joint: Joint, scene: Scene) -> tuple[_Sides, Wrench] | None:
    if all(is_zero(entry) for entry in (*joint.damping, *joint.friction)):
        return None
    if joint.kind not in _WRENCHES:
        return None  # cannot close a loop at all; the constraint says so
    bodies = body_frames(scene, (joint.parent, joint.child))
    at = _sides(joint, scene, *bodies)
    return at, _WRENCHES[joint.kind](at, _loss(joint, scene))


def _sides(joint: Joint, scene: Scene, a: Seen, b: Seen) -> _Sides:
    inner = Rotation([scene.scalars.rotation(joint.placement.matrix)])
    outer = Rotation([scene.scalars.rotation(joint.child_placement.matrix)])
    origin = b.point(scene.scalars.vector(joint.child_placement.xyz))
    # Rates of the child side as the turning parent sees them.
    v = b.v + b.w.cross(origin - b.origin) - a.v - a.w.cross(origin - a.origin)
    return _Sides(joint, scene, a.axes @ inner, b.axes @ outer, origin, v, b.w - a.w)


def _loss(joint: Joint, scene: Scene) -> Loss:
    def loss(k: int, rate: Expression) -> Expression:
        slip = rate / scene.scalar(joint.friction_speed)
        damping, friction = scene.scalar(joint.damping[k]), scene.scalar(joint.friction[k])
        return -(damping * rate) - friction * slip.unary("tanh")

    return loss


def _act(joint: Joint, scene: Scene, loads: AllLoads, at: _Sides, wrench: Wrench) -> None:
    """On the child, and the opposite on the parent."""
    force, moment = wrench
    places = [scene.tree.pose_of[body][0] for body in (joint.parent, joint.child)]
    ancestor = common_ancestor(scene.tree, *places)
    for link, sign in zip(places, (-1, 1), strict=True):
        if link == WORLD:
            continue
        frame = seen(scene, link, ancestor)
        about = moment + (at.origin - frame.origin).cross(force)
        loads.other.add_wrench(
            link, frame.axes.to_child(force) * sign, frame.axes.to_child(about) * sign
        )
