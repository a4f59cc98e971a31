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
from eomc.derive.model.load import load
from eomc.derive.model.model import WORLD, Model
from eomc.derive.model.parameter import Input, Parameter
from eomc.derive.model.placement import Placement, Point
from eomc.derive.model.scalar import Scalar
from eomc.derive.model.toml import parse_toml, read_toml
from eomc.derive.model.toml_writer import toml_text, write_toml
from eomc.derive.model.urdf import parse_urdf, read_urdf

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
    "load",
    "normal_directions",
    "parse_expression",
    "parse_toml",
    "parse_urdf",
    "read_toml",
    "read_urdf",
    "register_joint_kind",
    "speed_symbol",
    "toml_text",
    "write_toml",
]
