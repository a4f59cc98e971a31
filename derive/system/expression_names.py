"""Names that may stand in expressions of a model, and what they are on its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.graph import Expression, constant
from eomc.derive.language.motion_name import MotionName
from eomc.derive.tree.link import WORLD

if TYPE_CHECKING:
    from eomc.derive.system.model_on_graph import ModelOnGraph

TIME = "t"


def expression_names(system: ModelOnGraph) -> dict[str, Expression]:
    """Coordinates, speeds, inputs, time, states of elements, velocities of frames."""
    tree, state = system.tree, system.state
    names: dict[str, Expression] = {TIME: system.time}
    for name, coordinate in tree.coordinate_of.items():
        names[name] = coordinate.value(state.s if coordinate.prescribed else state.q)
        names[f"coordinate({name})"] = names[name]
    for name, speed in tree.speed_of.items():
        names[f"speed({name})"] = speed.rate(state.s_rate if speed.prescribed else state.u)
    for joint in system.model.joints.values():
        if joint.locked is not None:
            values = zip(joint.coordinates, joint.locked, strict=True)
            for name, value in values:
                names[name] = names[f"coordinate({name})"] = system.scalars(value)
            rest = constant(system.graph, 0)
            names.update((f"speed({name})", rest) for name in joint.speeds)
    names.update(zip(system.model.inputs, system.r, strict=True))
    names.update(zip(system.element_state_names, system.z, strict=True))
    motions = system.model.motions()
    names.update((name, _velocity(system, motion)) for name, motion in motions.items())
    return names


def _velocity(system: ModelOnGraph, motion: MotionName) -> Expression:
    """One component of the velocity or the angular velocity of a frame."""
    frame = system.frame(motion.frame)
    if frame.link == WORLD:
        return system.zero
    axes, twist = system.world[frame.link][0], system.twist[frame.link]
    w = twist.angular
    found = axes.to_parent(w if motion.turns else twist.linear + w.cross(frame.origin))
    if motion.seen_in:
        seen = system.frame(motion.seen_in)
        found = found if seen.link == WORLD else system.world[seen.link][0].to_child(found)
        found = seen.rotation.to_child(found)
    return tuple(found)[motion.axis]
