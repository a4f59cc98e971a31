"""Poses of all bodies and frames, in one function, and lines of deformed bodies: for pictures."""

from __future__ import annotations

from eomc.derive.functions.registry import function, matrix
from eomc.derive.graph import Argument
from eomc.derive.picture.picture import body_points, pose_rows
from eomc.derive.system import System


@function(
    "poses",
    ("q",),
    "Poses of all bodies and frames: the first three rows of each, one after the other.",
    needs=("bodies",),
)
def poses(system: System) -> list[Argument]:
    """(R, r) in the world, in the order that the picture of the model tells."""
    model, known = system.model, system.tree.pose_of
    rows = [
        row
        for name in pose_rows(model)
        # What was declared after the derivation is not in it.
        if (model.frames[name].body if name in model.frames else name) in known
        for row in system.frame(name).pose(system.tree, system.world)[:3]
    ]
    return [matrix("poses", rows, 4, "rows of (R, r)", "1 and m")]


@function(
    "body_lines",
    ("q",),
    "Points of the lines that pictures show of deformable bodies, one after the other.",
    needs=("body lines",),
)
def body_lines(system: System) -> list[Argument]:
    """Along their outlines or stations, in the order that the picture of the model tells."""
    scene, rows = system.scene, []
    for name, places in body_points(system.model).items():
        expanded = system.model.deformables[name].is_expanded
        for place in places:
            point = scene.point(name, place).position if expanded else scene.along(name, place)
            rows.append([*point])
    return [matrix("points", rows, 3, "points in the world", "m")]
