"""Geoms as visual shapes of their bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.derive.formats.mjcf.compiled import CompiledDocument
from eomc.derive.formats.numeric_pose import quaternion_matrix
from eomc.derive.language.errors import ModelError
from eomc.derive.visuals.shapes import FORMATS

__all__ = ["declare_visuals", "geom_shape"]


def declare_visuals(compiled: CompiledDocument) -> None:
    """Those of moving bodies; planes and what is transparent are not shown."""
    m = compiled.m
    for index in range(m.ngeom):
        color = m.geom_rgba[index]
        if m.geom_matid[index] >= 0:
            color = m.mat_rgba[m.geom_matid[index]]
        shape = geom_shape(compiled, index)
        if shape is None or not m.geom_bodyid[index] or color[3] <= 0:
            continue
        body = compiled.name("body", m.geom_bodyid[index])
        place = (m.geom_pos[index], quaternion_matrix(m.geom_quat[index]))
        if "mesh" in shape:
            place = _mesh_place(compiled, index, place)
        name = compiled.unused(compiled.model.visuals, compiled.name("geom", index))
        try:
            compiled.model.visual(
                name,
                body=body,
                shape=shape,
                placement=compiled.placement(*place),
                color=[float(min(max(c, 0.0), 1.0)) for c in color[:3]],
                opacity=float(min(color[3], 1.0)),
                source=compiled.source("geom", index),
            )
        except ModelError:  # pictures do without a name or size that they cannot show
            continue


def geom_shape(compiled: CompiledDocument, index: int) -> dict[str, Any] | None:
    """A geom in the words of visual shapes; None of what pictures do not show."""
    m, code = compiled.m, compiled.code
    kind = m.geom_type[index]
    x, y, z = (float(size) for size in m.geom_size[index])
    shapes: dict[int, dict[str, Any]] = {
        code("mjtGeom", "SPHERE"): {"kind": "sphere", "radius": x},
        code("mjtGeom", "CAPSULE"): {"kind": "capsule", "radius": x, "length": 2 * y},
        code("mjtGeom", "ELLIPSOID"): {"kind": "ellipsoid", "radii": (x, y, z)},
        code("mjtGeom", "CYLINDER"): {"kind": "cylinder", "radius": x, "length": 2 * y},
        code("mjtGeom", "BOX"): {"kind": "box", "size": (2 * x, 2 * y, 2 * z)},
    }
    if kind == code("mjtGeom", "MESH"):
        return _mesh(compiled, int(m.geom_dataid[index]))
    return shapes.get(int(kind))


def _mesh(compiled: CompiledDocument, mesh: int) -> dict[str, Any] | None:
    m = compiled.m
    start = int(m.mesh_pathadr[mesh])
    if start < 0:
        return None
    path = bytes(m.paths[start:]).split(b"\0", 1)[0].decode("utf-8", "replace")
    if not path.lower().endswith(FORMATS):
        return None
    scale = tuple(float(entry) for entry in m.mesh_scale[mesh])
    return {"kind": "mesh", "file": path, "scale": scale}


def _mesh_place(compiled: CompiledDocument, index: int, place: tuple[Any, Any]) -> tuple[Any, Any]:
    """MuJoCo moves a mesh to its centre and principal axes: undo that, the file is not moved."""
    m, mesh = compiled.m, int(compiled.m.geom_dataid[index])
    position, rotation = place
    turned = rotation @ quaternion_matrix(m.mesh_quat[mesh]).T
    return position - turned @ np.asarray(m.mesh_pos[mesh]), turned
