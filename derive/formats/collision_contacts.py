"""Collision shapes of robot files, which become contacts where a reader asks for them.

A file says of which shape a link is where it collides; which of them meet is asked for: "ground"
is all of them on the ground, "ONE:OTHER" pairs of them, with links, shapes ``<link>_<n>``, patterns
such as ``*_foot``, or "ground" on either side. The ground is what planes of the world a file has,
or the plane z = 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.contacts.collision import Collision
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.naming import WORLD
from eomc.derive.language.near_names import near_names
from eomc.derive.placement.placement import Placement
from eomc.derive.placement.rotation import IDENTITY
from eomc.meshes.convex_hull import MOST_VERTICES, convex_hull
from eomc.meshes.mesh_files import find_mesh, read_mesh

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = ["GROUND", "declare_contacts"]

GROUND = "ground"
_MU = 1.0
"""Coefficient of friction where neither file nor user says one: what SDF and MuJoCo take."""
_WHOLE = {
    "sphere": ("sphere", "capsule", "box", "cylinder", "ellipsoid"),
    "capsule": ("capsule", "box"),
    "box": ("box",),
    "ellipsoid": ("sphere", "ellipsoid"),
}
"""Surfaces that a shape meets with all of its outline, not with its corners or ends alone."""
_LAWS = ("normal", "friction", "width", "smoothing")


def declare_contacts(
    model: Model, contacts: str | Iterable[str], laws: Mapping[str, Any] | None = None
) -> str:
    """Declare contacts between collision shapes of a model that was read with them, under the
    names ``<shape>`` on the ground and ``<shape>_<other>``; a sentence about hulls that are not
    exact, or nothing.

    `laws` are fields of `Model.contact`: by default rigid contacts without restitution, with dry
    friction as the file says. Raises `ModelError` for names of nothing and pairs without a form.
    """
    if laws is not None and not isinstance(laws, Mapping):
        raise ModelError(f"contact_laws: give a mapping of the fields {', '.join(_LAWS)}")
    laws = dict(laws or {})
    if unknown := [word for word in laws if word not in _LAWS]:
        raise ModelError(f"contact_laws: unknown {unknown[0]!r}; {near_names(unknown[0], _LAWS)}")
    grounds = [c for c in model.collisions if c.shape["kind"] == "plane" and c.link == WORLD]
    if not grounds:
        grounds = [
            Collision(GROUND, WORLD, {"kind": "plane"}, Placement(), model.source or Source(""))
        ]
    hulls: dict[str, tuple[Collision, float]] = {}
    still, done = _still(model), set[frozenset[str]]()
    for text in (contacts,) if isinstance(contacts, str) else contacts:
        pairs = [
            (one, other)
            for one, other in _pairs(model, str(text), grounds)
            if one.link != other.link and not {one.link, other.link} <= still
        ]
        if not pairs:
            raise ModelError(
                f"contacts: {str(text)[:80]!r} names no shapes of two links that move against each "
                "other",
                model.source,
            )
        for one, other in pairs:
            key = frozenset((one.name, other.name))
            if key in done:
                continue
            done.add(key)
            upper, lower = (_hulled(c, model, hulls) for c in (one, other))
            _declare(model, upper, lower, laws)
    inexact = {name: error for name, (_, error) in hulls.items() if error}
    if not inexact:
        return ""
    worst = max(inexact, key=lambda name: inexact[name])
    return (
        f"{model.source}: of {len(inexact)} collision meshes the convex hull is taken with "
        f"{MOST_VERTICES} vertices; the most is left out of {worst!r}, up to "
        f"{inexact[worst]:.2g} m"
    )


def _still(model: Model) -> set[str]:
    """The world and the bodies that are welded to it."""
    still, grows = {WORLD}, True
    while grows:
        more = {j.child for j in model.joints.values() if j.is_fixed and j.parent in still} - still
        still, grows = still | more, bool(more)
    return still


def _pairs(
    model: Model, text: str, grounds: list[Collision]
) -> Iterable[tuple[Collision, Collision]]:
    one, colon, other = text.partition(":")
    if not colon:
        if one != GROUND:
            raise ModelError(f'contacts: {text[:80]!r}; give "ground" or "ONE:OTHER"', model.source)
        one = "*"
    sides = [_named(model, name, grounds) for name in (one, other or GROUND)]
    if not colon:
        sides[0] = [c for c in sides[0] if c.link != WORLD]
    return ((a, b) for a in sides[0] for b in sides[1] if a.name != b.name)


def _named(model: Model, name: str, grounds: list[Collision]) -> list[Collision]:
    if name == GROUND:
        return grounds
    found = [c for c in model.collisions if fnmatchcase(c.name, name) or fnmatchcase(c.link, name)]
    if not found:
        names = [GROUND, *dict.fromkeys(w for c in model.collisions for w in (c.link, c.name))]
        known = near_names(name[:80], names)
        raise ModelError(f"contacts: no collision shape {name[:80]!r}; {known}", model.source)
    return found


def _hulled(
    collision: Collision, model: Model, hulls: dict[str, tuple[Collision, float]]
) -> Collision:
    """Itself, or a mesh as the polyhedron that is its convex hull."""
    if collision.shape["kind"] != "mesh":
        return collision
    if collision.name not in hulls:
        try:
            vertices, error = convex_hull(_points(collision, model))
        except ValueError as problem:
            raise ModelError(f"collision {collision.name!r}: {problem}", collision.source) from None
        shape = {"kind": "polyhedron", "vertices": vertices.tolist()}
        hulls[collision.name] = replace(collision, shape=shape), error
    return hulls[collision.name][0]


def _points(collision: Collision, model: Model) -> Array:
    if "points" in collision.shape:
        return np.asarray(collision.shape["points"], dtype=np.float64)
    folders = [Path(collision.source.file).parent, *model.packages]
    points, _ = read_mesh(find_mesh(collision.shape["file"], folders), 10**9)
    return np.asarray(points * collision.shape["scale"])


def _declare(model: Model, one: Collision, other: Collision, laws: Mapping[str, Any]) -> None:
    name = one.name if other.link == WORLD and other.name == GROUND else f"{one.name}_{other.name}"
    for shape, surface in ((one, other), (other, one)):
        kinds = shape.shape["kind"], surface.shape["kind"]
        if kinds[1] != "plane" and kinds[1] not in _WHOLE.get(kinds[0], ()):
            continue
        known = [c.friction for c in (one, other) if c.friction is not None]
        given = {"normal": {"kind": "rigid", "restitution": 0.0}, **laws}
        given.setdefault("friction", _friction(given["normal"], max(known, default=_MU)))
        upper, lower = _placed(shape), _placed(surface, True)
        if kinds[0] == "polyhedron" and not _is_solved(given["normal"]):
            upper["tilt"] = 0
        model.contact(name, upper, lower, **given, source=one.source)
        return
    raise ModelError(
        f"contacts: {one.name!r} ({one.shape['kind']}) and {other.name!r} "
        f"({other.shape['kind']}) have no form; give balls or capsules in place of one of them",
        one.source,
    )


def _friction(normal: Any, mu: float) -> dict[str, Any] | None:
    """Dry where the contact is solved for, smooth where it is a force by depth."""
    if not mu:
        return None
    if _is_solved(normal):
        return {"kind": "dry", "kinetic": mu}
    return {"kind": "coulomb", "coefficient": mu}


def _is_solved(normal: Any) -> bool:
    """True of laws of contact steps."""
    kind = normal.get("kind") if isinstance(normal, Mapping) else getattr(normal, "word", "")
    return kind in ("rigid", "compliant")


def _placed(collision: Collision, is_surface: bool = False) -> dict[str, Any]:
    place, shape = collision.placement, dict(collision.shape)
    if is_surface:
        shape.pop("points", None)
    at: dict[str, Any] = {"body": collision.link, "xyz": place.xyz}
    if place.matrix != IDENTITY and shape["kind"] != "sphere":
        at["rotation"] = place.matrix
    return {**shape, "at": at}
