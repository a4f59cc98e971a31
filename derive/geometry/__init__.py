"""Vectors, spatial vectors, rotations and inertias on the expression graph."""

from eomc.derive.geometry.acceleration import Acceleration, AccelerationMatrix
from eomc.derive.geometry.inertia import Inertia
from eomc.derive.geometry.pose import LinkPose
from eomc.derive.geometry.rotation import MatrixRotation, PlaneRotation, Rotation, Symmetric
from eomc.derive.geometry.spatial import SpatialForce, SpatialMomentum, SpatialMotion
from eomc.derive.geometry.vector import Scalar, Vector, unit

__all__ = [
    "Acceleration",
    "AccelerationMatrix",
    "Inertia",
    "LinkPose",
    "MatrixRotation",
    "PlaneRotation",
    "Rotation",
    "Scalar",
    "SpatialForce",
    "SpatialMomentum",
    "SpatialMotion",
    "Symmetric",
    "Vector",
    "unit",
]
