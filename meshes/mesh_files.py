"""Meshes of pictures: where their files are, and what they hold, made light enough to show."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array

Surface = tuple[Array, NDArray[np.int64]]
"""Vertices (n, 3) [m] and triangles (k, 3)."""

__all__ = ["MeshError", "find_mesh", "read_mesh", "reduced"]

_SEARCHED = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "EOMC_MESHES")
# Larger files are no meshes for pictures [bytes].
_LARGEST_FILE = 500_000_000
# Characters in which a COLLADA file tells of its unit and axes.
_ASSET = 100_000
# Turns of files with another axis up.
_UP = {
    "X": np.array([[0.0, 0, -1], [0, 1, 0], [1, 0, 0]]),
    "Y": np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]),
    "Z": np.eye(3),
}


class MeshError(ValueError):
    """A mesh that is not there or cannot be read; the message says why."""


def find_mesh(file: str, folders: Iterable[str | os.PathLike[str]]) -> Path:
    """The file that a model names.

    A plain name is looked for in the folders; one that begins with ``package://`` in them, in the
    packages around them, and in the folders of the variables ROS_PACKAGE_PATH, AMENT_PREFIX_PATH
    and EOMC_MESHES.

    A model is data, often a stranger's: files are read below these folders and packages alone,
    whatever ``..``, absolute names, ``file://`` and links in the names say.

    Raises `MeshError` if it is nowhere, or elsewhere.
    """
    given = [Path(folder).absolute() for folder in folders]
    named = [
        Path(entry).absolute()
        for variable in _SEARCHED
        for entry in filter(None, os.environ.get(variable, "").split(os.pathsep))
    ]
    tried = list(dict.fromkeys(_places(file, given, named)))
    outside = None
    for root, path in tried:
        if not path.is_file():
            continue
        if _is_below(path, root, *given, *named):
            return path
        outside = outside or path
    if outside is not None:
        raise MeshError(
            f"mesh {file!r} is outside the model's folder and packages ({outside}) and is not "
            "read; name its folder by packages=, --package or EOMC_MESHES"
        )
    where = str(tried[0][1]) if tried else "no folder is known"
    raise MeshError(f"mesh {file!r} is not there ({where}); give its folder, or set EOMC_MESHES")


def _is_below(path: Path, *roots: Path) -> bool:
    """Below one of the folders, by its name and by what that leads to."""
    plain, real = Path(os.path.normpath(path.absolute())), path.resolve()
    return any(plain.is_relative_to(root) for root in map(os.path.normpath, roots)) and any(
        real.is_relative_to(root.resolve()) for root in roots
    )


def _places(file: str, folders: list[Path], named: list[Path]) -> Iterator[tuple[Path, Path]]:
    """Possible files, each with the folder or package below which it must be then."""
    scheme, found, rest = file.partition("://")
    if not found:
        yield from ((folder, folder / file) for folder in folders)
        yield from ((folder, folder / file) for folder in named)
        return
    if scheme == "file":
        path = Path(unquote(rest))
        yield (folders or named or [path / "none"])[0], path
        return
    package, _, inner = rest.partition("/")
    for folder in folders:
        yield folder, folder / rest
        for above in (folder, *folder.parents):
            for root in (above, above / package):
                if root.name == package and (_is_package(root) or root in (folder, folder.parent)):
                    yield root, root / inner
    for folder in named:
        yield folder, folder / rest
        yield folder, folder / "share" / rest
        yield folder, folder / inner


def _is_package(folder: Path) -> bool:
    """Of ROS or of Gazebo."""
    return any((folder / name).is_file() for name in ("package.xml", "model.config"))


def read_mesh(path: Path, faces: int) -> Surface:
    """The surface in a file, of about that many faces at most.

    Raises `MeshError` for files that hold none, or without the package trimesh.
    """
    stamp = path.stat()
    if stamp.st_size > _LARGEST_FILE:
        raise MeshError(f"mesh {path.name!r} has {stamp.st_size} bytes, too many to show")
    vertices, triangles = _read(str(path), (stamp.st_mtime_ns, stamp.st_size))
    return reduced(vertices, triangles, faces)


@lru_cache(maxsize=64)
def _read(path: str, stamp: tuple[int, int]) -> Surface:
    try:
        import trimesh
    except ImportError:
        raise MeshError("meshes need the package trimesh: pip install 'eomc[mesh]'") from None
    try:
        scene = trimesh.load_scene(path, resolver=_beside(Path(path)))
        loaded: Any = scene.to_mesh()
        vertices = np.array(loaded.vertices, dtype=np.float64)
        triangles = np.array(loaded.faces, dtype=np.int64)
    except Exception as error:  # whatever a reader stumbles over is a fault of the file
        told = " ".join(str(error).split())[:120] or type(error).__name__
        raise MeshError(
            f"mesh {Path(path).name!r} cannot be read: {told}; valid are STL, OBJ, glTF and DAE"
        ) from None
    if vertices.ndim == 2 and np.isfinite(vertices).all():
        if path.lower().endswith(".dae"):
            vertices = _as_told(vertices, Path(path))
        vertices, triangles = _merged(vertices, triangles.reshape(-1, 3))
        if len(triangles):
            return vertices, triangles
    raise MeshError(f"mesh {Path(path).name!r} holds no surface; export it again")


def _beside(path: Path) -> Any:
    """Reader of the files that a mesh names, such as buffers of glTF: those below its folder."""
    from trimesh.resolvers import FilePathResolver

    class FilesBesideModel(FilePathResolver):
        def get(self, name: str) -> bytes:
            wanted = path.parent / name.strip()
            if not _is_below(wanted, path.parent.absolute()):
                raise MeshError(f"it names {name[:80]!r}, which is outside its folder")
            found: bytes = super().get(name)
            return found

    return FilesBesideModel(str(path))


def _as_told(vertices: Array, path: Path) -> Array:
    """Vertices of a COLLADA file in metres with z up, by what its asset tells of unit and axis."""
    with path.open(encoding="utf-8", errors="replace") as file:
        asset = file.read(_ASSET).partition("</asset>")[0]
    unit = re.search(r"<unit\b[^>]*\bmeter\s*=\s*[\"']([^\"']+)", asset)
    up = re.search(r"<up_axis>\s*([XYZ])_UP", asset)
    try:
        scale = float(unit[1]) if unit else 1.0
    except ValueError:
        scale = 0.0
    if not scale > 0:
        raise MeshError(f"mesh {path.name!r}: its unit is no length in metres")
    found: Array = scale * vertices @ _UP[up[1] if up else "Z"].T
    return found


def _merged(vertices: Array, triangles: NDArray[np.int64]) -> Surface:
    """One vertex for all at one place, no triangle without area, none that nothing names."""
    places, index = np.unique(vertices, axis=0, return_inverse=True)
    kept = index.reshape(-1)[triangles]
    a, b, c = kept.T
    kept = kept[(a != b) & (b != c) & (a != c)]
    used, kept = np.unique(kept, return_inverse=True)
    return places[used], kept.reshape(-1, 3)


def reduced(vertices: Array, triangles: NDArray[np.int64], faces: int) -> Surface:
    """The surface with at most so many faces and the same bounds.

    By quadric error (Garland and Heckbert 1997) if the package fast-simplification is here, else
    by cells of a grid, all of whose vertices become one (Rossignac and Borrel 1993).
    """
    if len(triangles) <= faces:
        return vertices, triangles
    try:
        import fast_simplification

        share = 1 - faces / len(triangles)
        points, kept = fast_simplification.simplify(
            vertices.astype(np.float32), triangles.astype(np.int32), target_reduction=share
        )
        found = _merged(np.asarray(points, dtype=np.float64), np.asarray(kept, dtype=np.int64))
    except ImportError:
        found = vertices, triangles
    cells = max(float(faces), 16.0) ** 0.5
    while len(found[1]) > faces:
        found = _clustered(vertices, triangles, cells)
        cells *= 0.9
    return _within(found[0], vertices), found[1]


def _clustered(vertices: Array, triangles: NDArray[np.int64], cells: float) -> Surface:
    low = vertices.min(axis=0)
    size = float(np.ptp(vertices, axis=0).max()) / cells or 1.0
    _, index = np.unique(
        np.floor((vertices - low) / size).astype(np.int64), axis=0, return_inverse=True
    )
    index = index.reshape(-1)
    count = np.bincount(index)
    means = np.stack([np.bincount(index, vertices[:, k]) / count for k in range(3)], axis=1)
    return _merged(means[index], triangles)


def _within(points: Array, original: Array) -> Array:
    """The points stretched to the original's bounds."""
    low, high = original.min(axis=0), original.max(axis=0)
    own, extent = points.min(axis=0), np.ptp(points, axis=0)
    share = np.where(extent > 0, (points - own) / np.where(extent > 0, extent, 1.0), 0.5)
    found: Array = low + share * (high - low)
    return found
