"""The table of pairs of contact, with what each costs: asked of the kinds themselves."""

from __future__ import annotations

from typing import Any

from reference_tables import table

from eomc.derive.contacts.meeting import meetings
from eomc.derive.contacts.pairs.form import form_of
from eomc.derive.contacts.shapes import SHAPES
from eomc.derive.contacts.surfaces import SURFACES
from eomc.derive.fields.field import fields_of
from eomc.derive.graph import nodes
from eomc.derive.graph.traverse import operation_count
from eomc.derive.language.errors import ModelError
from eomc.derive.model import Model
from eomc.derive.system import System

_GIVEN: dict[str, Any] = {
    "radius": 0.5,
    "tube": 0.1,
    "half_length": 0.3,
    "half_sizes": (0.4, 0.3, 0),
    "semi_axes": (0.5, 0.4, 0.3),
    "expression": "x**2 + 2*y**2 + z - 1",
    "gap": "distance",
    "profile": "0.5 - x**2",
    "lower": -0.3,
    "upper": 0.3,
    "height": 0.3,
    "vertices": [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)],
}


def operations(shape: str, surface: str) -> str:
    """Of the gap, the normal and the points of a free body against one that stands."""
    model = Model("pair")
    model.body("stone", mass=1, inertia=(1, 1, 1))
    model.joint("free", "floating", parent="world", child="stone")
    model.contact(
        "touch",
        shape={"kind": shape, "at": "stone"} | _taken(SHAPES[shape], shape),
        surface={"kind": surface, "at": "world"} | _taken(SURFACES[surface], surface),
        normal={"kind": "rigid", "restitution": 0},
    )
    try:
        model.validate()
    except ModelError:
        return "refused"
    system, touch = System(model), model.contacts["touch"]
    form = form_of(touch.shape, touch.surface)
    met = meetings(system.scene, touch.shape, touch.surface, touch.name, form)
    found = [node for at in met for node in nodes([at.gap, *at.normal, *at.upper.position])]
    return str(sum(operation_count(system.graph, found).values()))


def _taken(kind: type, word: str) -> dict[str, Any]:
    given = {name: _GIVEN[name] for name in fields_of(kind) if name in _GIVEN}
    if word == "cylinder" and kind is SURFACES[word]:
        del given["half_length"]  # without ends
    return given | ({"half_sizes": (0.4, 0.3, 0.2)} if word == "box" else {})


def contact_pairs() -> str:
    """Shapes by surfaces."""
    rows = [[f"`{shape}`", *(operations(shape, kind) for kind in SURFACES)] for shape in SHAPES]
    return table(["", *(f"`{kind}`" for kind in SURFACES)], rows)
