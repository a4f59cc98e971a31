"""Coordinates and speeds of a joint kind: the end of the name, and the unit."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["QUATERNION", "Variable", "angle", "length", "spin", "velocity"]


@dataclass(frozen=True)
class Variable:
    """A joint named j has the coordinate or speed j_<suffix>, or plain j if the suffix is ""."""

    suffix: str
    unit: str

    def of(self, joint: str) -> str:
        """Its name in the joint called `joint`."""
        return f"{joint}_{self.suffix}" if self.suffix else joint


def angle(suffix: str = "") -> Variable:
    """An angle [rad]."""
    return Variable(suffix, "rad")


def length(suffix: str = "") -> Variable:
    """A length [m]."""
    return Variable(suffix, "m")


def spin(suffix: str) -> Variable:
    """A component of an angular velocity [rad/s]."""
    return Variable(suffix, "rad/s")


def velocity(suffix: str) -> Variable:
    """A component of a velocity [m/s]."""
    return Variable(suffix, "m/s")


QUATERNION = tuple(Variable(suffix, "1") for suffix in ("qw", "qx", "qy", "qz"))
