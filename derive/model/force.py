"""Forces: springs and dampers, forces and torques of inputs, potentials, generalized forces."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy

from eomc.derive.model.errors import Source
from eomc.derive.model.placement import Point
from eomc.derive.model.scalar import Scalar, Vector3

__all__ = [
    "RATE",
    "STRETCH",
    "GeneralizedForce",
    "JointSpring",
    "PointForce",
    "PointSpring",
    "PointTorque",
    "Potential",
]

#: The two local names of a spring law: stretch [m or rad] and its rate [m/s or rad/s].
STRETCH = sympy.Symbol("x")
RATE = sympy.Symbol("v")


@dataclass(frozen=True)
class PointSpring:
    """A spring, damper or actuator along the line between two points.

    The tension (positive pulls the points together) is stiffness*x + damping*v, or `law`, an
    expression in the stretch x = distance - free_length and its rate v, parameters, inputs,
    coordinates and time.
    """

    name: str
    a: Point
    b: Point
    stiffness: Scalar = 0
    damping: Scalar = 0
    free_length: Scalar = 0
    law: Scalar | None = None
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class JointSpring:
    """A spring, damper or actuator across a joint's coordinate.

    `joint` names a one-coordinate joint or one coordinate of a joint whose speeds are its rates.
    The generalized force on it is -(stiffness*x + damping*v), or -`law`, with x = coordinate -
    free_angle [rad or m] and its rate v.
    """

    name: str
    joint: str
    stiffness: Scalar = 0
    damping: Scalar = 0
    free_angle: Scalar = 0
    law: Scalar | None = None
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class PointForce:
    """A force magnitude*direction [N] at a point, `direction` (3,) in world or body axes.

    `direction` is used as it is, not normalized: with magnitude 1 its entries are the force itself.
    """

    name: str
    at: Point
    direction: Vector3
    frame: str = "world"
    magnitude: Scalar = 1
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class PointTorque:
    """A torque magnitude*direction [N m] on a body, `direction` (3,) in world or body axes."""

    name: str
    body: str
    direction: Vector3
    frame: str = "world"
    magnitude: Scalar = 1
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Potential:
    """A potential energy V [J] in coordinates, parameters and time; its forces are -dV/dq."""

    name: str
    expression: Scalar
    source: Source | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class GeneralizedForce:
    """A force `expression` on the generalized speed `speed` (its power is expression*u)."""

    name: str
    speed: str
    expression: Scalar
    source: Source | None = field(default=None, compare=False, repr=False)
