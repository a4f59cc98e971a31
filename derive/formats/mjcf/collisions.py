"""Geoms that collide as collision shapes of their bodies, if they are asked for."""

from __future__ import annotations

from typing import Any

from eomc.derive.contacts.collision import Collision, contact_shape, numbered
from eomc.derive.formats.mjcf.compiled import CompiledDocument
from eomc.derive.formats.mjcf.visuals import geom_shape
from eomc.derive.formats.numeric_pose import quaternion_matrix
from eomc.derive.language.errors import Source

__all__ = ["keep_collisions"]


def keep_collisions(compiled: CompiledDocument) -> None:
    """Of the model; planes of the world are its ground. What a contact is beyond its shape and the
    coefficient of friction along it is left out."""
    m, place = compiled.m, Source(compiled.document.file)
    touching = [k for k in range(m.ngeom) if m.geom_contype[k] or m.geom_conaffinity[k]]
    moving = [k for k in touching if m.body_weldid[m.geom_bodyid[k]]]
    if not compiled.keeps_collisions:
        if moving and len(touching) > 1:
            compiled.leave_out(
                f"contact of {len(moving)} geoms",
                place,
                "ask for it by contacts=, or declare the pairs that meet by model.contact",
            )
        return
    found: list[Collision] = []
    for index in touching:
        shape = _shape(compiled, index)
        if shape is None:
            name = compiled.name("geom", index)
            compiled.leave_out(
                f"contact of geom {name[:80]!r}",
                compiled.source("geom", index),
                "height fields and signed distances have no form",
            )
            continue
        link = compiled.name("body", m.geom_bodyid[index])
        is_ground = shape["kind"] == "plane" and not m.geom_bodyid[index]
        name = numbered(link, found)
        if is_ground:
            name = compiled.unused({c.name for c in found}, "ground")
        rotation = quaternion_matrix(m.geom_quat[index])
        mu = float(m.geom_friction[index, 0]) if m.geom_condim[index] > 1 else 0.0
        placed = compiled.placement(m.geom_pos[index], rotation)
        found.append(Collision(name, link, shape, placed, compiled.source("geom", index), mu))
    if any(m.geom_condim[k] > 3 for k in touching):
        compiled.leave_out("friction against spin and rolling", place, "dry friction has none")
    compiled.model.collisions = tuple(found)


def _shape(compiled: CompiledDocument, index: int) -> dict[str, Any] | None:
    m, kind = compiled.m, compiled.m.geom_type[index]
    if kind == compiled.code("mjtGeom", "PLANE"):
        return {"kind": "plane"}
    if kind == compiled.code("mjtGeom", "MESH"):
        mesh = int(m.geom_dataid[index])
        first = int(m.mesh_vertadr[mesh])
        points = m.mesh_vert[first : first + int(m.mesh_vertnum[mesh])]
        return {"kind": "mesh", "points": points.astype(float)}
    visual = geom_shape(compiled, index)
    return None if visual is None else contact_shape(visual)
