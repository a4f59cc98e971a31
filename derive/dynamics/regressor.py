"""The regressor of inverse dynamics: its dependence on the inertial numbers of the bodies, exact.

Newton's and Euler's equations are linear in the ten numbers of a rigid body about the origin of
its own frame, mass m, first moment h = m c and rotational inertia J:

    f = a m + U h,    n = J w' + w x J w + h x a.

A unit of each gives a column of the wrench; along the motion of a speed (w_j, v_j) of the body,
column by column,

    tau_j = w_j . n + v_j . f.

Reference: Atkeson, An and Hollerbach, *Estimation of inertial parameters of manipulator loads and
links*, Int. J. Robotics Research 5(3), 1986.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eomc.derive.dynamics.frames import FixedFrame
from eomc.derive.geometry import (
    Acceleration,
    AccelerationMatrix,
    LinkPose,
    SpatialForce,
    SpatialMotion,
    Vector,
)
from eomc.derive.graph.columns import Columns
from eomc.derive.tree.link import WORLD, LinkCoordinate, LinkTree

INERTIAL = ("m", "hx", "hy", "hz", "Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz")
"""The ten numbers of a body, in this order: kg, kg m, kg m^2; Jxy is the entry of the matrix."""


def regressor(
    tree: LinkTree,
    pose: Sequence[LinkPose],
    motion: Sequence[Acceleration],
    bodies: Sequence[FixedFrame],
) -> Columns:
    """Ten columns of generalized forces for each of the bodies, given by the frames that they have
    in their links."""
    columns: Columns = []
    for motions, at in body_motions(tree, pose, motion, bodies):
        for wrench in unit_wrenches(at):
            tau = [tree.zero] * tree.nu
            for speed, column in motions.items():
                tau[speed] = column.dot(wrench)
            columns.append(tau)
    return columns


def body_motions(
    tree: LinkTree,
    pose: Sequence[LinkPose],
    motion: Sequence[Acceleration],
    bodies: Sequence[FixedFrame],
) -> Iterator[tuple[dict[int, SpatialMotion], Acceleration]]:
    """Motions of each body's frame at a unit of each free speed that moves it, in its axes, and its
    acceleration."""
    units = _unit_motions(tree, pose)
    for body in bodies:
        found: dict[int, SpatialMotion] = {}
        for speed, column in units[body.link]:
            own = _at(body, column)
            if speed.factor is not None:
                own = own * speed.factor
            known = found.get(speed.index)
            found[speed.index] = own if known is None else known + own
        yield found, _acceleration(body, motion[body.link])


def unit_wrenches(at: Acceleration) -> Iterator[SpatialForce]:
    """Wrench that the motion takes of a body with one of the ten numbers 1, others 0."""
    for moment, force in _moments_and_forces(at):
        yield SpatialForce(linear=force, angular=moment)


def _moments_and_forces(at: Acceleration) -> Iterator[tuple[Vector, Vector]]:
    """Column by column: m, h, J."""
    w, alpha, a = at.w, at.alpha, at.a
    zero = w.x * 0
    none = Vector(zero, zero, zero)
    yield none, a
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = at.u.rows
    yield Vector(zero, -a.z, a.y), Vector(xx, yx, zx)
    yield Vector(a.z, zero, -a.x), Vector(xy, yy, zy)
    yield Vector(-a.y, a.x, zero), Vector(xz, yz, zz)
    wyz, wxz, wxy = w.y * w.z, w.x * w.z, w.x * w.y
    yield Vector(alpha.x, wxz, -wxy), none
    yield Vector(-wyz, alpha.y, wxy), none
    yield Vector(wyz, -wxz, alpha.z), none
    yield Vector(alpha.y - wxz, alpha.x + wyz, xx - yy), none
    yield Vector(alpha.z + wxy, zz - xx, alpha.x - wyz), none
    yield Vector(yy - zz, alpha.z - wxy, alpha.y + wxz), none


def _unit_motions(
    tree: LinkTree, pose: Sequence[LinkPose]
) -> list[list[tuple[LinkCoordinate, SpatialMotion]]]:
    """Motion of each link at a unit of each free speed that moves it, link axes and origin."""
    motions: list[list[tuple[LinkCoordinate, SpatialMotion]]] = []
    for link, at in zip(tree.links, pose, strict=True):
        above = [] if link.parent == WORLD else motions[link.parent]
        moved = [(speed, at.to_child(column)) for speed, column in above]
        own = zip(link.speeds, at.columns, strict=True)
        motions.append([*moved, *((s, column) for s, column in own if not s.prescribed)])
    return motions


def _at(body: FixedFrame, motion: SpatialMotion) -> SpatialMotion:
    """A motion of the link as one of the body's frame."""
    return LinkPose(body.rotation, body.origin).to_child(motion)


def _acceleration(body: FixedFrame, link: Acceleration) -> Acceleration:
    """The acceleration of the body's frame."""
    w, alpha = body.rotation.to_child(link.w), body.rotation.to_child(link.alpha)
    a = body.rotation.to_child(link.a + link.u @ body.origin)
    return Acceleration(w, alpha, AccelerationMatrix(w, alpha), a)
