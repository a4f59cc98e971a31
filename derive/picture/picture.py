"""Picture of a model as plain values, for a manifest: one description for all pictures.

Positions [m] are in the axes of the body that a record names (None for the world), quaternions
(w, x, y, z), all parameters at their defaults. What has an axis has it along the z axis of its
placement; capsules go from `a` to `b`. `poses` names the function whose rows are where bodies and
frames are, `lines` with `points` have theirs in another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from eomc.derive.drawing.mark import SLIDE
from eomc.derive.language.naming import WORLD
from eomc.derive.language.scalar import Vector3
from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model
from eomc.derive.picture.links import links
from eomc.derive.picture.marks import (
    Shown,
    body_material,
    element_marks,
    given_shapes,
    grounds,
    instead,
    joint_marks,
)
from eomc.derive.picture.numbers import numbers, placed, rounded
from eomc.derive.picture.outline import Outline, hinge_axis, outline
from eomc.derive.picture.slots import slots

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable

__all__ = ["SCHEMA", "picture"]

#: Of the description; raised when its records change their meaning.
SCHEMA = 1

#: Colours of bodies in turn: light enough on dark and dark enough on light ground.
_BODIES = ("#4c86c6", "#e08a3c", "#5aa469", "#c9574d", "#8a6fb8", "#3fa3a8", "#b5893f")
_SURFACES = {
    "joint": ("#3b4148", 0.5, 0.3),
    "ground": ("#9aa3ad", 0.9, 0.0),
    "mesh": ("#c3c9cf", 0.55, 0.1),
    "rod": ("#6b737c", 0.5, 0.3),
    "spring": ("#5aa469", 0.4, 0.5),
    "damper": ("#7d8790", 0.4, 0.5),
    "cable": ("#8c6d46", 0.8, 0.0),
    "arrow": ("#d1495b", 0.6, 0.0),
}


def picture(model: Model) -> dict[str, Any]:
    """Shapes, lines, materials, and where to look from."""
    model, values = model.snapshot().on_bodies, model.defaults()
    found = outline(model, values)
    own = dict(_own(model, values))
    shown = [
        *_bodies(model, found, values, own),
        *joint_marks(model, found, values),
        *slots(model, found, values),
        *grounds(model, found, values),
        *element_marks(model, found, values),
        *_deformed(model, found),
    ]
    shapes = [record for where, record in shown if where == "shapes"]
    lines = [record for where, record in shown if where == "lines"]
    materials = _materials([*shapes, *lines])
    return {
        "schema": SCHEMA,
        "name": model.name,
        "units": {"length": "m"},
        "up": _up(model, values),
        "bodies": list(model.bodies),
        "frames": {name: frame.body for name, frame in model.frames.items()},
        "poses": {"function": "poses", "rows": list(pose_rows(model))},
        "shapes": [{"id": f"s{k}", **shape} for k, shape in enumerate(shapes)],
        "lines": [{"id": f"l{k}", **line} for k, line in enumerate(lines)],
        "meshes": {},
        "materials": materials,
        "camera": {"direction": _camera(model, values), "center": None, "radius": None},
        "ground": {"z": None},
        "radius": rounded(found.radius),
        "reach": rounded(found.reach),
    }


def pose_rows(model: Model) -> dict[str, None]:
    """Frames and bodies in the order of the function `poses`."""
    return dict.fromkeys([*model.bodies, *model.frames])


def body_points(model: Model) -> dict[str, list[Any]]:
    """Of each deformable body that has a line, the points through which it goes, in its axes, or
    the stations of one that tells their places on the graph."""
    found = {name: _points(body) for name, body in model.deformables.items()}
    return {name: points for name, points in found.items() if points}


def _points(body: Deformable) -> list[Any]:
    """Those of its outline as it deforms, else its stations."""
    form, xi = body.form, body.symbols
    if form.outline:
        return [_displaced(place, moved, xi) for place, moved in form.outline]
    stations = form.drawn_stations(xi)
    if not body.is_expanded:
        return [form.read_station(at) for at in stations]
    return [form.attachment(at, xi).displacement for at in stations]


def _displaced(place: Any, moved: Any, xi: Sequence[Any]) -> Vector3:
    """place + sum of the displacements of unit xi."""
    x, y, z = (
        place[a] + sum(row[a] * symbol for row, symbol in zip(moved, xi, strict=True))
        for a in range(3)
    )
    return x, y, z


def _own(model: Model, values: Mapping[str, float]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Visual shapes by body."""
    shapes: dict[str, list[dict[str, Any]]] = {}
    for visual in model.visuals.values():
        record = {
            "body": None if visual.body == WORLD else visual.body,
            "name": visual.name,
            "kind": visual.shape.word,
            "placement": placed(visual.placement, values),
            **visual.shape.numbers(values),
        }
        surface = {
            word: value_of(getattr(visual, word), values)
            for word in ("roughness", "metalness", "opacity")
        }
        record["surface"] = {"color": visual.color, **surface}
        shapes.setdefault(visual.body, []).append(record)
    yield from shapes.items()


def _bodies(
    model: Model,
    found: Outline,
    values: Mapping[str, float],
    own: Mapping[str, list[dict[str, Any]]],
) -> Iterator[Shown]:
    """Visual shapes, and those made where there are none, or only meshes that may be missing."""
    for shape in own.get(WORLD, ()):
        yield "shapes", {**shape, "material": "ground"}
    visuals = given_shapes(model)
    joints = model.joints.values()
    slides = {joint.child for joint in joints if SLIDE in joint.declaration.drawn}
    for k, body in enumerate(model.bodies.values()):
        material = body_material(k)
        given = own.get(body.name, ())
        for shape in given:
            plain = "mesh" if shape["kind"] == "mesh" else material
            yield "shapes", {**shape, "material": plain}
        spare = instead(visuals.get(body.name, ()))
        if body.name in model.deformables or spare is None:
            continue
        carries = any(joint.parent == body.name for joint in model.joints.values())
        kind = {"slides": body.name in slides, "carries": carries}
        for shape in links(body, found, values, **kind):
            yield (
                "shapes",
                {"body": body.name, **shape, "material": material, "auto": True, **spare},
            )


def _deformed(model: Model, found: Outline) -> Iterator[Shown]:
    """Lines of deformable bodies, as they are bent."""
    first = 0
    order = list(model.bodies)
    for name, places in body_points(model).items():
        points = {"function": "body_lines", "first": first, "count": len(places)}
        first += len(places)
        material = body_material(order.index(name))
        radius = rounded(found.radius)
        yield (
            "lines",
            {
                "kind": "beam",
                "body": name,
                "points": points,
                "radius": radius,
                "material": material,
            },
        )


def _materials(records: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """By name; records with a surface of their own get one that is made for it."""
    made: dict[str, dict[str, Any]] = {}
    for record in records:
        name = record["material"]
        if name in _SURFACES:
            color, roughness, metalness = _SURFACES[name]
        else:
            color, roughness, metalness = _BODIES[int(name.removeprefix("body"))], 0.45, 0.15
        plain = {"color": color, "roughness": roughness, "metalness": metalness, "opacity": 1.0}
        surface = record.pop("surface", None)
        if surface is not None:
            plain = surface | {"color": surface["color"] or color}
            name = "_".join(str(entry) for entry in plain.values())
            record["material"] = name
        made[name] = plain
    return made


def _up(model: Model, values: Mapping[str, float]) -> str:
    """The world axis against which weight pulls."""
    pull = numbers(model.gravity, values)
    largest = max(range(3), key=lambda k: (abs(pull[k]), k))
    return "xyz"[largest]


def _camera(model: Model, values: Mapping[str, float]) -> list[float]:
    """From the side; a mechanism whose axes are all along one world axis, along it."""
    up = "xyz".index(_up(model, values))
    along = hinge_axis(model, values)
    if along not in (None, up):
        direction = [0.25, 0.25, 0.25]
        direction[along] = -1.6 if along == (up + 2) % 3 else 1.6
        return direction
    direction = [0.0, 0.0, 0.0]
    direction[(up + 1) % 3], direction[(up + 2) % 3], direction[up] = 1.1, -1.6, 0.75
    return direction
