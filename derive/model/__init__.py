"""Declarations of mechanisms: pure data, checked."""

from eomc.derive.bodies.mass_properties import MassProperties
from eomc.derive.fields.parameter import Input, Parameter
from eomc.derive.joints.joint import Joint, Mimic
from eomc.derive.joints.joint_kind import JointKind, joint_kind, joint_kinds
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.grammar import parse_expression, speed_symbol
from eomc.derive.language.printer import expression_text
from eomc.derive.language.scalar import Scalar
from eomc.derive.model.model import WORLD, Model
from eomc.derive.placement.directions import normal_directions
from eomc.derive.placement.placement import Placement, Point

__all__ = [
    "WORLD",
    "Input",
    "Joint",
    "JointKind",
    "MassProperties",
    "Mimic",
    "Model",
    "ModelError",
    "Parameter",
    "Placement",
    "Point",
    "Scalar",
    "Source",
    "expression_text",
    "joint_kind",
    "joint_kinds",
    "normal_directions",
    "parse_expression",
    "speed_symbol",
]
