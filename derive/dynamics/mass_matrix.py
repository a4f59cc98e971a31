"""Mass matrix by composite bodies.

M_kl = S_k^T I_c S_l with the composite inertia I_c of the subtree that the deeper of the two speeds
moves: composites add up from the tips, then each column's momentum travels to the base and meets
the motion subspace of every ancestor. Branches that share no joint never meet, so M keeps their
sparsity. Reference: Walker and Orin 1982; Featherstone, *Rigid Body Dynamics Algorithms*, sec. 6.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eomc.derive.dynamics.kinematics import Pose
from eomc.derive.geometry import Inertia, Vector
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, Coordinate, Tree

Lower = dict[tuple[int, int], Expression]
"""Entries (k, l), k >= l, of a symmetric matrix; absent entries are structural zeros."""


def composite_inertias(tree: Tree, pose: Sequence[Pose]) -> list[Inertia]:
    """Inertia of the subtree of each link, locked, about the link origin in link axes."""
    composite = [link.body.inertia for link in tree.links]
    for index in reversed(range(len(tree.links))):
        parent = tree.links[index].parent
        if parent != WORLD and not composite[index].is_zero:
            at = pose[index]
            carried = composite[index].rotated(at.rotation).shifted(at.origin)
            composite[parent] = composite[parent] + carried
    return composite


def mass_matrix(tree: Tree, pose: Sequence[Pose]) -> Lower:
    """Lower triangle of M(q) over the independent speeds."""
    entries: Lower = {}

    def add(row: Coordinate, column: Coordinate, value: Expression, *, same_link: bool) -> None:
        if row.prescribed or column.prescribed or value.is_zero:
            return
        for factor in (row.factor, column.factor):
            if factor is not None:
                value = factor * value
        if row.index == column.index and not same_link:
            value = 2 * value  # one speed moves both links: the pair enters as (k, l) and as (l, k)
        key = (max(row.index, column.index), min(row.index, column.index))
        entries[key] = entries[key] + value if key in entries else value

    composite = composite_inertias(tree, pose)
    for index, link in enumerate(tree.links):
        columns = list(zip(link.speeds, pose[index].columns, strict=True))
        for k, (speed, (angular, linear)) in enumerate(columns):
            p, h = composite[index].momentum(angular, linear)
            for other, (w, v) in columns[: k + 1]:
                add(speed, other, w.dot(h) + v.dot(p), same_link=True)
            _meet_ancestors(tree, pose, index, speed, p, h, add)
        body = link.body
        for k, (row, (p, h)) in enumerate(zip(body.internal_speeds, body.coupling(), strict=True)):
            for column, mass in zip(
                body.internal_speeds[: k + 1], body.internal_mass()[k], strict=False
            ):
                add(Coordinate(row), Coordinate(column), mass, same_link=True)
            for other, (w, v) in columns:
                add(Coordinate(row), other, w.dot(h) + v.dot(p), same_link=False)
            _meet_ancestors(tree, pose, index, Coordinate(row), p, h, add)
    for speed, armature in tree.armature.items():
        add(Coordinate(speed), Coordinate(speed), armature, same_link=True)
    for (row, column), value in entries.items():
        value.named(f"M[{tree.speed_names[row]}, {tree.speed_names[column]}]")
    return entries


def _meet_ancestors(
    tree: Tree,
    pose: Sequence[Pose],
    index: int,
    speed: Coordinate,
    p: Vector,
    h: Vector,
    add: Callable[..., None],
) -> None:
    """Carry the momentum (p, h) to the base; S^T (h, p) of each ancestor is an entry of M."""
    while tree.links[index].parent != WORLD:
        at = pose[index]
        p = at.rotation.to_parent(p)
        h = at.rotation.to_parent(h) + at.origin.cross(p)
        index = tree.links[index].parent
        for other, (w, v) in zip(tree.links[index].speeds, pose[index].columns, strict=True):
            add(speed, other, w.dot(h) + v.dot(p), same_link=False)
