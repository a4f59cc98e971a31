"""Shapes that are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from eomc.derive.fields.field import FieldKind, Given, Number, number, of_kind
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.value import value_of
from eomc.derive.visuals.visual_shape import (
    Corners,
    PointRows,
    Sizes,
    Triple,
    VisualShape,
    check_sizes,
)


@kind("box")
class BoxVisual(VisualShape):
    """A box about the origin, with sides along x, y and z."""

    size: Triple = of_kind(Sizes("along x, y and z", "m"))

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        check_sizes(self.size, "size", values)


@kind("capsule")
class CapsuleVisual(VisualShape):
    """A cylinder along z of that length between its round ends, with its middle in the origin."""

    radius: Number = number("m")
    length: Number = number("m")


@kind("cone")
class Cone(VisualShape):
    """A cone along z, with the middle of its height in the origin and its tip at +z."""

    radius: Number = number("m")
    length: Number = number("m")


@kind("cylinder")
class CylinderVisual(VisualShape):
    """A cylinder along z, with its middle in the origin."""

    radius: Number = number("m")
    length: Number = number("m")


@kind("ellipsoid")
class EllipsoidVisual(VisualShape):
    """An ellipsoid about the origin, with these half axes along x, y and z."""

    radii: Triple = of_kind(Sizes("half axes", "m"))

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        check_sizes(self.radii, "radii", values)


@kind("extrusion")
class Extrusion(VisualShape):
    """A polygon of x and y, drawn out along z with its middle in the origin."""

    polygon: Corners = of_kind(PointRows("corners", "m", width=2, fewest=3))
    length: Number = number("m")


@kind("line")
class LineVisual(VisualShape):
    """A round bar from point to point."""

    points: Corners = of_kind(PointRows("along it", "m"))
    radius: Number = number("m", default=0.005)


#: Ends of the names of files that are read.
FORMATS = (".stl", ".obj", ".gltf", ".glb", ".dae", ".ply", ".off")


@kind("mesh")
class Mesh(VisualShape):
    """The surface in a file: STL, OBJ, glTF, PLY, OFF, or DAE.

    The name is told from the model file, or begins with ``package://``. It is looked for when the
    model is shown; where it is missing the body is drawn as if it had no shapes.
    """

    file: Given[str, str] = of_kind(FieldKind("name"))
    scale: Triple = of_kind(Sizes("along x, y and z"), default=(1, 1, 1))

    def check(self, values: Mapping[str, float]) -> None:
        """A known format, and a scale."""
        if PurePosixPath(self.file).suffix.lower() not in FORMATS:
            raise ModelError(f"file is {self.file[-80:]!r}; known formats: {', '.join(FORMATS)}")
        if not all(value_of(entry, values) for entry in self.scale):
            raise ModelError("scale is zero along an axis; give numbers that are not zero")


@kind("sphere")
class SphereVisual(VisualShape):
    """A ball about the origin."""

    radius: Number = number("m")


@kind("tube")
class Tube(VisualShape):
    """A cylinder along z with a bore, with its middle in the origin."""

    radius: Number = number("m")
    inner: Number = number("m")
    length: Number = number("m")

    def check(self, values: Mapping[str, float]) -> None:
        """There is a wall."""
        super().check(values)
        if not value_of(self.inner, values) < value_of(self.radius, values):
            raise ModelError("inner is not less than the radius; give a tube with a wall")
