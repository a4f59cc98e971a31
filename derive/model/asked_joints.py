"""Joints whose coordinates a model asks for, so that they should not be cut.

A joint that closes a loop has no coordinate: it cannot follow another one or be followed, carry a
rotor, a spring or a force of its own, be prescribed or driven, or stand in an expression. Viscous
damping and friction it has as any joint, see `eomc.derive.forces.cut_joint_losses`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.model.errors import ModelError
from eomc.derive.model.joint import Joint
from eomc.derive.model.scalar import is_zero, symbols_of
from eomc.derive.model.spanning_tree import CUTTABLE

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
    for given in model.prescriptions.values():
        yield given.name, f"prescribe {given.name!r}"
    for drive in model.drives.values():
        yield drive.name, f"drive {drive.name!r}"
    for spring in model.joint_springs.values():
        yield spring.joint, f"joint_spring {spring.name!r}"
    for force in model.generalized_forces.values():
        yield force.speed, f"generalized_force {force.name!r}"
    for element in model.constraints.values():
        for name in (element.first, element.second):
            if name is not None:
                yield name, f"constraint {element.name!r}"
    yield from _in_expressions(model)


def _in_expressions(model: Model) -> Iterator[tuple[str, str]]:
    """Coordinates and speeds that stand in laws, forces, potentials and constraints."""
    expressions = [
        *((f"spring {x.name!r}", (x.law,)) for x in model.springs.values()),
        *((f"joint_spring {x.name!r}", (x.law,)) for x in model.joint_springs.values()),
        *((f"force {x.name!r}", (x.magnitude, *x.direction)) for x in model.forces.values()),
        *((f"torque {x.name!r}", (x.magnitude, *x.direction)) for x in model.torques.values()),
        *((f"potential {x.name!r}", (x.expression,)) for x in model.potentials.values()),
        *(
            (f"generalized_force {x.name!r}", (x.expression,))
            for x in model.generalized_forces.values()
        ),
        *((f"constraint {x.name!r}", (x.expression,)) for x in model.constraints.values()),
    ]
    for asker, values in expressions:
        for name in symbols_of(*values):
            yield name.removeprefix("speed(").removesuffix(")"), asker


def check_cuts(model: Model) -> None:
    """Raise `ModelError` for a joint that closes a loop though its coordinate is asked for."""
    cuts = model.cuts()
    asked = asked_joints(model) if cuts else {}
    for joint in cuts:
        if joint.kind not in CUTTABLE:
            raise ModelError(
                f"joint {joint.name!r}: kind {joint.kind!r} cannot close a loop; "
                f"valid: {', '.join(CUTTABLE)}",
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
