"""Declarations of mechanisms: pure data, read from Python, TOML or URDF, checked, written back."""

from eomc.derive.model.body import Body
from eomc.derive.model.errors import ModelError, Source
from eomc.derive.model.expression_grammar import parse_expression, speed_symbol
from eomc.derive.model.expression_printer import expression_text
from eomc.derive.model.force import (
    GeneralizedForce,
    JointSpring,
    PointForce,
    PointSpring,
    PointTorque,
    Potential,
)
from eomc.derive.model.frame import Frame
from eomc.derive.model.joint import Joint, Mimic, Prescription, normal_directions
from eomc.derive.model.joint_kinds import JointKind, joint_kind, joint_kinds, register_joint_kind
from eomc.derive.model.model import WORLD, Model
from eomc.derive.model.parameter import Input, Parameter
from eomc.derive.model.placement import Placement, Point
from eomc.derive.model.scalar import Scalar

__all__ = [
    "WORLD",
    "Body",
    "Frame",
    "GeneralizedForce",
    "Input",
    "Joint",
    "JointKind",
    "JointSpring",
    "Mimic",
    "Model",
    "ModelError",
    "Parameter",
    "Placement",
    "Point",
    "PointForce",
    "PointSpring",
    "PointTorque",
    "Potential",
    "Prescription",
    "Scalar",
    "Source",
    "expression_text",
    "joint_kind",
    "joint_kinds",
    "normal_directions",
    "parse_expression",
    "register_joint_kind",
    "speed_symbol",
]
