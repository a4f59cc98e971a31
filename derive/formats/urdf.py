"""Robots from URDF files: links become bodies, and every link stays addressable as a frame.

The file is read by lxml without entities, external or own, checked element by element with its
line, and handed to `yourdfpy` (optional dependency `eomc[urdf]`). Visual shapes are read with it
(`urdf_visual.py`); files of meshes are not touched before a model is shown.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

from eomc.derive.formats.format import SNAP, Format, Written, check_snap, register_format
from eomc.derive.formats.model_file import read_bytes
from eomc.derive.formats.numeric_pose import exact_zero, numeric_placement, rpy_matrix
from eomc.derive.formats.urdf_parts import JOINTS, LOOP_TYPES, READ, check_parts, unread
from eomc.derive.formats.urdf_visual import declare_visuals, urdf_collisions, urdf_visuals
from eomc.derive.formats.xml_file import finite_numbers, xml_root
from eomc.derive.joints.joint import Mimic
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.naming import WORLD
from eomc.derive.model.model import Model
from eomc.derive.placement.placement import Placement
from eomc.derive.placement.rotation import rotate_inertia

__all__ = ["parse_urdf", "read_urdf"]


def read_urdf(path: str | Path, *, snap: float = SNAP, collisions: bool = False) -> Model:
    """The model in the URDF file at `path`; its root link is not yet connected to the world. With
    `collisions` it keeps the collision shapes of its links.

    Raises `ModelError` with file and line for anything that is no valid robot description.
    """
    return parse_urdf(read_bytes(path), str(path), snap=snap, collisions=collisions)


def parse_urdf(
    data: bytes,
    file: str = "<urdf>",
    *,
    snap: float = SNAP,
    lines: bool = True,
    collisions: bool = False,
) -> Model:
    """The model in the URDF text `data`; see `read_urdf`. Without `lines` errors tell none, as of
    text that was made of the file."""
    check_snap(snap)
    root = _robot_root(data, file)
    for element in () if lines else root.iter():
        element.sourceline = 0
    _check_expanded(root, file)
    notes: list[str] = []
    visuals = urdf_visuals(root, file, notes)
    touching = urdf_collisions(root, file, notes) if collisions else []
    notes += unread(root, file)
    loops = root.findall("loop_joint")
    places = _checked(root, file, notes)
    robot = _robot(root, file)
    model = Model(robot.name, source=Source(file, root.sourceline or 0))
    if not robot.links:
        why = "expand xacro files first" if lines else "the file may hold macros alone"
        raise ModelError(f"the robot has no link; {why}", Source(file))
    for link in robot.links:
        _link(model, link, places[f"link {link.name}"], snap, robot)
    for joint in robot.joints:
        _joint(model, joint, places[f"joint {joint.name}"], snap, notes)
    for loop in loops:
        _loop(model, loop, Source(file, loop.sourceline or 0), snap)
    declare_visuals(model, visuals, notes)
    model.collisions = tuple(touching)
    if notes:
        warnings.warn("\n".join(notes), UserWarning, stacklevel=4)
    return model


def _reader() -> Any:
    try:
        import yourdfpy
    except ImportError as error:
        raise ModelError(
            f"reading URDF needs the package {error.name}; install it with pip install 'eomc[urdf]'"
        ) from None
    return yourdfpy


def _robot_root(data: bytes, file: str) -> Any:
    """The element <robot>."""
    _reader()
    root = xml_root(data, file, "urdf")
    if root.tag != "robot":
        tag = str(root.tag)[:80]
        raise ModelError(
            f"the root element is <{tag}>, not <robot>; expand xacro files first",
            Source(file, root.sourceline),
        )
    return root


def _check_expanded(root: Any, file: str) -> None:
    """Refuse the macros of xacro, and its expressions in what is read."""
    for element in root.iter():
        values = element.attrib.values() if element.tag in READ else ()
        macro = element.prefix == "xacro" or str(element.tag).startswith("xacro:")
        if macro or any("${" in value or "$(" in value for value in values):
            raise ModelError(
                "the file is xacro, no plain URDF; expand it first: xacro robot.xacro > robot.urdf",
                Source(file, element.sourceline or 0),
            )


def _checked(root: Any, file: str, notes: list[str]) -> dict[str, Source]:
    """Drop what is not read, check what is; the place of each link and joint."""
    for word in [word for word in root.attrib if word != "name"]:
        del root.attrib[word]
    root.set("name", root.get("name", "").strip() or Path(file).stem or "robot")
    places: dict[str, Source] = {}
    for element in list(root):
        source = Source(file, element.sourceline or 0)
        if element.tag not in ("link", "joint"):
            root.remove(element)  # transmission, gazebo, material, ...
            continue
        name = element.get("name")
        if not name:
            raise ModelError(f"a {element.tag} has no name", source)
        shown = f"{element.tag} {name[:80]!r}"
        if f"{element.tag} {name}" in places:
            first = places[f"{element.tag} {name}"]
            raise ModelError(f"{shown}: there are two of this name (first at {first})", source)
        places[f"{element.tag} {name}"] = source
        check_parts(element, shown, file)
        for word in [word for word in element.attrib if word not in ("name", "type")]:
            del element.attrib[word]
        if element.tag == "joint":
            _check_joint(element, shown, source)
    return places


def _check_joint(element: Any, shown: str, source: Source) -> None:
    kind = element.get("type")
    if kind not in JOINTS:
        raise ModelError(f"{shown}: type is {str(kind)[:80]!r}; valid: {', '.join(JOINTS)}", source)
    for end in ("parent", "child"):
        part = element.find(end)
        if part is None or not part.get("link"):
            raise ModelError(f"{shown}: names no {end} link", source)


def _robot(root: Any, file: str) -> Any:
    """The robot as yourdfpy reads the checked document."""
    from lxml import etree

    try:
        return (
            _reader()
            .URDF.load(BytesIO(etree.tostring(root)), build_scene_graph=False, load_meshes=False)
            .robot
        )
    except Exception as error:
        # Whatever the reader stumbles over is a fault of the document, which passed the checks
        # above.
        raise ModelError(f"no valid URDF: {str(error)[:200]!r}", Source(file)) from None


def _origin(matrix: Any, snap: float) -> Placement:
    """A placement from a homogeneous matrix (4, 4)."""
    if matrix is None:
        return Placement()
    return numeric_placement(matrix[:3, 3], matrix[:3, :3], snap)


def _link(model: Model, link: Any, source: Source, snap: float, robot: Any) -> None:
    if link.name == WORLD:
        if any(joint.child == WORLD for joint in robot.joints):
            raise ModelError("link 'world': this name is the base's; rename the link", source)
        return  # the root link "world" is the world itself
    if link.inertial is None:
        model.body(link.name, source=source)
        return
    place = _origin(link.inertial.origin, snap)
    matrix = [[exact_zero(entry) for entry in row] for row in link.inertial.inertia]
    entries = (matrix[0][0], matrix[1][1], matrix[2][2], matrix[0][1], matrix[0][2], matrix[1][2])
    model.body(
        link.name,
        mass=exact_zero(link.inertial.mass),
        com=place.xyz,
        inertia=rotate_inertia(place.matrix, entries),
        source=source,
    )


def _joint(model: Model, joint: Any, source: Source, snap: float, notes: list[str]) -> None:
    arguments: dict[str, Any] = {}
    single = joint.type in ("revolute", "continuous", "prismatic")
    losses = joint.dynamics is not None and (joint.dynamics.damping or joint.dynamics.friction)
    for what, given in (("damping and friction", losses), ("mimic", joint.mimic)):
        if given and not single:
            notes.append(
                f"{source}: {what} of joint {joint.name[:80]!r} is left out: "
                f"it has more than one speed"
            )
    if single or joint.type == "planar":
        largest = max(abs(float(entry)) for entry in joint.axis)
        arguments["axis"] = [
            exact_zero(entry) if abs(float(entry)) > snap * largest else 0 for entry in joint.axis
        ]
    if single and joint.dynamics is not None:
        arguments["damping"] = exact_zero(joint.dynamics.damping or 0)
        arguments["friction"] = exact_zero(joint.dynamics.friction or 0)
    if single and joint.limit is not None:
        limit = joint.limit
        if joint.type != "continuous":
            arguments |= {"lower": limit.lower, "upper": limit.upper}
        for word, value in (("velocity", limit.velocity), ("effort", limit.effort)):
            if value is not None and value < 0:
                notes.append(
                    f"{source}: {word} limit of joint {joint.name[:80]!r} is left out: "
                    "it is negative"
                )
            else:
                arguments[f"{word}_limit"] = value
    if single and joint.mimic is not None:
        factor, offset = joint.mimic.multiplier, joint.mimic.offset
        arguments["mimic"] = Mimic(
            joint.mimic.joint,
            1 if factor is None else exact_zero(factor),
            0 if offset is None else exact_zero(offset),
        )
    model.joint(
        joint.name,
        "revolute" if joint.type == "continuous" else joint.type,
        parent=joint.parent,
        child=joint.child,
        placement=_origin(joint.origin, snap),
        source=source,
        **arguments,
    )


def _loop(model: Model, loop: Any, source: Source, snap: float) -> None:
    """A joint that closes a loop: <loop_joint> with <link1>, <link2> and their places."""
    name, kind = str(loop.get("name", "")), str(loop.get("type", ""))
    shown = f"loop_joint {name[:80]!r}"
    if kind not in LOOP_TYPES:
        raise ModelError(f"{shown}: type is {kind[:80]!r}; valid: {', '.join(LOOP_TYPES)}", source)
    ends: dict[str, Any] = {}
    for tag, link, place in (
        ("link1", "parent", "placement"),
        ("link2", "child", "child_placement"),
    ):
        end = loop.find(tag)
        if end is None or not end.get("link"):
            raise ModelError(f"{shown}: <{tag}> names no link", source)
        xyz, rpy = (
            finite_numbers(end.get(word, "0 0 0"), 3, f"{shown}: {tag} {word}", source)
            for word in ("xyz", "rpy")
        )
        ends |= {link: end.get("link"), place: numeric_placement(xyz, rpy_matrix(*rpy), snap)}
    axis = loop.find("axis")
    if axis is not None and kind not in ("fixed", "spherical"):
        ends["axis"] = finite_numbers(axis.get("xyz"), 3, f"{shown}: axis", source)
    model.joint(name, kind, cut=True, source=source, **ends)


def _write(model: Model) -> Written:
    from eomc.derive.formats.urdf_writer import urdf_text

    return urdf_text(model)


register_format(Format("URDF", (".urdf",), read_urdf, "fixed", "warn", ("collisions",), _write))
