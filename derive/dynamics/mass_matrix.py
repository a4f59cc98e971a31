"""Mass matrix by composite bodies.

M_kl = S_k^T I_c S_l with the composite inertia I_c of the subtree that the deeper of the two speeds
moves. Composites add up from the tips; as soon as a link's is there, the momentum of its columns
travels to the base and meets the motion subspace of every ancestor, and of a limb that is done one
inertia is left to carry on. Branches that share no joint never meet, so M keeps their sparsity.
Reference: Walker and Orin 1982; Featherstone, *Rigid Body Dynamics Algorithms*, sec. 6.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Inertia, LinkPose, SpatialMomentum
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, LinkCoordinate, LinkTree

Lower = dict[tuple[int, int], Expression]
"""Entries (k, l), k >= l, of a symmetric matrix; absent entries are structural zeros."""


class CompositeInertias:
    """Inertia of the subtree of each link, locked, about the link origin in link axes.

    They are added up from the tips down to the link that is asked for, once.
    """

    def __init__(self, tree: LinkTree, pose: Sequence[LinkPose]) -> None:
        self._tree, self._pose = tree, pose
        self._inertias = [link.body.inertia for link in tree.links]
        self._added = len(tree.links)
        """From this link on they are in their parents."""

    def of(self, index: int) -> Inertia:
        """The link and all that hangs on it."""
        inertias = self._inertias
        while self._added > index + 1:
            self._added -= 1
            child, at = inertias[self._added], self._pose[self._added]
            parent = self._tree.links[self._added].parent
            if parent != WORLD and not child.is_zero:
                inertias[parent] = inertias[parent] + child.carried(at.rotation, at.origin)
        return inertias[index]


class _Entries:
    """Lower triangle of M while pairs of columns are met."""

    def __init__(self) -> None:
        self.lower: Lower = {}

    def add(
        self, k: LinkCoordinate, j: LinkCoordinate, value: Expression, *, same_link: bool
    ) -> None:
        """Add the share of one pair of columns; prescribed speeds have no row."""
        if k.prescribed or j.prescribed or value.is_zero:
            return
        for factor in (k.factor, j.factor):
            if factor is not None:
                value = factor * value
        if k.index == j.index and not same_link:
            value = 2 * value  # one speed moves both links: the pair enters as (k, j) and (j, k)
        key = (max(k.index, j.index), min(k.index, j.index))
        self.lower[key] = self.lower[key] + value if key in self.lower else value


def mass_matrix(tree: LinkTree, pose: Sequence[LinkPose], composite: CompositeInertias) -> Lower:
    """Lower triangle of M(q) over the independent speeds."""
    entries = _Entries()
    for index, link in reversed(list(enumerate(tree.links))):
        columns = list(zip(link.speeds, pose[index].columns, strict=True))
        for k, (speed, s) in enumerate(columns):
            momentum = composite.of(index) @ s
            for other, s_other in columns[: k + 1]:
                entries.add(speed, other, s_other.dot(momentum), same_link=True)
            _meet_ancestors(tree, pose, index, speed, momentum, entries)
        if not link.body.is_rigid:
            _meet_internal_speeds(tree, pose, index, entries)
    for speed_index, armature in tree.armature.items():
        speed = LinkCoordinate(speed_index)
        entries.add(speed, speed, armature, same_link=True)
    for (i, j), value in entries.lower.items():
        value.named(f"M[{tree.speed_names[i]}, {tree.speed_names[j]}]")
    return entries.lower


def _meet_internal_speeds(
    tree: LinkTree, pose: Sequence[LinkPose], index: int, entries: _Entries
) -> None:
    """Columns of a deformable body's internal speeds: with each other, and with its ancestors."""
    link = tree.links[index]
    mass = link.body.internal_mass()
    for k, (speed, momentum) in enumerate(zip(link.speeds, link.body.coupling(), strict=True)):
        for other, entry in zip(link.speeds[: k + 1], mass[k], strict=False):
            entries.add(speed, other, entry, same_link=True)
        _meet_ancestors(tree, pose, index, speed, momentum, entries)


def _meet_ancestors(
    tree: LinkTree,
    pose: Sequence[LinkPose],
    index: int,
    speed: LinkCoordinate,
    momentum: SpatialMomentum,
    entries: _Entries,
) -> None:
    """Carry the momentum h to the base; S^T h of each ancestor is an entry of M."""
    while tree.links[index].parent != WORLD:
        momentum = pose[index].to_parent(momentum)
        index = tree.links[index].parent
        for other, s in zip(tree.links[index].speeds, pose[index].columns, strict=True):
            entries.add(speed, other, s.dot(momentum), same_link=False)
