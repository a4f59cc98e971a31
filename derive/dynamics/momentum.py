"""Energy, momentum and centre of mass of the whole mechanism.

Of each body p = m v + w x h and L = J w + h x v about its link origin; momenta travel to the base
as wrenches do, energies add.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eomc.derive.dynamics.kinematics import KinematicState
from eomc.derive.dynamics.mass_matrix import CompositeInertias
from eomc.derive.geometry import Inertia, LinkPose, Rotation, SpatialMomentum, SpatialMotion, Vector
from eomc.derive.geometry.spatial import summed
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, LinkTree


def kinetic_energy(
    tree: LinkTree, state: KinematicState, twist: Sequence[SpatialMotion]
) -> Expression:
    """T = sum (p . v + L . w + pi . xi') / 2, and the share of the rotors, I u^2 / 2."""
    double = tree.zero
    for link, v in zip(tree.links, twist, strict=True):
        rates = state.speeds(link)
        momentum, internal = link.body.momentum(v, rates)
        double = double_energy(double, v, momentum)
        for pi, rate in zip(internal, rates, strict=False):
            double = double + pi * rate
    for speed, armature in tree.armature.items():
        double = double + armature * state.u[speed] * state.u[speed]
    for index, armature in tree.prescribed_armature.items():
        double = double + armature * state.s_rate[index] * state.s_rate[index]
    return double * Fraction(1, 2)


def double_energy(
    before: Expression, twist: SpatialMotion, momentum: SpatialMomentum
) -> Expression:
    """2 T of one body, p . v + L . w, added to what stood `before`."""
    before = before + momentum.linear.dot(twist.linear)
    return before + momentum.angular.dot(twist.angular)


def total_inertia(
    tree: LinkTree, pose: Sequence[LinkPose], composite: CompositeInertias
) -> Inertia:
    """Inertia of the mechanism about the world origin, in world axes, locked in its
    configuration."""
    total = tree.ground
    for index, link in enumerate(tree.links):
        if link.parent == WORLD:
            at = pose[index]
            total = total + composite.of(index).carried(at.rotation, at.origin)
    return total


def gravitational_energy(tree: LinkTree, total: Inertia) -> Expression:
    """V = -g . (sum of m c), zero with all mass at the world origin."""
    return -tree.gravity.dot(total.first)


def momentum(
    tree: LinkTree, state: KinematicState, pose: Sequence[LinkPose], twist: Sequence[SpatialMotion]
) -> SpatialMomentum:
    """Momentum about the world origin, in world axes; rotors not counted."""
    carried = {WORLD: SpatialMomentum.zero(tree.zero_vector())}
    for index, (link, v) in enumerate(zip(tree.links, twist, strict=True)):
        carried[index], _ = link.body.momentum(v, state.speeds(link))
    for index in reversed(range(len(tree.links))):
        parent = tree.links[index].parent
        carried[parent] = summed(carried[parent], pose[index].to_parent(carried[index]))
    return carried[WORLD]


def center_of_mass_jacobian(
    tree: LinkTree,
    pose: Sequence[LinkPose],
    world: Sequence[tuple[Rotation, Vector]],
    composite: CompositeInertias,
    total: Inertia,
) -> list[Vector]:
    """Columns of J with v_com = J u: linear momentum of each unit speed over the mass."""
    inverse_mass = 1 / total.mass
    columns = [tree.zero_vector() for _ in range(tree.nu)]
    for index, link in enumerate(tree.links):
        coupling: Sequence[SpatialMomentum | None] = link.body.coupling()
        coupling = coupling or [None] * len(link.speeds)
        for speed, s, own in zip(link.speeds, pose[index].columns, coupling, strict=True):
            if speed.prescribed:
                continue
            p = (composite.of(index) @ s).linear
            if own is not None:
                p = p + own.linear
            column = world[index][0].to_parent(p) * inverse_mass
            if speed.factor is not None:
                column = column * speed.factor
            columns[speed.index] = columns[speed.index] + column
    return columns
