"""Uses of spatial vectors for the type checker; it must refuse every line that says "refused"."""

from eomc.derive.geometry import (
    Inertia,
    LinkPose,
    SpatialForce,
    SpatialMomentum,
    SpatialMotion,
    Vector,
)
from eomc.derive.graph import Expression


def right(inertia: Inertia, at: LinkPose, s: SpatialMotion, f: SpatialForce) -> Expression:
    momentum: SpatialMomentum = at.to_parent(inertia @ s)
    wrench: SpatialForce = at.to_parent(f) + momentum * 2
    power = s.dot(wrench) + at.to_child(s).dot(s.cross_force(momentum))
    return power + s.cross(s).dot(SpatialForce(linear=f.linear, angular=f.angular))


def exchanged(inertia: Inertia, at: LinkPose, s: SpatialMotion, f: SpatialForce, v: Vector) -> None:
    h = inertia @ s
    SpatialForce(v, v)  # refused: parts without names
    SpatialMotion(linear=v)  # refused: a part is missing
    SpatialForce(linear=v, angular=s)  # refused: a vector for a part
    list(s)  # refused: parts by their order
    f[0].norm()  # refused: a part by its place
    f.dot(s)  # refused: a force along a motion
    s.dot(s)  # refused: two motions
    s.cross(f)  # refused: the derivative of a force as that of a motion
    s.cross_force(s)  # refused: the derivative of a motion as that of a force
    list((s + f).entries)  # refused: a motion and a force
    list((f - s).entries)  # refused: a force and a motion
    list((h + f).entries)  # refused: a force added to a momentum
    at.to_parent(s)  # refused: a motion transformed as a force
    at.to_child(f)  # refused: a force transformed as a motion
    list((inertia @ f).entries)  # refused: the inertia of a force
    known: list[SpatialMomentum] = [h]
    known.append(f)  # refused: any force for a momentum
