"""JSON Schema of model files in TOML, by which editors complete and check them.

Every table follows from the fields of its records; the document is JSON Schema, draft 2020-12.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

from eomc.derive.bodies.form import FORMS
from eomc.derive.bodies.mass_properties import INERTIA_POLICIES, MassProperties
from eomc.derive.cables.station import STATIONS
from eomc.derive.contacts.friction import FRICTION_LAWS
from eomc.derive.contacts.normal_laws import NORMAL_LAWS
from eomc.derive.contacts.shapes import SHAPES
from eomc.derive.contacts.surfaces import SURFACES
from eomc.derive.elements.constraint import CONSTRAINTS
from eomc.derive.elements.kinds import element_kinds
from eomc.derive.fields.field import SCALAR, rows_of
from eomc.derive.fields.parameter import Input, Parameter
from eomc.derive.fields.schema import schema_of_fields, schema_of_kinds, schema_of_record, sentence
from eomc.derive.forces.cable import Cable
from eomc.derive.formats.toml_version import VERSION
from eomc.derive.joints.joint import Joint
from eomc.derive.joints.joint_kind import JOINT_KINDS, joint_kind
from eomc.derive.model.model import Model
from eomc.derive.rods.strain_basis import BASES
from eomc.derive.tyres import SLIP_LAWS
from eomc.derive.visuals import VISUAL_SHAPES

__all__ = ["model_schema"]

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}


def model_schema() -> Schema:
    """The schema of a model file, with the kinds that are known."""
    tables = {
        "parameter": schema_of_record(Parameter),
        "input": schema_of_record(Input),
        "body": schema_of_record(MassProperties),
        "deformable": _deformable(),
        "joint": _joint(),
        **{word: schema_of_record(kind) for word, kind in element_kinds().items()},
        **{word: _composite(word) for word in Model.composites()},
        "constraint": schema_of_kinds("constraint", CONSTRAINTS),
    }
    families = (
        *(SHAPES, SURFACES, NORMAL_LAWS, FRICTION_LAWS, SLIP_LAWS),
        *(VISUAL_SHAPES, STATIONS, BASES),
    )
    parts = {kinds.family: schema_of_kinds(kinds.family, kinds) for kinds in families}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "eomc model file",
        "description": "Bodies, joints and what acts on them. Units are SI, angles radians.",
        "type": "object",
        "properties": {
            "version": {"const": VERSION},
            "name": _TEXT,
            "description": _TEXT,
            "gravity": {**rows_of(SCALAR, 3), "description": "in world axes [m/s^2]"},
            "inertia": {"enum": list(INERTIA_POLICIES), "default": "error"},
            **{w: {"type": "array", "items": {"$ref": f"#/$defs/{w}"}} for w in tables},
        },
        "additionalProperties": False,
        "$defs": {**_places(), **parts, **tables},
    }


def _object(properties: Schema, *required: str) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _places() -> Schema:
    """Points and placements."""
    turns = {
        "rpy": {**rows_of(SCALAR, 3), "description": "roll, pitch, yaw [rad]"},
        "rotation": rows_of(rows_of(SCALAR, 3), 3),
        "quaternion": {**rows_of(SCALAR, 4), "description": "w, x, y, z"},
    }
    xyz = {"xyz": {**rows_of(SCALAR, 3), "description": "[m]"}}
    body = {"body": {**_TEXT, "description": 'a body, a frame or "world"'}}
    return {
        "point": _object({**body, **xyz}, "body"),
        "turned_point": _object({**body, **xyz, **turns}, "body"),
        "placement": _object({**xyz, **turns}),
    }


def _joint() -> Schema:
    """The fields of all joints, and those of each kind."""
    common = {f.name: f for f in dataclasses.fields(Joint) if f.metadata}
    found = schema_of_fields(common)
    found["properties"] = {"name": _TEXT, **found["properties"]}
    found["required"] = ["name", *found["required"]]
    kinds = {}
    for word in JOINT_KINDS:
        kind = joint_kind(word)
        kinds[word] = {"description": kind.sentence, **schema_of_fields(kind.arguments)}
    return schema_of_kinds("joint", kinds, found)


def _deformable() -> Schema:
    fixed = {"type": ["boolean", "object"], "description": "coordinates taken out of the state"}
    return schema_of_kinds("deformable", FORMS, _object({"name": _TEXT, "fixed": fixed}, "name"))


def _composite(word: str) -> Schema:
    """The arguments of a method that declares several elements."""
    method = getattr(Model, word)
    taken = inspect.signature(method).parameters.values()
    given = [p for p in taken if p.name not in ("self", "model", "source")]
    fields = [p for p in given if p.kind is not inspect.Parameter.VAR_KEYWORD]
    properties: Schema = {p.name: {} for p in fields} | {"name": _TEXT}
    if len(fields) < len(given):  # those of the cables that it declares
        properties = {**schema_of_record(Cable)["properties"], **properties}
        del properties["route"]
    required = [p.name for p in fields if p.default is inspect.Parameter.empty]
    return {"description": sentence(method), **_object(properties, *required)}
