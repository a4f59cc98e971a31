"""Joints whose coordinates a model asks for, so that they should not be cut.

A joint that closes a loop has no coordinate: it cannot follow another one or be followed, carry a
rotor, a spring or a force of its own, be prescribed or driven, or stand in an expression. Viscous
damping and friction it has as any joint, see `eomc.derive.forces.cut_joint_losses`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.joints.joint import Joint
from eomc.derive.joints.joint_kind import joint_kind, joint_kinds
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import is_zero

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = ["asked_joints", "check_cuts"]


def asked_joints(model: Model) -> dict[str, str]:
    """Name of each such joint, and what asks for it."""
    owners = {
        name: joint.name
        for joint in model.joints.values()
        for name in (joint.name, *joint.coordinates, *joint.speeds)
    }
    found: dict[str, str] = {}
    for name, asker in _askers(model):
        if name in owners:
            found.setdefault(owners[name], asker)
    return found


def _askers(model: Model) -> Iterator[tuple[str, str]]:
    """Names of joints, coordinates and speeds, and which element asks for them."""
    for joint in model.joints.values():
        if joint.mimic is not None:
            yield joint.name, "its mimic rule"
            yield joint.mimic.joint, f"joint {joint.name!r}, which mimics it,"
        if not is_zero(joint.rotor_inertia):
            yield joint.name, "its rotor_inertia"
    for element in model.elements():
        yield from ((name, element.title) for name in element.references())


def check_cuts(model: Model) -> None:
    """Raise `ModelError` for a joint that closes a loop though its coordinate is asked for."""
    cuts = model.cuts()
    asked = model.snapshot().asked_joints if cuts else {}
    for joint in cuts:
        kind = joint.declaration
        if not kind.closes_loops:
            valid = ", ".join(name for name in joint_kinds() if joint_kind(name).closes_loops)
            raise ModelError(
                f"joint {joint.name!r}: kind {joint.kind!r} cannot close a loop; valid: {valid}",
                joint.source,
            )
        if not (kind.loses_in_loops or all(map(is_zero, (*joint.damping, *joint.friction)))):
            raise ModelError(
                f"joint {joint.name!r}: kind {joint.kind!r} does not say what damping and friction "
                "do where it closes a loop; leave them out",
                joint.source,
            )
        if joint.name in asked:
            raise ModelError(
                f"joint {joint.name!r} closes a loop and has no coordinate of its own, but "
                f"{asked[joint.name]} asks for it; {_remedy(joint)}",
                joint.source,
            )
        if joint.locked is not None:
            raise ModelError(
                f"joint {joint.name!r} is locked and closes a loop of joints that do not move; "
                "leave it out",
                joint.source,
            )


def _remedy(joint: Joint) -> str:
    if joint.cut:
        return "declare cut=True at another joint of the loop"
    return "every joint of the loop is asked for: leave one of them free of that"
