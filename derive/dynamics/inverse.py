"""Inverse dynamics: the generalized forces that a given motion takes, in O(N).

tau = M(q) a + c(q, u), by the recursive Newton-Euler algorithm (Luh, Walker and Paul 1980;
Featherstone,
*Rigid Body Dynamics Algorithms*, sec. 5.3). Forward, every link's motion; at each body, the wrench
that the motion takes; backward, wrenches to the parent:

    f_p += R f,   n_p += R n + p x R f,   tau_k = S_k^T (n, f)
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eomc.derive.dynamics.kinematics import KinematicState
from eomc.derive.geometry import Acceleration, LinkPose, SpatialForce
from eomc.derive.geometry.spatial import reduced, summed
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, LinkCoordinate, LinkTree


@dataclass(frozen=True)
class GeneralizedForces:
    """Forces on the independent speeds, and on the prescribed ones."""

    free: list[Expression]
    prescribed: list[Expression]

    def __add__(self, other: GeneralizedForces) -> GeneralizedForces:
        return GeneralizedForces(
            list(map(operator.add, self.free, other.free)),
            list(map(operator.add, self.prescribed, other.prescribed)),
        )

    def __sub__(self, other: GeneralizedForces) -> GeneralizedForces:
        return GeneralizedForces(
            list(map(operator.sub, self.free, other.free)),
            list(map(operator.sub, self.prescribed, other.prescribed)),
        )

    def add(self, speed: LinkCoordinate, force: Expression) -> None:
        """Add the force on one speed of a link to that on the speed it refers to."""
        if speed.factor is not None:
            force = speed.factor * force
        forces = self.prescribed if speed.prescribed else self.free
        forces[speed.index] = forces[speed.index] + force


def inverse_dynamics(
    tree: LinkTree,
    state: KinematicState,
    pose: Sequence[LinkPose],
    motion: Sequence[Acceleration],
    *,
    external: Mapping[int, SpatialForce] | None = None,
) -> GeneralizedForces:
    """Forces that the motion takes.

    Parameters
    ----------
    motion : sequence of Acceleration
        Of every link in `state`; the base accelerates by minus gravity, so that weight is included.
    external : mapping link -> SpatialForce
        Wrenches that act on links from outside, about the link origin in link axes.
    """
    tau = GeneralizedForces([tree.zero] * tree.nu, [tree.zero] * len(tree.prescribed_names))
    transmitted_wrenches(tree, state, pose, motion, tau, external or {})
    for speed, armature in tree.armature.items():
        tau.free[speed] = tau.free[speed] + armature * state.a[speed]
    for index, armature in tree.prescribed_armature.items():
        share = armature * state.s_acceleration[index]
        tau.prescribed[index] = tau.prescribed[index] + share
    return tau


def transmitted_wrenches(
    tree: LinkTree,
    state: KinematicState,
    pose: Sequence[LinkPose],
    motion: Sequence[Acceleration],
    tau: GeneralizedForces,
    external: Mapping[int, SpatialForce],
) -> list[SpatialForce]:
    """Wrenches that the links take from those they hang on; adds to `tau` what they and internal
    coordinates take."""
    wrenches: list[SpatialForce] = []
    for index, (link, at) in enumerate(zip(tree.links, motion, strict=True)):
        taken = link.body.forces(at, state.speeds(link), state.accelerations(link))
        wrench = taken.wrench
        if index in external:
            wrench = reduced(wrench, external[index])
        for own, s in zip(link.speeds, taken.internal, strict=False):
            tau.add(own, s)
        wrenches.append(wrench)
    project_wrenches(tree, pose, wrenches, tau)
    return wrenches


def project_wrenches(
    tree: LinkTree, pose: Sequence[LinkPose], wrenches: list[SpatialForce], tau: GeneralizedForces
) -> None:
    """Backward recursion: adds S^T of the wrench carried by each joint to `tau`."""
    for index in reversed(range(len(tree.links))):
        link, at = tree.links[index], pose[index]
        for s, speed in zip(at.columns, link.speeds, strict=True):
            tau.add(speed, s.dot(wrenches[index]))
        if link.parent != WORLD:
            on_parent = at.to_parent(wrenches[index])
            wrenches[link.parent] = summed(wrenches[link.parent], on_parent)
