"""A model of ours as a Pinocchio model, joint by joint, for comparison.

Composite joints become sequences of Pinocchio's one-axis joints; quaternions are reordered
(w, x, y, z) -> (x, y, z, w). Fixed joints merge by `appendBodyToJoint`, rotors are armature, mimic
joints move freely in Pinocchio's model and follow through the correspondence.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from peers.correspondence import Correspondence

from eomc.derive.model import Joint, Model, Placement, normal_directions

pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def se3(placement: Placement) -> pin.SE3:
    """A numeric placement as SE3."""
    rotation = np.array([[float(e) for e in row] for row in placement.matrix])
    return pin.SE3(rotation, np.array([float(e) for e in placement.xyz]))


def pinocchio_tree(model: Model) -> Correspondence:
    """Build Pinocchio's model from the declaration (numbers only)."""
    tree = _Tree()
    tree.model.gravity.linear = np.array([float(e) for e in model.gravity])
    for joint in model.tree():
        parent, frame = tree.place[joint.parent]
        frame = frame * se3(joint.placement)
        if not joint.is_fixed:
            parent, frame = tree.add_joint(joint, parent, frame)
        frame = frame * se3(joint.child_placement).inverse()
        tree.place[joint.child] = (parent, frame)
        tree.add_body(model, joint.child)
        tree.model.addFrame(pin.Frame(joint.child, parent, 0, frame, pin.FrameType.BODY))
    for declared in model.frames.values():
        parent, frame = tree.place[declared.body]
        frame = frame * se3(declared.placement)
        tree.model.addFrame(pin.Frame(declared.name, parent, 0, frame, pin.FrameType.OP_FRAME))
    return tree.correspondence(model)


@dataclass
class _Tree:
    """Pinocchio's model under construction, and where the joints' coordinates went.

    `place` holds Pinocchio's joint and the placement on it of each body; `q_places`, `u_places` are
    the indices of our joints' coordinates and speeds.
    """

    model: pin.Model = field(default_factory=pin.Model)
    place: dict[str, tuple[int, pin.SE3]] = field(
        default_factory=lambda: {"world": (0, pin.SE3.Identity())}
    )
    q_places: dict[str, list[int]] = field(default_factory=dict)
    u_places: dict[str, list[int]] = field(default_factory=dict)
    losses: list[tuple[int, float, float, float]] = field(default_factory=list)

    def add_joint(self, joint: Joint, parent: int, frame: pin.SE3) -> tuple[int, pin.SE3]:
        """Pinocchio's joints for one of ours; the last of them and where it stands."""
        q_places, u_places = [], []
        for k, (kind, q_order, u_order) in enumerate(_joints(joint)):
            parent = self.model.addJoint(parent, kind, frame, f"{joint.name}.{k}")
            frame = pin.SE3.Identity()
            added = self.model.joints[parent]
            q_places += [added.idx_q + i for i in q_order]
            u_places += [added.idx_v + i for i in u_order]
        self.q_places[joint.name], self.u_places[joint.name] = q_places, u_places
        speed = float(joint.friction_speed)
        for place, damping, friction in zip(u_places, joint.damping, joint.friction, strict=True):
            self.losses.append((place, float(damping), float(friction), speed))
        if len(u_places) == 1:
            armature = self.model.armature.copy()
            armature[u_places[0]] = float(joint.gear_ratio) ** 2 * float(joint.rotor_inertia)
            self.model.armature = armature
        return parent, frame

    def add_body(self, model: Model, name: str) -> None:
        body = model.bodies[name]
        if not body.is_massless:
            xx, yy, zz, xy, xz, yz = (float(e) for e in body.inertia_com)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            center = np.array([float(e) for e in body.com])
            inertia = pin.Inertia(float(body.mass), center, tensor)
            parent, frame = self.place[name]
            self.model.appendBodyToJoint(parent, inertia, frame)

    def correspondence(self, model: Model) -> Correspondence:
        q_index = {name: k for k, name in enumerate(model.coordinates)}
        u_index = {name: k for k, name in enumerate(model.speeds)}
        nv = self.model.nv
        q_map = np.zeros((self.model.nq, len(q_index)))
        u_map = np.zeros((nv, len(u_index)))
        q_offset = np.zeros(self.model.nq)
        for name in self.q_places:
            joint = model.resolved(name)
            target, multiplier = joint, 1.0
            if joint.mimic is not None:
                target, multiplier = model.joints[joint.mimic.joint], float(joint.mimic.multiplier)
                q_offset[self.q_places[name]] = float(joint.mimic.offset)
            for place, coordinate in zip(self.q_places[name], target.coordinates, strict=True):
                q_map[place, q_index[coordinate]] = multiplier
            for place, speed in zip(self.u_places[name], target.speeds, strict=True):
                u_map[place, u_index[speed]] = multiplier
        damping, friction, friction_speed = np.zeros(nv), np.zeros(nv), np.ones(nv)
        for place, *values in self.losses:
            damping[place], friction[place], friction_speed[place] = values
        return Correspondence(
            self.model, q_map, q_offset, u_map, (), damping, friction, friction_speed
        )


def _joints(joint: Joint) -> list[tuple[pin.JointModel, list[int], list[int]]]:
    """Pinocchio joints of one of ours: model, order of its q, order of its v in ours."""
    one = ([0], [0])
    axis = np.array([float(e) for e in joint.axis]) if joint.axis is not None else None
    revolute, prismatic = pin.JointModelRevoluteUnaligned, pin.JointModelPrismaticUnaligned
    match joint.kind:
        case "revolute":
            return [(revolute(axis), *one)]
        case "prismatic":
            return [(prismatic(axis), *one)]
        case "screw":
            return [(pin.JointModelHelicalUnaligned(axis, float(joint.pitch)), *one)]
        case "cylindrical":
            return [(revolute(axis), *one), (prismatic(axis), *one)]
        case "planar":
            first, second = (np.array(v, dtype=float) for v in normal_directions(joint.direction))
            return [(prismatic(first), *one), (prismatic(second), *one), (revolute(axis), *one)]
        case "universal":
            second = np.array([float(e) for e in joint.axis_2])
            return [(revolute(axis), *one), (revolute(second), *one)]
        case "spherical":
            return [(pin.JointModelSpherical(), [3, 0, 1, 2], [0, 1, 2])]
        case "floating":
            return [(pin.JointModelFreeFlyer(), [0, 1, 2, 6, 3, 4, 5], [0, 1, 2, 3, 4, 5])]
        case "spherical_euler":
            return [(revolute(np.array(_AXES[letter])), *one) for letter in joint.sequence]
        case "floating_euler":
            slides = [(prismatic(np.array(_AXES[letter])), *one) for letter in "xyz"]
            return slides + [(revolute(np.array(_AXES[letter])), *one) for letter in joint.sequence]
    raise AssertionError(joint.kind)
