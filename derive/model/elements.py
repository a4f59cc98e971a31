"""The elements of a model: immutable, in dictionaries by name, in the order of declaration."""

from __future__ import annotations

from typing import Self

from eomc.derive.model.body import Body
from eomc.derive.model.central_gravity import CentralGravity
from eomc.derive.model.constraint import Constraint
from eomc.derive.model.deformable import Deformable
from eomc.derive.model.drive import Drive
from eomc.derive.model.force import (
    GeneralizedForce,
    JointSpring,
    PointForce,
    PointSpring,
    PointTorque,
    Potential,
)
from eomc.derive.model.frame import Frame
from eomc.derive.model.joint import Joint, Prescription
from eomc.derive.model.parameter import Input, Parameter
from eomc.derive.model.scalar import Vector3

__all__ = ["TABLES", "Elements"]

#: The dictionaries of a model in the order in which files list them, with the word for one element.
TABLES: dict[str, str] = {
    "parameters": "parameter",
    "inputs": "input",
    "bodies": "body",
    "deformables": "deformable",
    "joints": "joint",
    "springs": "spring",
    "joint_springs": "joint_spring",
    "forces": "force",
    "torques": "torque",
    "potentials": "potential",
    "generalized_forces": "generalized_force",
    "central_gravities": "central_gravity",
    "constraints": "constraint",
    "prescriptions": "prescribe",
    "drives": "drive",
    "frames": "frame",
}


class Elements:
    """What a model holds; two of them are equal if all that they hold is."""

    name: str
    gravity: Vector3
    description: str
    parameters: dict[str, Parameter]
    inputs: dict[str, Input]
    bodies: dict[str, Body]
    deformables: dict[str, Deformable]
    joints: dict[str, Joint]
    springs: dict[str, PointSpring]
    joint_springs: dict[str, JointSpring]
    forces: dict[str, PointForce]
    torques: dict[str, PointTorque]
    potentials: dict[str, Potential]
    generalized_forces: dict[str, GeneralizedForce]
    central_gravities: dict[str, CentralGravity]
    constraints: dict[str, Constraint]
    prescriptions: dict[str, Prescription]
    drives: dict[str, Drive]
    frames: dict[str, Frame]

    def __init__(self) -> None:
        for table in TABLES:
            setattr(self, table, {})

    def copy(self) -> Self:
        """A model of its own with the same elements (which are immutable)."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        for table in TABLES:
            setattr(other, table, dict(getattr(self, table)))
        return other

    def __eq__(self, other: object) -> bool:
        """True if all elements are equal and in the same order, wherever they were declared."""
        if not isinstance(other, Elements):
            return NotImplemented
        heads = ("name", "gravity", "description")
        return all(getattr(self, word) == getattr(other, word) for word in heads) and all(
            list(getattr(self, table).items()) == list(getattr(other, table).items())
            for table in TABLES
        )

    __hash__ = None  # type: ignore[assignment]
