"""Vectors, rotations and inertias on the expression graph."""

from eomc.derive.geometry.acceleration import AccelerationMatrix
from eomc.derive.geometry.inertia import Inertia
from eomc.derive.geometry.rotation import MatrixRotation, PlaneRotation, Rotation, Symmetric
from eomc.derive.geometry.vector import Scalar, Vector, unit

__all__ = [
    "AccelerationMatrix",
    "Inertia",
    "MatrixRotation",
    "PlaneRotation",
    "Rotation",
    "Scalar",
    "Symmetric",
    "Vector",
    "unit",
]
