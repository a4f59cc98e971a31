"""Orientation of a body by its three axes in the inertial frame: the columns of T."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.geometry import Vector, unit
from eomc.derive.graph import Expression


@dataclass(frozen=True)
class BodyAxes:
    """T = [x y z], body to inertial."""

    x: Vector
    y: Vector
    z: Vector

    @staticmethod
    def inertial(zero: Expression) -> BodyAxes:
        """T = 1."""
        return BodyAxes(unit(zero, 0), unit(zero, 1), unit(zero, 2))

    @property
    def columns(self) -> tuple[Vector, Vector, Vector]:
        """(x, y, z)"""
        return self.x, self.y, self.z

    def to_inertial(self, v: Vector) -> Vector:
        """T v"""
        return self.x * v.x + self.y * v.y + self.z * v.z

    def to_body(self, v: Vector) -> Vector:
        """T^T v"""
        return Vector(self.x.dot(v), self.y.dot(v), self.z.dot(v))

    def turned_about(self, axis: str, cosine: Expression, sine: Expression) -> BodyAxes:
        """T Rot_axis(angle): the two other axes mix, (a, b) -> (c a + s b, c b - s a)."""
        first, second = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}[axis]
        a, b = getattr(self, first), getattr(self, second)
        mixed = {first: a * cosine + b * sine, second: b * cosine - a * sine}
        axes = {name: mixed.get(name, getattr(self, name)) for name in "xyz"}
        return BodyAxes(**axes)
