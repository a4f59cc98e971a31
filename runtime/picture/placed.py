"""A model as pictures show it along a run: solids with their poses, and lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.names.near_names import require_known
from eomc.runtime.picture.description import PicturedModel, with_surfaces
from eomc.runtime.picture.lines import THIN, line_points
from eomc.runtime.picture.surfaces import surface

__all__ = ["PlacedLine", "PlacedPicture", "Solid", "placed"]

WORLD = "world"
# How many times its own reach a model is away that is seen from its own middle.
_FAR = 1e3
# Of all meshes together, in pictures that are drawn face by face.
_FACES = 6000


class PicturedRun(Protocol):
    """A run as pictures need it; `eomc.runtime.Trajectory` is one."""

    @property
    def model(self) -> PicturedModel | None: ...
    @property
    def count(self) -> int: ...
    def evaluate(self, function: str) -> Any: ...


@dataclass(frozen=True)
class Solid:
    """Faces (f, 4, 3) in the axes of a body [m], and how they look.

    `ends` (2, 3) are those of a link's middle line; `record` is that of the description.
    """

    body: str
    faces: Array
    color: str
    opacity: float
    record: Mapping[str, Any]
    ends: Array | None = None


@dataclass(frozen=True)
class PlacedLine:
    """A line (n, k, 3) in the world [m]; gaps are rows of NaN. `width` is its diameter [m]."""

    points: Array
    width: float
    color: str
    record: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PlacedPicture:
    """Solids and lines, and poses (n, 4, 4) of world, bodies and frames; films write the `note`.

    `origin` (n, 3) is where all of it is seen from, in the world: the middle of the bodies of a
    model that is far away from the world's origin, as in orbit; None for that origin itself.
    """

    description: Mapping[str, Any]
    poses: Mapping[str, Array]
    solids: tuple[Solid, ...]
    lines: tuple[PlacedLine, ...]
    note: str = ""
    origin: Array | None = None

    def at(self, body: str, xyz: ArrayLike) -> Array:
        """Points (k, 3) of a body in the world, (n, k, 3) [m].

        Raises ValueError for an unknown body or frame.
        """
        require_known([body], self.poses, "shapes: no body or frame")
        pose = self.poses[body]
        points = np.array(xyz, dtype=np.float64).reshape(-1, 3)
        found: Array = points @ pose[:, :3, :3].transpose(0, 2, 1) + pose[:, None, :3, 3]
        return found

    def faces(self, row: int) -> list[Array]:
        """Faces (f, 4, 3) of every solid in the world at one time."""
        placed_faces = []
        for solid in self.solids:
            pose = self.poses[solid.body][row]
            placed_faces.append(solid.faces @ pose[:3, :3].T + pose[:3, 3])
        return placed_faces

    @property
    def skeleton(self) -> Array:
        """Middle points of all solids and lines at all times, (k, 3)."""
        parts = []
        for solid in self.solids:
            middle = solid.ends
            if middle is None:
                middle = np.array(solid.record.get("placement", {}).get("xyz", (0, 0, 0)))
            parts.append(self.at(solid.body, middle).reshape(-1, 3))
        for line in self.lines:
            if "direction" in line.record:  # of an arrow, where it stands
                ends = line.points[:, :1]
            else:
                ends = line.points if "points" in line.record else line.points[:, [0, -1]]
            parts.append(ends.reshape(-1, 3))
        parts += [pose[:, :3, 3] for name, pose in self.poses.items() if name != WORLD]
        points = np.concatenate(parts)
        return points[np.isfinite(points).all(axis=1)]

    @property
    def segments(self) -> dict[str, Array]:
        """Middle lines of links and rods, (n, 2, 3) in the world [m], by id."""
        found = {
            solid.record["id"]: self.at(solid.body, solid.ends)
            for solid in self.solids
            if solid.ends is not None
        }
        found |= {line.record["id"]: line.points for line in self.lines if "ends" in line.record}
        return found


def placed(
    run: PicturedRun,
    folders: Iterable[Any] = (),
    lines: Mapping[str, ArrayLike] | None = None,
    forces: bool | str | Sequence[str] = False,
) -> PlacedPicture:
    """The model of a run as pictures show it.

    lines : body or frame to (k, 3) array
        Further lines, fixed in that body's axes [m]; one point is joined to the origin.
    forces : bool or words of `eomc.runtime.picture.forces.WAYS`
        Arrows of forces and moments.

    Raises ValueError without a model or one without bodies, for lines of unknown bodies or wrong
    form, for forces that the model does not tell.
    """
    model = run.model
    if model is None:
        raise ValueError("an animation needs the model: from_npz(path, model)")
    whole, meshes = with_surfaces(model, folders, faces=_FACES)
    rows = _rows(run, whole)
    poses = _poses(run, whole, rows)
    origin = _origin(poses, whole)
    if origin is not None:
        poses = {name: _moved(pose, origin) for name, pose in poses.items()}
        rows = {name: _relative(row, origin) for name, row in rows.items()}
    bare = PlacedPicture(whole, poses, (), (), origin=origin)
    solids = []
    for shape in whole["shapes"]:
        if origin is not None and not shape["body"]:
            continue  # out of sight
        shown = dict(shape) | ({"surface": meshes[shape["mesh"]]} if "mesh" in shape else {})
        look = whole["materials"][shape["material"]]
        ends = np.array([shape["a"], shape["b"]]) if "a" in shape else None
        solids.append(
            Solid(
                shape["body"] or WORLD, surface(shown), look["color"], look["opacity"], shape, ends
            )
        )
    drawn = [_line(record, bare, whole, rows) for record in whole["lines"]]
    drawn += [_own_line(name, points, bare) for name, points in (lines or {}).items()]
    note = ""
    if forces:
        from eomc.runtime.picture.forces import arrows

        more, note = arrows(run, forces, whole["reach"], origin)
        if forces is True or "acting" in forces:  # shown as large as they are
            drawn = [line for line in drawn if line.record.get("kind") not in ("arrow", "turn")]
        drawn += more
    return PlacedPicture(whole, poses, tuple(solids), tuple(drawn), note, origin)


def _rows(run: PicturedRun, whole: Mapping[str, Any]) -> dict[str, Array]:
    """Values (n, k, w) of the functions that the description names."""
    names = [whole["poses"]["function"]]
    names += [line["points"]["function"] for line in whole["lines"] if "points" in line]
    names = list(dict.fromkeys(names))
    assert run.model is not None
    run.model.prepare(*names)
    found = {}
    for name in names:
        values = np.asarray(run.evaluate(name))
        found[name] = np.broadcast_to(values, (run.count, *values.shape[-2:]))
    return found


def _poses(
    run: PicturedRun, whole: Mapping[str, Any], rows: Mapping[str, Array]
) -> dict[str, Array]:
    names = whole["poses"]["rows"]
    poses = np.broadcast_to(np.eye(4), (run.count, len(names), 4, 4)).copy()
    poses[:, :, :3] = rows[whole["poses"]["function"]].reshape(run.count, len(names), 3, 4)
    found = {name: poses[:, k] for k, name in enumerate(names)}
    found.setdefault(WORLD, np.broadcast_to(np.eye(4), (run.count, 4, 4)))
    return found


def _origin(poses: Mapping[str, Array], whole: Mapping[str, Any]) -> Array | None:
    """The middle of the bodies (n, 3) if it starts far away; there floats in metres are coarse, and
    what happens between the bodies is small beside where they are."""
    bodies = [pose[:, :3, 3] for name, pose in poses.items() if name != WORLD]
    if not bodies:
        return None
    middle = np.mean(bodies, axis=0)
    is_far = float(np.linalg.norm(middle[0])) > _FAR * max(float(whole["reach"]), 1e-9)
    return middle if is_far else None


def _moved(pose: Array, origin: Array) -> Array:
    moved = pose.copy()
    moved[:, :3, 3] -= origin
    return moved


def _relative(row: Array, origin: Array) -> Array:
    """Points (n, k, 3) of lines; what a function else tells stays."""
    return row - origin[:, None] if row.shape[-1] == 3 else row


def _line(
    record: Mapping[str, Any],
    bare: PlacedPicture,
    whole: Mapping[str, Any],
    rows: Mapping[str, Array],
) -> PlacedLine:
    def place(at: Any) -> Array:
        return bare.at(at[0], at[1])[:, 0]

    def turn(direction: Any) -> Array:
        turned: Array = bare.poses[direction[0]][:, :3, :3] @ np.array(direction[1])
        return turned

    points = line_points(record, place, turn, rows)
    solid = record["kind"] not in THIN
    color = whole["materials"][record["material"]]["color"]
    return PlacedLine(points, 2 * record["radius"] if solid else 0.0, color, record)


def _own_line(name: str, points: ArrayLike, bare: PlacedPicture) -> PlacedLine:
    line = np.array(points, dtype=np.float64)
    if line.shape == (3,):
        line = np.stack([np.zeros(3), line])
    if line.ndim != 2 or line.shape[1] != 3 or not np.isfinite(line).all():
        require_known([name], bare.poses, "shapes: no body or frame")
        raise ValueError(f"shapes: give {name!r} a row of finite points (k, 3)")
    return PlacedLine(bare.at(name, line), 0.0, "#4c86c6", {"id": f"shape of {name}", "ends": 2})
