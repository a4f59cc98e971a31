"""A mesh from a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from eomc.derive.elements.fields import FieldKind, Given, of_kind
from eomc.derive.language.errors import ModelError
from eomc.derive.visuals.visual_shape import (
    Sizes,
    Triple,
    VisualShape,
    check_sizes,
    visual_shape,
)

#: Ends of the names of files that are read.
FORMATS = (".stl", ".obj", ".gltf", ".glb", ".dae")


@visual_shape("mesh")
class Mesh(VisualShape):
    """The surface in a file: STL, OBJ, glTF, or DAE.

    The name is told from the model file, or begins with ``package://``. It is looked for when the
    model is shown; where it is missing the body is drawn as if it had no shapes.
    """

    mesh: Given[str, str] = of_kind(FieldKind("file"))
    scale: Triple = of_kind(Sizes("scale"), default=(1, 1, 1))

    def check(self, values: Mapping[str, float]) -> None:
        """A known format, and a scale."""
        if PurePosixPath(self.mesh).suffix.lower() not in FORMATS:
            raise ModelError(f"mesh is {self.mesh[-80:]!r}; known formats: {', '.join(FORMATS)}")
        check_sizes(self.scale, "scale", values)
