"""Bodies with their inertia, joints with their losses and springs, sites as frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.formats.mjcf.compiled import CompiledDocument
from eomc.derive.formats.numeric_pose import exact_zero, quaternion_matrix
from eomc.derive.joints.joint_kind import joint_kind
from eomc.derive.language.naming import WORLD

__all__ = ["declare_tree", "joint_name"]

#: Parts of an inertia below this share of the largest are rounding of its rotation.
_ROUNDING = 1e-15
#: MuJoCo's types of joints in the order of its enumeration, and the kinds they are.
_KINDS = ("floating", "spherical", "prismatic", "revolute")
_HAS_AXIS = ("prismatic", "revolute")


def declare_tree(compiled: CompiledDocument) -> None:
    """Every body in MuJoCo's order, in which a parent stands before its children."""
    for index in range(1, compiled.m.nbody):
        _body(compiled, index)
    for index in range(compiled.m.nsite):
        body = compiled.name("body", compiled.m.site_bodyid[index])
        place = compiled.placement(compiled.m.site_pos[index], compiled.m.site_quat[index])
        name = compiled.name("site", index)
        while name in compiled.model.bodies or name in compiled.model.frames or name == WORLD:
            name += "_site"  # bodies are frames too
        compiled.model.frame(
            name, body=body, placement=place, source=compiled.source("site", index)
        )


def joint_name(compiled: CompiledDocument, index: int) -> str:
    """Of joint `index`."""
    return compiled.name("joint", index)


def _body(compiled: CompiledDocument, index: int) -> None:
    m, model = compiled.m, compiled.model
    name, source = compiled.name("body", index), compiled.source("body", index)
    if name == WORLD:
        raise compiled.error("body", index, "this name is the base's; rename the body")
    axes = quaternion_matrix(m.body_iquat[index])
    full = axes @ np.diag(m.body_inertia[index]) @ axes.T
    full[np.abs(full) < _ROUNDING * np.abs(full).max(initial=0.0)] = 0.0
    moments = (full[0, 0], full[1, 1], full[2, 2], full[0, 1], full[0, 2], full[1, 2])
    model.body(
        name,
        mass=exact_zero(m.body_mass[index]),
        com=tuple(map(exact_zero, m.body_ipos[index])),
        inertia=tuple(map(exact_zero, moments)),
        source=source,
    )
    parent = compiled.name("body", m.body_parentid[index])
    place = (m.body_pos[index], quaternion_matrix(m.body_quat[index]))
    first, count = int(m.body_jntadr[index]), int(m.body_jntnum[index])
    if not count:
        if m.body_mocapid[index] >= 0:
            compiled.leave_out(
                f"the motion of mocap body {name[:80]!r}", source, "it is fixed where it stands"
            )
        weld = _free_name(compiled, f"{name}_weld")
        model.joint(
            weld,
            "fixed",
            parent=parent,
            child=name,
            placement=compiled.placement(*place),
            source=source,
        )
        return
    for joint in range(first, first + count):
        last = joint == first + count - 1
        child = name if last else _free_body(compiled, f"{name}_{compiled.name('joint', joint)}")
        if not last:
            model.body(child, source=compiled.source("joint", joint))
        _joint(compiled, joint, parent, child, place)
        parent, place = child, (np.zeros(3), np.eye(3))


def _free_body(compiled: CompiledDocument, name: str) -> str:
    bodies = {compiled.name("body", k) for k in range(compiled.m.nbody)}
    while name in bodies or name in compiled.model.bodies:
        name += "_"
    return name


def _free_name(compiled: CompiledDocument, name: str) -> str:
    joints = {compiled.name("joint", k) for k in range(compiled.m.njnt)}
    while name in joints or name in compiled.model.joints:
        name += "_"
    return name


def _joint(
    compiled: CompiledDocument, index: int, parent: str, child: str, place: tuple[Array, Array]
) -> None:
    """Frames of both sides stand at the anchor; the coordinate is `ref` where the file draws it."""
    m = compiled.m
    kind, dof = _KINDS[m.jnt_type[index]], int(m.jnt_dofadr[index])
    name, source = compiled.name("joint", index), compiled.source("joint", index)
    given: dict[str, Any] = {}
    position, rotation = place
    anchor = m.jnt_pos[index]
    if kind == "floating":
        position, rotation, anchor = np.zeros(3), np.eye(3), np.zeros(3)
    origin = position + rotation @ anchor
    if kind in _HAS_AXIS:
        axis = np.where(np.abs(m.jnt_axis[index]) > compiled.snap, m.jnt_axis[index], 0.0)
        given["axis"] = tuple(map(exact_zero, axis))
        drawn = float(m.qpos0[m.jnt_qposadr[index]])
        if kind == "prismatic":
            origin = origin - rotation @ axis * drawn
        elif drawn:
            half = np.concatenate([[np.cos(drawn / 2)], -np.sin(drawn / 2) * axis])
            rotation = rotation @ quaternion_matrix(half)
        given |= _limits(compiled, index)
    speeds = slice(dof, dof + len(joint_kind(kind).speeds))
    given |= _losses(compiled, index, kind, speeds)
    compiled.model.joint(
        name,
        kind,
        parent=parent,
        child=child,
        placement=compiled.placement(origin, rotation),
        child_placement=compiled.placement(anchor, np.eye(3)),
        source=source,
        **given,
    )
    _spring(compiled, index, kind)


def _losses(compiled: CompiledDocument, index: int, kind: str, speeds: slice) -> dict[str, Any]:
    m, source = compiled.m, compiled.source("joint", index)
    name = compiled.name("joint", index)
    damping, friction = m.dof_damping[speeds], m.dof_frictionloss[speeds]
    given: dict[str, Any] = {}
    if kind == "floating" and (damping.any() or friction.any()):
        # MuJoCo damps the velocity in world axes, which is the same where all are alike.
        if not friction.any() and len(set(damping[:3])) == 1:
            given["damping"] = tuple(map(float, damping))
        else:
            compiled.leave_out(
                f"dry friction of the free joint {name[:80]!r}", source, "it acts in world axes"
            )
    elif damping.any() or friction.any():
        given["damping"] = tuple(map(exact_zero, damping))
        given["friction"] = tuple(map(exact_zero, friction))
    if m.dof_armature[speeds].any():
        if len(m.dof_armature[speeds]) == 1:
            given["rotor_inertia"] = float(m.dof_armature[speeds][0])
        else:
            compiled.leave_out(
                f"armature of joint {name[:80]!r}", source, "it has more than one speed"
            )
    if m.dof_dampingpoly[speeds].any():
        compiled.leave_out(
            f"damping of joint {name[:80]!r} beyond the linear",
            source,
            "declare a joint_spring with a law",
        )
    return given


def _limits(compiled: CompiledDocument, index: int) -> dict[str, Any]:
    m = compiled.m
    given: dict[str, Any] = {}
    if m.jnt_limited[index]:
        given["lower"], given["upper"] = map(float, m.jnt_range[index])
    if m.jnt_actfrclimited[index]:
        low, high = m.jnt_actfrcrange[index]
        given["effort_limit"] = float(max(abs(low), abs(high)))
    return given


def _spring(compiled: CompiledDocument, index: int, kind: str) -> None:
    m, name, source = compiled.m, joint_name(compiled, index), compiled.source("joint", index)
    if m.jnt_stiffnesspoly[index].any():
        compiled.leave_out(
            f"stiffness of joint {name[:80]!r} beyond the linear",
            source,
            "declare a joint_spring with a law",
        )
    stiffness = float(m.jnt_stiffness[index])
    if m.jnt_springyield[index] and stiffness:
        compiled.leave_out(f"springyield of joint {name[:80]!r}", source, "springs do not yield")
    if not stiffness:
        return
    if kind not in _HAS_AXIS:
        compiled.leave_out(
            f"stiffness of joint {name[:80]!r}", source, "it has more than one coordinate"
        )
        return
    rest = float(m.qpos_spring[m.jnt_qposadr[index]])
    compiled.model.joint_spring(
        f"{name}_spring",
        joint=name,
        stiffness=stiffness,
        free_angle=exact_zero(rest),
        source=source,
    )
