"""A spanning tree of any graph of bodies and joints, and the joints that it cuts.

The tree grows from the world; of the joints that lead on, those that must not be cut go first: of
kinds that no constraints can hold (floating), or whose coordinates are asked for (followed, driven,
sprung, named in an expression). Then those of bodies without mass, which must not stand at the end
of a branch; then the one with the fewest freedoms, then the one nearest to the world, then the one
declared first. So loops are cut in their middle, and at their freest joint: fewest coordinates,
fewest constraints, short paths. A joint declared `cut` is never part of the tree. A joint that the
tree passes from child to parent is turned round.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from eomc.derive.joints.joint import Joint
from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import WORLD
from eomc.derive.language.scalar import Scalar, Vector3

__all__ = ["Spanning", "spanning"]


@dataclass(frozen=True)
class Spanning:
    """Joints of the tree, each from the world outwards, and joints that close loops."""

    tree: dict[str, Joint]
    cut: tuple[Joint, ...]


def spanning(
    bodies: Iterable[str],
    joints: Mapping[str, Joint],
    asked: Collection[str] = (),
    passed: Mapping[str, int] | None = None,
) -> Spanning:
    """The tree that reaches every body it can, and the joints left over.

    `asked` are names of joints whose coordinates are needed: they go into the tree if they can.
    `passed` are joints of bodies without mass, see `passed_joints`: the fewer such a body has, the
    sooner.

    Raises `ModelError` if the tree would have to pass a joint backwards that cannot be turned
    round.
    """
    at: dict[str, list[Joint]] = {WORLD: [], **{body: [] for body in bodies}}
    order = {name: k for k, name in enumerate(joints)}
    for joint in joints.values():
        if not joint.cut:
            at[joint.parent].append(joint)
            at[joint.child].append(joint)
    depth = {WORLD: 0}
    tree: dict[str, Joint] = {}

    passed = passed or {}

    def entry(joint: Joint, end: str) -> tuple[bool, int, int, int, int, str]:
        """Sort key: a joint that is passed backwards and cannot be turned round goes last."""
        stuck = joint.parent != end and not joint.declaration.turns_round
        kept = joint.is_fixed or joint.name in asked or not joint.declaration.closes_loops
        freedoms = 0 if kept else len(joint.speeds)
        light = passed.get(joint.name, len(joints)) if freedoms else 0
        return stuck, light, freedoms, depth[end], order[joint.name], joint.name

    ahead = [entry(joint, WORLD) for joint in at[WORLD]]
    heapq.heapify(ahead)
    while ahead:
        _, _, _, level, _, name = heapq.heappop(ahead)
        joint = joints[name]
        known = joint.parent in depth, joint.child in depth
        if all(known):
            continue
        new = joint.child if known[0] else joint.parent
        tree[name] = joint if known[0] else reversed_joint(joint)
        depth[new] = level + 1
        for following in at[new]:
            heapq.heappush(ahead, entry(following, new))
    _check_cut_off(joints, depth)
    left = tuple(
        joint
        for joint in joints.values()
        if joint.name not in tree and joint.parent in depth and joint.child in depth
    )
    kept = {joint.name: joint for joint in joints.values() if joint not in left}
    return Spanning({name: tree.get(name, joint) for name, joint in kept.items()}, left)


def _check_cut_off(joints: Mapping[str, Joint], reached: Collection[str]) -> None:
    """Raise `ModelError` for a body to which no joint leads that is not declared `cut`."""
    cuts = [joint for joint in joints.values() if joint.cut]
    beyond = [joint for joint in cuts if (joint.parent in reached) != (joint.child in reached)]
    if not beyond:
        return
    last = beyond[-1]
    body = last.child if last.parent in reached else last.parent
    names = ", ".join(repr(joint.name) for joint in beyond)
    raise ModelError(
        f"body {body!r} is cut off: only {names}, declared cut=True, would lead there; leave one "
        "of them in the tree",
        last.source,
    )


def reversed_joint(joint: Joint) -> Joint:
    """The same joint with parent and child exchanged; its coordinates keep their signs.

    Raises `ModelError` for kinds whose coordinates mean something else the other way round.
    """
    if not joint.declaration.turns_round:
        raise ModelError(
            f"joint {joint.name!r}: the world is reached through its child {joint.child!r}, and a "
            f"joint of kind {joint.kind!r} cannot be turned round; exchange its ends",
            joint.source,
        )
    return replace(
        joint,
        parent=joint.child,
        child=joint.parent,
        placement=joint.child_placement,
        child_placement=joint.placement,
        axis=None if joint.axis is None else _opposite(joint.axis),
    )


def _opposite(axis: Vector3) -> Vector3:
    entries: list[Scalar] = [-entry for entry in axis]
    x, y, z = entries
    return (x, y, z)
