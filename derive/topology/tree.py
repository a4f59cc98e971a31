"""The tree that joints span over bodies, from the world outwards."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from eomc.derive.joints.joint import Joint, Mimic
from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import CALLED_WORLD, WORLD
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, scalar

if TYPE_CHECKING:
    from eomc.derive.bodies.mass_properties import MassProperties

__all__ = ["check_ends", "depth_first", "mimic_target", "resolved_joint"]


def depth_first(bodies: Mapping[str, MassProperties], joints: Mapping[str, Joint]) -> list[Joint]:
    """Joints of a tree in depth-first order from the world, children in the order of their
    declaration.

    Raises `ModelError` for a body that no joint connects to the world.
    """
    children: dict[str, list[Joint]] = {WORLD: [], **{body: [] for body in bodies}}
    above: dict[str, Joint] = {}
    for joint in joints.values():
        above[joint.child] = joint
        children[joint.parent].append(joint)
    ordered: list[Joint] = []
    pending = children[WORLD][::-1]
    while pending:
        joint = pending.pop()
        ordered.append(joint)
        pending += children[joint.child][::-1]
    reached = {joint.child for joint in ordered}
    for body in bodies:
        if body not in reached:
            raise _unconnected(bodies[body], above)
    return ordered


def check_ends(bodies: Mapping[str, MassProperties], joints: Mapping[str, Joint]) -> None:
    """Raise `ModelError` for a joint to an unknown body, or from a body to itself."""
    known = [WORLD, *bodies]
    for joint in joints.values():
        _check_ends(joint, known)


def _check_ends(joint: Joint, children: Collection[str]) -> None:
    for word, end in (("parent", joint.parent), ("child", joint.child)):
        if end not in children:
            raise ModelError(
                f"joint {joint.name!r}: unknown {word} body {end!r}; "
                f"{near_names(end, children, CALLED_WORLD)}",
                joint.source,
            )
    if joint.child == joint.parent:
        raise ModelError(
            f"joint {joint.name!r}: parent and child are the same body {joint.child!r}",
            joint.source,
        )


def _unconnected(body: MassProperties, above: Mapping[str, Joint]) -> ModelError:
    path = [body.name]
    while (joint := above.get(path[-1])) is not None:
        if joint.parent in path:
            closing = [above[name].name for name in path[path.index(joint.parent) :]]
            return ModelError(
                f"joints {', '.join(map(repr, sorted(closing)))} go round in a circle that no "
                "joint connects to the world; declare one with parent 'world'",
                joint.source,
            )
        path.append(joint.parent)
    through = f" (through {path[-1]!r})" if len(path) > 1 else ""
    return ModelError(
        f"body {body.name!r}: no joint connects it{through} to the world; "
        "declare a joint with parent 'world'",
        body.source,
    )


def mimic_target(name: str, joints: Mapping[str, Joint]) -> str:
    """The joint at the end of a chain of mimic rules that starts at `name`.

    Raises `ModelError` if the chain leads to an unknown joint, a joint of several coordinates or to
    itself.
    """
    seen = [name]
    while (rule := joints[seen[-1]].mimic) is not None:
        joint = joints[seen[-1]]
        if rule.joint not in joints:
            raise ModelError(
                f"joint {joint.name!r}: mimics unknown joint {rule.joint!r}; "
                + near_names(rule.joint, joints),
                joint.source,
            )
        for end in (joint, joints[rule.joint]):
            if len(end.coordinates) != 1:
                raise ModelError(
                    f"joint {joint.name!r}: mimic joins joints of one coordinate; "
                    f"{end.name!r} is {end.kind}",
                    joint.source,
                )
        if rule.joint in seen:
            circle = " -> ".join(map(repr, [*seen, rule.joint]))
            raise ModelError(
                f"joint {name!r}: mimic rules go round in a circle {circle}", joints[name].source
            )
        seen.append(rule.joint)
    return seen[-1]


def resolved_joint(name: str, joints: Mapping[str, Joint]) -> Joint:
    """The joint with its chain of mimic rules made one rule, or a lock if the chain ends at one.

    q = m1 (m2 q0 + b2) + b1 becomes q = (m1 m2) q0 + (m1 b2 + b1).
    """
    joint = joints[name]
    if joint.mimic is None or joint.locked is not None:
        return joint
    target = joints[mimic_target(name, joints)]
    multiplier, offset = joint.mimic.multiplier, joint.mimic.offset
    follower = joints[joint.mimic.joint]
    while follower.mimic is not None:
        offset = multiplier * follower.mimic.offset + offset
        multiplier = multiplier * follower.mimic.multiplier
        follower = joints[follower.mimic.joint]
    if target.locked is not None:
        value: Scalar = scalar(multiplier * target.locked[0] + offset)
        return replace(joint, mimic=None, locked=(value,))
    return replace(joint, mimic=Mimic(target.name, multiplier, offset))
