"""Models from SDF files, version 1.4 and later (optional dependency `eomc[sdf]`)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eomc.derive.formats.format import SNAP, Format, Written, check_snap, register_format
from eomc.derive.formats.model_file import read_bytes
from eomc.derive.formats.numeric_pose import exact_zero, numeric_placement
from eomc.derive.formats.sdf.element import SdfElement, place_of
from eomc.derive.formats.sdf.flatten import SdfFiles, flattened
from eomc.derive.formats.sdf.joints import declare_joint
from eomc.derive.formats.sdf.poses import Poses, not_relative, pose_of
from eomc.derive.formats.sdf.versions import modernized, version_of
from eomc.derive.formats.sdf.visuals import declare_visuals, keep_collisions
from eomc.derive.formats.xml_file import xml_root
from eomc.derive.joints.joint_kind import joint_kind
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.naming import WORLD
from eomc.derive.model.model import Model
from eomc.derive.placement.placement import Point
from eomc.derive.placement.rotation import rotate_inertia

__all__ = ["parse_sdf", "read_sdf"]

#: What the specification takes where nothing is said.
_GRAVITY = (0.0, 0.0, -9.8)
_PARTS = (
    *("link", "joint", "frame", "pose", "static", "plugin", "enable_wind"),
    *("self_collide", "allow_auto_disable"),
)
_WORLD = (
    *("model", "gravity", "include", "actor", "joint", "frame", "plugin", "physics", "wind"),
    *("magnetic_field", "atmosphere", "gui", "scene", "light", "audio", "road", "state"),
    *("spherical_coordinates", "population"),
)
_LINK = (
    *("inertial", "pose", "visual", "gravity", "collision", "sensor", "light", "audio_sink"),
    *("audio_source", "battery", "particle_emitter", "projector", "self_collide", "enable_wind"),
    *("velocity_decay", "must_be_base_link"),
)
_MOMENTS = {"ixx": 1.0, "iyy": 1.0, "izz": 1.0, "ixy": 0.0, "ixz": 0.0, "iyz": 0.0}


def read_sdf(
    path: str | Path,
    *,
    snap: float = SNAP,
    packages: Sequence[str | Path] = (),
    collisions: bool = False,
) -> Model:
    """The model in the SDF file at `path`: one <model>, alone or in a <world>, with those that it
    includes from its folder and from `packages`.

    It stands on joints to the world, or is static, or falls freely, as the file says. With
    `collisions` it keeps the collision shapes of its links. Raises
    `ModelError` with file, line and element for anything that is no valid model or is not read.
    """
    return parse_sdf(
        read_bytes(path), str(path), snap=snap, packages=packages, collisions=collisions
    )


def parse_sdf(
    data: bytes,
    file: str = "<sdf>",
    *,
    snap: float = SNAP,
    packages: Sequence[str | Path] = (),
    collisions: bool = False,
) -> Model:
    """The model in the SDF text `data`; see `read_sdf`."""
    check_snap(snap)
    element, gravity = _model_element(data, file, packages)
    model = Model(
        element.name or Path(file).stem, gravity=gravity, inertia="warn", source=element.source
    )
    element.only(*_PARTS)
    links = [link.named() for link in element.children("link")]
    if not links:
        raise element.error("has no link")
    _check_names(element)
    poses = Poses(element, element.attribute("canonical_link") or links[0].name)
    for link in links:
        _link(model, link, snap)
    for joint in element.children("joint"):
        declare_joint(model, joint.named(), poses, snap)
    _roots(model, element, links, poses, snap)
    for frame in element.children("frame"):
        frame.only("pose")
        body = poses.link(frame.named().name, frame)
        there = poses.of(frame.name, frame)
        base = poses.of(body, frame)
        place = base.inverse() @ there
        model.frame(
            frame.name,
            body=body,
            source=frame.source,
            placement=numeric_placement(place.xyz, place.axes, snap),
        )
    for link in links:
        declare_visuals(model, link, poses, snap)
        if collisions:
            keep_collisions(model, link, poses, snap)
    _tell(element, links, collisions)
    return model


def _model_element(
    data: bytes, file: str, packages: Sequence[str | Path]
) -> tuple[SdfElement, tuple[float, float, float]]:
    """The one <model>, with those nested and included in it, and gravity."""
    raw = xml_root(data, file, "sdf")
    root = SdfElement(raw, file)
    if root.tag != "sdf":
        raise ModelError(f"the root element is <{root.tag[:80]}>, not <sdf>", root.source)
    version, files = version_of(raw, root.source), SdfFiles(file, packages)
    holder, gravity = root, _GRAVITY
    worlds = root.children("world")
    if worlds and not root.children("model"):
        holder, raw = worlds[0], raw.find("world")
        holder.only(*_WORLD)
        for plugin in holder.children("plugin"):
            plugin.leave_out("it", "what it does is no part of the file")
        given, physics = holder.child("gravity"), holder.child("physics")
        if given is None and version < (1, 6) and physics is not None:
            given = physics.child("gravity")
        if given is not None:
            x, y, z = given.numbers(3)
            gravity = (x, y, z)
    for tag in ("actor", "joint"):
        for other in holder.children(tag):
            raise other.error(f"<{tag}> is not read here; put the model itself into the file")
    for model in raw.findall("model"):
        modernized(model, version, root.source)
    models = [*raw.findall("model"), *(files.included(i, 1) for i in raw.findall("include"))]
    if len(models) != 1 or len(worlds) > 1:
        source = place_of(models[1], file) if len(models) > 1 else holder.source
        raise ModelError(f"there are {len(models)} models; give one model a file", source)
    element = SdfElement(flattened(models[0], files), file, notes=root.notes)
    for other in element.children("gripper"):
        raise other.error("<gripper> in a model is not read; write its links and joints out")
    if element.attribute("placement_frame"):
        raise element.error("placement_frame is not read; give the pose of the model's frame")
    return element, gravity


def _check_names(element: SdfElement) -> None:
    places: dict[str, Source] = {}
    for tag in ("link", "joint", "frame"):
        for part in element.children(tag):
            if part.name in places:
                raise part.error(f"there are two of this name (first at {places[part.name]})")
            places[part.name] = part.source


def _link(model: Model, link: SdfElement, snap: float) -> None:
    """Mass, centre of mass, inertia; 1 kg and 1 kg m^2 where the file says nothing."""
    link.only(*_LINK, "kinematic")
    if link.flag("kinematic"):
        raise link.error("<kinematic> is not read; prescribe its joint")
    given: dict[str, Any] = {"mass": 1.0, "com": (0, 0, 0), "inertia": (1.0, 1.0, 1.0)}
    inertial = link.child("inertial")
    if inertial is not None:
        inertial.only("mass", "pose", "inertia", "density", "auto_inertia_params")
        if inertial.truth("auto"):
            raise inertial.error('auto="true" is not read; give mass and inertia')
        pose = pose_of(not_relative(inertial, link.name))
        place = numeric_placement(pose.xyz, pose.axes, snap)
        moments = inertial.child("inertia")
        if moments is not None:
            moments.only(*_MOMENTS)
        entries = tuple(
            exact_zero(default if moments is None else moments.number(word, default))
            for word, default in _MOMENTS.items()
        )
        given = {
            "mass": exact_zero(inertial.number("mass", 1.0)),
            "com": place.xyz,
            "inertia": rotate_inertia(place.matrix, entries),
        }
    model.body(link.name, source=link.source, **given)
    gravity = tuple(float(entry) for entry in model.gravity)
    if link.child("gravity") is not None and not link.flag("gravity") and any(gravity):
        model.force(
            f"{link.name}_without_gravity",
            at=Point(link.name, given["com"]),
            source=link.source,
            direction=tuple(-float(given["mass"]) * entry for entry in gravity),
        )


def _roots(
    model: Model, element: SdfElement, links: list[SdfElement], poses: Poses, snap: float
) -> None:
    """Weld links that no joint holds to the world if the model is static, else let them float."""
    held = {joint.child for joint in model.joints.values()}
    loose = [link for link in links if link.name not in held]
    static = element.flag("static")
    for link in reversed(loose):
        name = "root" if len(loose) == 1 else f"{link.name}_root"
        taken = set[str]().union(*(j.declaration.names(j.name) for j in model.joints.values()))
        while joint_kind("floating").names(name) & taken:
            name += "_"
        place = poses.model @ poses.of(link.name, link)
        joints = dict(model.joints)
        model.joint(
            name,
            "fixed" if static else "floating",
            parent=WORLD,
            child=link.name,
            placement=numeric_placement(place.xyz, place.axes, snap),
            source=link.source,
        )
        model.joints = {name: model.joints[name], **joints}


def _tell(element: SdfElement, links: list[SdfElement], collisions: bool) -> None:
    """One warning of what is left out."""
    notes = element.notes
    joints = element.children("joint")
    touching = sum(len(link.children("collision")) for link in links)
    if touching and not collisions and not element.flag("static"):
        notes.append(
            f"{element.source}: contact of {touching} collisions is left out: ask for it by "
            "contacts=, or declare the pairs that meet by model.contact"
        )
    notes += [
        f"{part.source}: {part.shown} is left out: no element has it"
        for holder in (element, *links)
        for tag in ("plugin", "velocity_decay")
        for part in holder.children(tag)
    ]
    if element.flag("static") and any(j.attribute("type") != "fixed" for j in joints):
        element.leave_out("<static>, for its joints", "they move; lock them")
    for holder in (element, *links):
        if holder.flag("enable_wind"):
            holder.leave_out("the wind", "no element has it")
    if notes:
        warnings.warn("\n".join(notes), UserWarning, stacklevel=5)


def _write(model: Model) -> Written:
    from eomc.derive.formats.sdf.write import sdf_text

    return sdf_text(model)


_OPTIONS = ("packages", "collisions")
register_format(Format("SDF", (".sdf", ".world"), read_sdf, None, "warn", _OPTIONS, _write))
