"""Joint kinds, one file each, and what joints of all kinds share."""

from eomc.derive.joints.joint_kind import JointKind, joint_kind, joint_kinds
from eomc.derive.joints.steps import Fixed, Step
from eomc.derive.language.registry import kind

__all__ = ["Fixed", "JointKind", "Step", "joint_kind", "joint_kinds", "kind"]
