"""Case 30: meshes from files."""

from __future__ import annotations

import base64
import struct
import tempfile
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model
from eomc.meshes.mesh_files import MeshError, read_mesh, reduced
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])
FACES = (
    (0, 1, 3),
    (0, 3, 2),
    (4, 6, 7),
    (4, 7, 5),
    (0, 4, 5),
    (0, 5, 1),
    (2, 3, 7),
    (2, 7, 6),
    (0, 2, 6),
    (0, 6, 4),
    (1, 5, 7),
    (1, 7, 3),
)


def _ascii_stl() -> bytes:
    lines = ["solid block"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x} {y} {z}" for x, y, z in CORNERS[list(face)].tolist()]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid block", ""]).encode()


def _binary_stl() -> bytes:
    rows = [struct.pack("<12fH", 0, 0, 0, *CORNERS[list(f)].ravel(), 0) for f in FACES]
    return bytes(80) + struct.pack("<I", len(FACES)) + b"".join(rows)


def _obj() -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS.tolist()]
    return "\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES), ""]).encode()


def _glb() -> bytes:
    """glTF 2.0, binary."""
    points, index = CORNERS.astype("<f4").tobytes(), np.array(FACES, dtype="<u2").tobytes()
    data = points + index
    header = (
        '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],'
        '"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],'
        f'"buffers":[{{"byteLength":{len(data)}}}],"bufferViews":[{{"buffer":0,"byteOffset":0,'
        f'"byteLength":{len(points)}}},{{"buffer":0,"byteOffset":{len(points)},'
        f'"byteLength":{len(index)}}}],"accessors":[{{"bufferView":0,"componentType":5126,'
        '"count":8,"type":"VEC3","min":[0,0,0],"max":[1,2,3]},'
        '{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}]}'
    ).encode()
    header += b" " * (-len(header) % 4)
    parts = struct.pack("<II", len(header), 0x4E4F534A) + header
    parts += struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(parts)) + parts


def _dae(unit: float, up: str) -> bytes:
    points = " ".join(f"{x:g}" for x in CORNERS.ravel())
    index = " ".join(str(k) for face in FACES for k in face)
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="own" meter="{unit}"/><up_axis>{up}_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="24">{points}</float_array><technique_common>
<accessor source="#pa" count="8" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="12"><input semantic="VERTEX" source="#v" offset="0"/><p>{index}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
""".encode()


def _sorted_faces(vertices: Array, faces: NDArray[np.int64]) -> Array:
    """Corners of triangles, each and all in one order."""
    corners = np.round(vertices[faces], 6)
    rows = [sorted(map(tuple, face)) for face in corners.tolist()]
    return np.array(sorted(rows))


def _one_block(folder: Path) -> Iterator[CaseCheck]:
    """The same twelve faces whatever the format."""
    files = {
        "ascii.stl": _ascii_stl(),
        "binary.stl": _binary_stl(),
        "block.obj": _obj(),
        "block.glb": _glb(),
        "metres.dae": _dae(1, "Z"),
    }
    expected = _sorted_faces(CORNERS, np.array(FACES))
    for name, data in files.items():
        (folder / name).write_bytes(data)
        yield agrees(
            f"{name}: faces", expected, _sorted_faces(*read_mesh(folder / name, 100)), 1e-6
        )
    for up, high in (("Y", (0.01, 0.03, 0.02)), ("X", (0.03, 0.02, 0.01))):
        (folder / f"{up}.dae").write_bytes(_dae(0.01, up))
        vertices, _ = read_mesh(folder / f"{up}.dae", 100)
        yield agrees(f"centimetres, {up} up: size [m]", high, np.ptp(vertices, axis=0), 1e-9)


def _ball(rings: int) -> tuple[Array, NDArray[np.int64]]:
    """A fine sphere, of 2 rings^2 faces."""
    theta, phi = np.meshgrid(
        np.linspace(0.01, np.pi - 0.01, rings), 2 * np.pi * np.arange(rings) / rings, indexing="ij"
    )
    points = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], -1)
    k = np.arange(rings * rings).reshape(rings, rings)
    a, b = k[:-1], np.roll(k, -1, axis=1)[:-1]
    c, d = k[1:], np.roll(k, -1, axis=1)[1:]
    faces = np.concatenate(
        [np.stack([a, c, b], -1).reshape(-1, 3), np.stack([b, c, d], -1).reshape(-1, 3)]
    )
    return points.reshape(-1, 3) * [1.0, 2.0, 0.5], faces


def _lighter() -> Iterator[CaseCheck]:
    """Fewer faces, the same bounds."""
    vertices, faces = _ball(200)
    points, kept = reduced(vertices, faces, 3000)
    yield at_most("faces that are left of 79600", len(kept), 3000)
    ends = [np.array([p.min(axis=0), p.max(axis=0)]) for p in (vertices, points)]
    yield at_most("bounds, of the extent", float(np.abs(ends[1] - ends[0]).max()) / 4, 1e-3)
    radius = np.linalg.norm(points / [1.0, 2.0, 0.5], axis=1)
    yield at_most("distance from the ellipsoid", float(np.abs(radius - 1).max()), 0.06)


def _shown(folder: Path) -> Iterator[CaseCheck]:
    """In a model: there, quantized; and missing, named and replaced."""
    model = Model("block")
    model.body("block", mass=1, com=(0, 0, -1), inertia=(0.4, 0.4, 0.1))
    model.joint("hinge", "revolute", parent="world", child="block", axis=(0, 1, 0))
    model.visual("skin", body="block", shape={"kind": "mesh", "file": "package://kit/block.obj"})
    compiled = build(model, functions=["poses"])
    (folder / "kit").mkdir()
    (folder / "kit" / "block.obj").write_bytes(_obj())
    picture = compiled.picture([folder])
    found = list(picture["meshes"].values())
    yield holds("meshes that are found", "1", str(len(found)), len(found) == 1)
    kinds = [shape["kind"] for shape in picture["shapes"]]
    yield holds("shapes with the mesh", "['mesh']", str(kinds), kinds == ["mesh"])
    worst = max(map(_corner_error, found), default=np.inf)
    yield at_most("quantized corners [m]", worst, 3 / 65534)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        (folder / "kit" / "block.obj").unlink()
        bare = compiled.picture([folder])
    text = str(said[0].message) if said else ""
    yield holds("what is said of a missing mesh", "its name", text, "kit/block.obj" in text)
    kinds = [shape["kind"] for shape in bare["shapes"]]
    yield holds(
        "shapes without it",
        "a link, a hinge, a bearing",
        str(kinds),
        kinds == ["capsule", "cylinder", "box"],
    )


def _broken(folder: Path) -> Iterator[CaseCheck]:
    """Files that end too early, point at nothing or are none: named, and nothing else happens."""
    files = {
        "cut_off.stl": _binary_stl()[:200],
        "nowhere.obj": b"v 0 0 0\nv 1 0 0\nf 1 2 9\n",
        "no_number.obj": b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "no_area.obj": b"v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n",
        "cut_off.glb": _glb()[:60],
        "no_end.dae": b"<COLLADA><asset>",
        "picture.png": b"none",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
        try:
            read_mesh(folder / name, 100)
            said = "nothing"
        except MeshError as error:
            said = str(error)
        named = name in said and ("export it again" in said or "valid are STL" in said)
        yield holds(f"what is said of {name}", "its name and a way out", said, named)


def _corner_error(mesh: dict[str, Any]) -> float:
    low, high = np.array(mesh["bounds"])
    steps = np.frombuffer(base64.b64decode(mesh["vertices"]), dtype="<i2").reshape(-1, 3)
    points = low + (steps.astype(float) + 32767) / 65534 * (high - low)
    faces = np.frombuffer(base64.b64decode(mesh["faces"]), dtype="<u2").reshape(-1, 3)
    found = _sorted_faces(points, faces.astype(np.int64))
    return float(np.abs(found - _sorted_faces(CORNERS, np.array(FACES))).max())


def _all() -> Iterator[CaseCheck]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from _one_block(folder)
        yield from _lighter()
        yield from _shown(folder)
        yield from _broken(folder)


def _lacking() -> str:
    missing = [name for name in ("trimesh", "collada") if find_spec(name) is None]
    return f"the package {missing[0]} is not here: pip install 'eomc[mesh]'" if missing else ""


CASES = (
    Case(
        30,
        "meshes",
        "one block in five files, a fine ellipsoid, a mesh in a model",
        "corners written by hand, and the ellipsoid's equation",
        _all,
        unavailable=_lacking(),
    ),
)
