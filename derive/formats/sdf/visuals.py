"""Visual and collision shapes of SDF links; what pictures cannot show is left out."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import numpy as np

from eomc.derive.contacts.collision import Collision, contact_shape, numbered
from eomc.derive.formats.numeric_pose import numeric_placement
from eomc.derive.formats.sdf.element import SdfElement
from eomc.derive.formats.sdf.poses import Poses, SdfPose
from eomc.derive.language.errors import ModelError
from eomc.derive.model.model import Model
from eomc.derive.visuals.shapes import FORMATS

__all__ = ["declare_visuals", "keep_collisions"]


def declare_visuals(model: Model, link: SdfElement, poses: Poses, snap: float) -> None:
    """Under the names of the link and the visual; a faulty one is left out with a note."""
    for visual in link.children("visual"):
        try:
            _declare(model, link, visual, poses, snap)
        except ModelError as error:
            link.notes.append(f"{error}; it is not shown")


def keep_collisions(model: Model, link: SdfElement, poses: Poses, snap: float) -> None:
    """Collision shapes of a link, with the coefficient of friction of ODE; what has no form is
    told."""
    found = [*model.collisions]
    for collision in link.children("collision"):
        geometry = collision.child("geometry")
        shape = _collision_shape(geometry) if geometry is not None else None
        if shape is None:
            collision.leave_out("it", "give a plane, box, ball, ... of sizes above zero, or a mesh")
            continue
        pose = poses.within(link.name, collision)
        if shape["kind"] == "plane":
            pose = pose @ SdfPose(np.zeros(3), _towards(shape.pop("normal")))
        place = numeric_placement(pose.xyz, pose.axes, snap)
        numbers = (numbered(link.name, found), link.name, shape, place, collision.source)
        found.append(Collision(*numbers, _friction(collision)))
    model.collisions = tuple(found)


def _collision_shape(geometry: SdfElement) -> dict[str, Any] | None:
    plane = geometry.child("plane")
    if plane is not None:
        normal = plane.child("normal")
        return {"kind": "plane", "normal": normal.numbers(3) if normal is not None else [0, 0, 1]}
    visual = _shape(geometry)
    return None if visual is None else contact_shape(visual)


def _towards(normal: list[float]) -> Any:
    """A rotation whose third axis is along a normal."""
    n = np.asarray(normal) / np.linalg.norm(normal)
    first = np.cross(n, np.eye(3)[int(np.argmin(np.abs(n)))])
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(n, first), n]).T


def _friction(collision: SdfElement) -> float | None:
    part: SdfElement | None = collision
    for tag in ("surface", "friction", "ode"):
        part = part.child(tag) if part is not None else None
    return None if part is None else part.number("mu", 1.0)


def _declare(model: Model, link: SdfElement, visual: SdfElement, poses: Poses, snap: float) -> None:
    geometry = visual.child("geometry")
    shape = _shape(geometry) if geometry is not None else None
    if shape is None:
        return
    pose = poses.within(link.name, visual)
    name = f"{link.name}_{visual.name}" if visual.name else link.name
    number = 1
    while name in model.visuals:
        number += 1
        name = f"{link.name}_{visual.name}_{number}"
    model.visual(
        name,
        body=link.name,
        shape=shape,
        source=visual.source,
        placement=numeric_placement(pose.xyz, pose.axes, snap),
        **_color(visual),
    )


def _shape(geometry: SdfElement) -> dict[str, Any] | None:
    if (box := geometry.child("box")) is not None and (size := box.child("size")) is not None:
        sizes = size.numbers(3)
        return {"kind": "box", "size": sizes} if min(sizes) > 0 else None
    if (ball := geometry.child("sphere")) is not None:
        radius = ball.number("radius", 1.0)
        return {"kind": "sphere", "radius": radius} if radius > 0 else None
    for tag in ("cylinder", "capsule"):
        if (part := geometry.child(tag)) is not None:
            radius, length = part.number("radius", 1.0), part.number("length", 1.0)
            return (
                {"kind": tag, "radius": radius, "length": length}
                if min(radius, length) > 0
                else None
            )
    if (part := geometry.child("ellipsoid")) is not None:
        if (radii := part.child("radii")) is None:
            return None
        sizes = radii.numbers(3)
        return {"kind": "ellipsoid", "radii": sizes} if min(sizes) > 0 else None
    mesh = geometry.child("mesh")
    uri = mesh.child("uri") if mesh is not None else None
    if mesh is None or uri is None:
        return None
    name = uri.text.replace("model://", "package://", 1)
    if PurePosixPath(name).suffix.lower() not in FORMATS:
        return None
    given = mesh.child("scale")
    scale = given.numbers(3) if given is not None else [1.0, 1.0, 1.0]
    return {"kind": "mesh", "file": name, "scale": scale} if all(scale) else None


def _color(visual: SdfElement) -> dict[str, Any]:
    material = visual.child("material")
    diffuse = material.child("diffuse") if material is not None else None
    if diffuse is None:
        return {}
    numbers = diffuse.numbers(len(diffuse.text.split()) if len(diffuse.text.split()) == 3 else 4)
    color = [min(max(entry, 0.0), 1.0) for entry in numbers]
    return {"color": color[:3], "opacity": color[3] if len(color) == 4 else 1.0}
