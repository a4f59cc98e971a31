"""Energy, momentum and centre of mass of the whole mechanism.

Of each body p = m v + w x h and L = J w + h x v about its link origin; momenta travel to the base
as wrenches do, energies add.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eomc.derive.dynamics.kinematics import Pose, State
from eomc.derive.dynamics.mass_matrix import composite_inertias
from eomc.derive.geometry import Inertia, Rotation, Vector
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, Tree

Twist = tuple[Vector, Vector]


def kinetic_energy(tree: Tree, state: State, twist: Sequence[Twist]) -> Expression:
    """T = sum (p . v + L . w + pi . xi') / 2, and the share of the rotors, I u^2 / 2."""
    double = tree.zero
    for link, (w, v) in zip(tree.links, twist, strict=True):
        rates = state.speeds(link)
        p, angular, internal = link.body.momentum(w, v, rates)
        double = double + p.dot(v) + angular.dot(w)
        for pi, rate in zip(internal, rates, strict=False):
            double = double + pi * rate
    for speed, armature in tree.armature.items():
        double = double + armature * state.u[speed] * state.u[speed]
    for index, armature in tree.prescribed_armature.items():
        double = double + armature * state.s_rate[index] * state.s_rate[index]
    return double * Fraction(1, 2)


def total_inertia(tree: Tree, pose: Sequence[Pose], *, ground: bool) -> Inertia:
    """Inertia of the mechanism about the world origin, in world axes, locked in its
    configuration."""
    total = tree.ground if ground else Inertia.zero(tree.zero)
    composite = composite_inertias(tree, pose)
    for link, at, inertia in zip(tree.links, pose, composite, strict=True):
        if link.parent == WORLD:
            total = total + inertia.rotated(at.rotation).shifted(at.origin)
    return total


def gravitational_energy(tree: Tree, pose: Sequence[Pose]) -> Expression:
    """V = -g . (sum of m c), zero with all mass at the world origin."""
    return -tree.gravity.dot(total_inertia(tree, pose, ground=True).first)


def momentum(
    tree: Tree, state: State, pose: Sequence[Pose], twist: Sequence[Twist]
) -> tuple[Vector, Vector]:
    """(linear, angular about the world origin) momentum in world axes; rotors not counted."""
    zero = tree.zero_vector()
    carried = [
        link.body.momentum(w, v, state.speeds(link))[:2]
        for link, (w, v) in zip(tree.links, twist, strict=True)
    ]
    total_p, total_l = zero, zero
    for index in reversed(range(len(tree.links))):
        parent, at = tree.links[index].parent, pose[index]
        p = at.rotation.to_parent(carried[index][0])
        angular = at.rotation.to_parent(carried[index][1]) + at.origin.cross(p)
        if parent == WORLD:
            total_p, total_l = total_p + p, total_l + angular
        else:
            carried[parent] = (carried[parent][0] + p, carried[parent][1] + angular)
    return total_p, total_l


def center_of_mass(tree: Tree, pose: Sequence[Pose]) -> Vector:
    """Centre of mass of all moving bodies, in the world frame; what is welded to the base is
    ground."""
    total = total_inertia(tree, pose, ground=True)
    return total.first * (1 / total.mass)


def center_of_mass_jacobian(
    tree: Tree, pose: Sequence[Pose], world: Sequence[tuple[Rotation, Vector]]
) -> list[Vector]:
    """Columns of J with v_com = J u: linear momentum of each unit speed over the mass."""
    inverse_mass = 1 / total_inertia(tree, pose, ground=True).mass
    columns = [tree.zero_vector() for _ in range(tree.nu)]
    composite = composite_inertias(tree, pose)
    for index, link in enumerate(tree.links):
        coupling: Sequence[tuple[Vector, Vector] | None] = link.body.coupling()
        coupling = coupling or [None] * len(link.speeds)
        for speed, (angular, linear), own in zip(
            link.speeds, pose[index].columns, coupling, strict=True
        ):
            if speed.prescribed:
                continue
            p, _ = composite[index].momentum(angular, linear)
            if own is not None:
                p = p + own[0]
            column = world[index][0].to_parent(p) * inverse_mass
            if speed.factor is not None:
                column = column * speed.factor
            columns[speed.index] = columns[speed.index] + column
    return columns
