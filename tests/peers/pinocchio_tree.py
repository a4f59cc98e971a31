"""A model of ours as a Pinocchio model, joint by joint, for comparison.

Composite joints become sequences of Pinocchio's one-axis joints; quaternions are reordered
(w, x, y, z) -> (x, y, z, w). Fixed joints merge by `appendBodyToJoint`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from eomc.derive.model import Joint, Model, Placement, normal_directions

Array = NDArray[np.float64]
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def se3(placement: Placement) -> pin.SE3:
    """A numeric placement as SE3."""
    rotation = np.array([[float(e) for e in row] for row in placement.matrix])
    return pin.SE3(rotation, np.array([float(e) for e in placement.xyz]))


@dataclass
class PinocchioTree:
    """Pinocchio's model and the places of our coordinates and speeds in its vectors."""

    model: pin.Model = field(default_factory=pin.Model)
    q_places: list[int] = field(default_factory=list)
    u_places: list[int] = field(default_factory=list)
    body_joint: dict[str, tuple[int, pin.SE3]] = field(default_factory=dict)

    def q(self, ours: Array) -> Array:
        """Our coordinates in Pinocchio's order."""
        theirs = pin.neutral(self.model)
        theirs[self.q_places] = ours
        return theirs

    def u(self, ours: Array) -> Array:
        """Our speeds (or forces) in Pinocchio's order."""
        theirs = np.zeros(self.model.nv)
        theirs[self.u_places] = ours
        return theirs

    def back(self, theirs: Array) -> Array:
        """Pinocchio's speeds, forces or rows in our order."""
        return theirs[self.u_places]

    def matrix(self, theirs: Array) -> Array:
        """A square matrix over the speeds in our order."""
        return theirs[np.ix_(self.u_places, self.u_places)]


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
            second = np.array([float(e) for e in joint.axis2])
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


def pinocchio_tree(model: Model) -> PinocchioTree:
    """Build Pinocchio's model from the declaration (numbers only)."""
    tree = PinocchioTree()
    tree.model.gravity.linear = np.array([float(e) for e in model.gravity])
    tree.body_joint["world"] = (0, pin.SE3.Identity())
    for joint in model.tree():
        parent, frame = tree.body_joint[joint.parent]
        frame = frame * se3(joint.placement)
        if joint.kind != "fixed":
            for k, (kind, q_order, u_order) in enumerate(_joints(joint)):
                parent = tree.model.addJoint(parent, kind, frame, f"{joint.name}.{k}")
                frame = pin.SE3.Identity()
                added = tree.model.joints[parent]
                tree.q_places += [added.idx_q + i for i in q_order]
                tree.u_places += [added.idx_v + i for i in u_order]
        frame = frame * se3(joint.child_placement).inverse()
        tree.body_joint[joint.child] = (parent, frame)
        body = model.bodies[joint.child]
        if not body.is_massless:
            xx, yy, zz, xy, xz, yz = (float(e) for e in body.inertia_com)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            center = np.array([float(e) for e in body.com])
            inertia = pin.Inertia(float(body.mass), center, tensor)
            tree.model.appendBodyToJoint(parent, inertia, frame)
        tree.model.addFrame(pin.Frame(joint.child, parent, 0, frame, pin.FrameType.BODY))
    return tree
