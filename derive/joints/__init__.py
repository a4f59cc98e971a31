"""Joint kinds, one file each, and what joints of all kinds share."""

from eomc.derive.joints.joint_kind import JointKind, joint_kind, joint_kinds, register_joint_kind
from eomc.derive.joints.steps import Fixed, Step

__all__ = ["Fixed", "JointKind", "Step", "joint_kind", "joint_kinds", "register_joint_kind"]
