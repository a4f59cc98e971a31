"""The description of what pictures show, whole: with the meshes that it names."""

from __future__ import annotations

import base64
import copy
import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from eomc.meshes.mesh_files import MeshError, Surface, find_mesh, read_mesh

__all__ = ["MOST_FACES", "PicturedModel", "described", "encoded", "known_picture", "with_surfaces"]

#: Faces of all meshes together, and of one.
MOST_FACES, MOST_OF_ONE = 60_000, 3_000

_STEPS = 32767


class MissingMeshWarning(UserWarning):
    """A mesh is not drawn, and something else in its place."""


class PicturedModel(Protocol):
    """A compiled model as pictures need it; `eomc.runtime.CompiledModel` is one."""

    name: str
    frames: tuple[str, ...]
    mesh_folders: tuple[Path, ...]

    @property
    def manifests(self) -> tuple[Mapping[str, Any], ...]:
        """Those of all its compiled modules."""

    def prepare(self, *names: str) -> None:
        """Compile functions."""


def known_picture(model: PicturedModel) -> dict[str, Any]:
    """The description in the manifest of the module that has the function `poses`.

    Raises ValueError for a model without bodies.
    """
    if model.frames:
        model.prepare("poses")
        for manifest in model.manifests:
            if found := manifest["metadata"].get("picture"):
                return dict(found)
    raise ValueError(f"model {model.name!r} has no bodies or frames that could be drawn")


def described(
    model: PicturedModel, folders: Iterable[str | os.PathLike[str]] = (), *, faces: int = MOST_FACES
) -> dict[str, Any]:
    """The description with its meshes as text, for JSON.

    A mesh under "meshes" has `bounds`, `vertices` as base64 of int16 triples, which go from -32767
    to 32767 over the bounds, and `faces` as base64 of uint16 or uint32 triples (`index`), little
    endian. A body whose mesh is not there is drawn by its spare shapes, and a warning names the
    mesh.
    """
    whole, surfaces = with_surfaces(model, folders, faces=faces)
    whole["meshes"] = {key: encoded(surface) for key, surface in surfaces.items()}
    return whole


def with_surfaces(
    model: PicturedModel, folders: Iterable[str | os.PathLike[str]] = (), *, faces: int = MOST_FACES
) -> tuple[dict[str, Any], dict[str, Surface]]:
    """The description, in which shapes name their meshes by key, and the meshes by key.

    Meshes are looked for in `folders`, then in those of the model.
    """
    whole = copy.deepcopy(known_picture(model))
    files = list(dict.fromkeys(s["file"] for s in whole["shapes"] if s["kind"] == "mesh"))
    found: dict[str, Surface] = {}
    missing: dict[str, str] = {}
    limit = min(MOST_OF_ONE, faces // max(len(files), 1))
    places = [*folders, *model.mesh_folders]
    for k, file in enumerate(files):
        try:
            found[f"k{k}"] = read_mesh(find_mesh(file, places), limit)
        except MeshError as error:
            missing[file] = str(error)
    if missing:
        others = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
        warnings.warn(
            f"{whole['name']}: {next(iter(missing.values()))}{others}; drawn by plain shapes",
            MissingMeshWarning,
            stacklevel=3,
        )
    whole["missing_meshes"] = list(missing)
    keys = {file: f"k{k}" for k, file in enumerate(files)}
    lost = {s["body"] for s in whole["shapes"] if s.get("file") in missing}
    shapes = []
    for shape in whole["shapes"]:
        if shape["kind"] == "mesh":
            if shape["file"] in missing:
                continue
            shape["mesh"] = keys[shape["file"]]
        elif "instead" in shape and shape.get("owner", shape["body"]) not in lost:
            continue
        shapes.append(shape)
    whole["shapes"] = shapes
    return whole, found


def encoded(surface: Surface) -> dict[str, Any]:
    """A mesh as text."""
    vertices, faces = surface
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    extent = np.where(high > low, high - low, 1.0)
    steps = np.rint((vertices - low) / extent * (2 * _STEPS) - _STEPS)
    index = "uint16" if len(vertices) < 65536 else "uint32"
    return {
        "bounds": [low.tolist(), high.tolist()],
        "vertices": _text(steps.astype("<i2")),
        "faces": _text(faces.astype(f"<u{2 if index == 'uint16' else 4}")),
        "index": index,
        "count": [len(vertices), len(faces)],
    }


def _text(array: NDArray[Any]) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")
