"""A mesh from a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from eomc.derive.elements.fields import FieldKind, Given, of_kind
from eomc.derive.language.errors import ModelError
from eomc.derive.language.value import value_of
from eomc.derive.visuals.visual_shape import Sizes, Triple, VisualShape, visual_shape

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
