"""Coordinates and speeds of a joint kind: the end of the name, and the unit."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["QUATERNION", "JointVariable", "angle", "length", "spin", "velocity"]


@dataclass(frozen=True)
class JointVariable:
    """A joint named j has the coordinate or speed j_<suffix>, or plain j if the suffix is ""."""

    suffix: str
    unit: str

    def of(self, joint: str) -> str:
        """Its name in the joint called `joint`."""
        return f"{joint}_{self.suffix}" if self.suffix else joint


def angle(suffix: str = "") -> JointVariable:
    """An angle [rad]."""
    return JointVariable(suffix, "rad")


def length(suffix: str = "") -> JointVariable:
    """A length [m]."""
    return JointVariable(suffix, "m")


def spin(suffix: str) -> JointVariable:
    """A component of an angular velocity [rad/s]."""
    return JointVariable(suffix, "rad/s")


def velocity(suffix: str) -> JointVariable:
    """A component of a velocity [m/s]."""
    return JointVariable(suffix, "m/s")


QUATERNION = tuple(JointVariable(suffix, "1") for suffix in ("qw", "qx", "qy", "qz"))
