"""Shapes that are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from eomc.derive.elements.fields import FieldKind, Given, Number, number, of_kind
from eomc.derive.language.errors import ModelError
from eomc.derive.language.value import value_of
from eomc.derive.visuals.visual_shape import (
    Corners,
    PointRows,
    Sizes,
    Triple,
    VisualShape,
    check_sizes,
    visual_shape,
)


@visual_shape("box")
class BoxVisual(VisualShape):
    """A box about the origin, with sides along x, y and z."""

    box: Triple = of_kind(Sizes("size", "m"))

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        check_sizes(self.box, "box", values)


@visual_shape("capsule")
class CapsuleVisual(VisualShape):
    """A cylinder along z of that length between its round ends, with its middle in the origin."""

    capsule: Number = number("m", "radius")
    length: Number = number("m")


@visual_shape("cone")
class Cone(VisualShape):
    """A cone along z, with the middle of its height in the origin and its tip at +z."""

    cone: Number = number("m", "radius")
    length: Number = number("m")


@visual_shape("cylinder")
class CylinderVisual(VisualShape):
    """A cylinder along z, with its middle in the origin."""

    cylinder: Number = number("m", "radius")
    length: Number = number("m")


@visual_shape("ellipsoid")
class EllipsoidVisual(VisualShape):
    """An ellipsoid about the origin, with these half axes along x, y and z."""

    ellipsoid: Triple = of_kind(Sizes("radii", "m"))

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        check_sizes(self.ellipsoid, "ellipsoid", values)


@visual_shape("extrusion")
class Extrusion(VisualShape):
    """A polygon of x and y, drawn out along z with its middle in the origin."""

    extrusion: Corners = of_kind(PointRows("polygon", "m", width=2, fewest=3))
    length: Number = number("m")


@visual_shape("line")
class LineVisual(VisualShape):
    """A round bar from point to point."""

    line: Corners = of_kind(PointRows("points", "m"))
    radius: Number = number("m", default=0.005)


#: Ends of the names of files that are read.
FORMATS = (".stl", ".obj", ".gltf", ".glb", ".dae", ".ply", ".off")


@visual_shape("mesh")
class Mesh(VisualShape):
    """The surface in a file: STL, OBJ, glTF, PLY, OFF, or DAE.

    The name is told from the model file, or begins with ``package://``. It is looked for when the
    model is shown; where it is missing the body is drawn as if it had no shapes.
    """

    mesh: Given[str, str] = of_kind(FieldKind("file"))
    scale: Triple = of_kind(Sizes("scale"), default=(1, 1, 1))

    def check(self, values: Mapping[str, float]) -> None:
        """A known format, and a scale."""
        if PurePosixPath(self.mesh).suffix.lower() not in FORMATS:
            raise ModelError(f"mesh is {self.mesh[-80:]!r}; known formats: {', '.join(FORMATS)}")
        if not all(value_of(entry, values) for entry in self.scale):
            raise ModelError("scale is zero along an axis; give numbers that are not zero")


@visual_shape("sphere")
class SphereVisual(VisualShape):
    """A ball about the origin."""

    sphere: Number = number("m", "radius")


@visual_shape("tube")
class Tube(VisualShape):
    """A cylinder along z with a bore, with its middle in the origin."""

    tube: Number = number("m", "radius")
    inner: Number = number("m")
    length: Number = number("m")

    def check(self, values: Mapping[str, float]) -> None:
        """There is a wall."""
        super().check(values)
        if not value_of(self.inner, values) < value_of(self.tube, values):
            raise ModelError("inner is not less than the radius; give a tube with a wall")
