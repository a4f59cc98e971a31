"""Names in expressions and references: each must be declared, and mean one thing."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from eomc.derive.bodies.form import Form
from eomc.derive.model.constraint import Constraint
from eomc.derive.model.elements import TABLES
from eomc.derive.model.errors import ModelError, Source
from eomc.derive.model.force import RATE, STRETCH, PointForce, PointSpring, Potential
from eomc.derive.model.naming import WORLD
from eomc.derive.model.near_names import near_names
from eomc.derive.model.scalar import scalar, symbols_of

if TYPE_CHECKING:
    from eomc.derive.model.deformable import Deformable
    from eomc.derive.model.joint import Joint
    from eomc.derive.model.model import Model

__all__ = ["argument_of", "check_names", "elements", "scalars"]

_PARAMETERS = ("parameters",)
_POTENTIAL = ("parameters", "coordinates", "time")
_FORCE = ("parameters", "inputs", "coordinates", "speeds", "time")
_LAW = (*_FORCE, "law")

#: Which names the expressions of a field may hold; parameters alone if not listed.
_SCOPES = {"law": _LAW, "magnitude": _FORCE, "direction": _FORCE, "expression": _FORCE}

#: A constraint on places holds neither speeds nor forces; a length may change with time.
_PLACE = ("parameters", "coordinates", "time")
_CONSTRAINTS: dict[str, dict[str, tuple[str, ...]]] = {
    "point_on_surface": {"expression": (*_PLACE, "surface")},
    "driver": {"expression": _PLACE},
    "expression": {"expression": _PLACE},
    "velocity": {"expression": (*_PLACE, "speeds")},
    "distance": {"length": ("parameters", "time")},
    "point_on_plane": {"offset": ("parameters", "time")},
    "coupling": {"offset": ("parameters", "time")},
}


def elements(model: Model) -> Iterator[tuple[str, Any]]:
    """Every element with the word for its kind, in the order of files."""
    for table, word in TABLES.items():
        for element in getattr(model, table).values():
            yield word, element


def scalars(element: Any) -> Iterator[tuple[str, Any]]:
    """Every scalar of an element, also inside tuples and placements, with its field's name."""
    for field in dataclasses.fields(element):
        if field.name != "source":
            yield from ((field.name, value) for value in _leaves(getattr(element, field.name)))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Form):
        yield from (scalar(entry, "scalars") for entry in value.scalars)
    elif isinstance(value, tuple):
        for entry in value:
            yield from _leaves(entry)
    elif dataclasses.is_dataclass(value):
        for _, entry in scalars(value):
            yield entry
    elif value is not None and not isinstance(value, str | bool):
        yield value


def argument_of(element: Any, field: str, value: Any) -> str:
    """The field, or for a scalar of a form the argument that holds its names."""
    form = getattr(element, field, None)
    if not isinstance(form, Form):
        return field
    names = set(symbols_of(value))
    for argument in getattr(form, "__dataclass_fields__", ()):
        if names & set(symbols_of(*_leaves(getattr(form, argument)))):
            return str(argument)
    return "form"


def check_names(model: Model) -> None:
    """Raise `ModelError` for ambiguous names, and for symbols and references to nothing."""
    names = _symbol_names(model)
    _check_collisions(model)
    for word, element in elements(model):
        try:
            found = list(scalars(element))
        except ModelError as error:
            raise error.within(f"{word} {element.name!r}", element.source) from None
        for field, value in found:
            scope = _SCOPES.get(field, _PARAMETERS)
            if isinstance(element, Potential):
                scope = _POTENTIAL
            elif isinstance(element, Constraint):
                scope = _CONSTRAINTS.get(element.kind, {}).get(field, _PARAMETERS)
            where = f"{word} {element.name!r}: {argument_of(element, field, value)}"
            for name in symbols_of(value):
                _check_symbol(name, scope, names, where, element.source)
    for name in symbols_of(*model.gravity):
        _check_symbol(name, _PARAMETERS, names, f"model {model.name!r}: gravity", model.source)
    _check_references(model)


def _symbol_names(model: Model) -> dict[str, dict[str, None]]:
    """Names of each sort that may stand in expressions."""
    joints: list[Joint | Deformable] = [*model.joints.values(), *model.deformables.values()]
    return {
        "parameters": dict.fromkeys(model.parameters),
        "inputs": dict.fromkeys(model.inputs),
        "coordinates": dict.fromkeys(name for joint in joints for name in joint.coordinates),
        "speeds": dict.fromkeys(f"speed({name})" for joint in joints for name in joint.speeds),
        "time": {"t": None},
        "law": {STRETCH.name: None, RATE.name: None},
        "surface": {"x": None, "y": None, "z": None},
    }


def _check_symbol(
    name: str,
    scope: tuple[str, ...],
    names: Mapping[str, Mapping[str, None]],
    where: str,
    source: Source | None,
) -> None:
    meanings = [sort for sort in scope if name in names[sort]]
    if len(meanings) == 1:
        return
    if meanings:
        raise ModelError(
            f"{where}: {name!r} could be one of {' and '.join(meanings)}; rename one of them",
            source,
        )
    for sort, known in names.items():
        if name in known and sort not in ("law", "surface"):
            raise ModelError(
                f"{where}: {name!r} is one of the {sort}; only "
                f"{' and '.join(scope)} may stand here",
                source,
            )
    allowed = [known for sort in scope for known in names[sort]]
    raise ModelError(f"{where}: unknown name {name!r}; {near_names(name, allowed)}", source)


def _check_collisions(model: Model) -> None:
    """One name, one meaning: parameters, inputs and coordinates share the names of expressions."""
    owners: dict[str, str] = {name: f"parameter {name!r}" for name in model.parameters}
    for element in model.inputs.values():
        if element.name in owners:
            raise ModelError(
                f"input {element.name!r}: there is a parameter of this name; rename one of them",
                element.source,
            )
        owners[element.name] = f"input {element.name!r}"
    for joint in model.joints.values():
        for name in joint.coordinates:
            if name in owners:
                raise ModelError(
                    f"joint {joint.name!r}: its coordinate {name!r} has the name of "
                    f"{owners[name]}; rename one of them",
                    joint.source,
                )
        owners.update(dict.fromkeys(joint.coordinates, f"a coordinate of joint {joint.name!r}"))
    speeds: dict[str, str] = {}
    for joint in model.joints.values():
        for name in joint.speeds:
            if name in speeds:
                raise ModelError(
                    f"joint {joint.name!r}: its speed {name!r} has the name of one of joint "
                    f"{speeds[name]!r}; rename one of them",
                    joint.source,
                )
            speeds[name] = joint.name
    for body in model.deformables.values():
        for name in body.coordinates:
            if name in owners or name in speeds:
                raise ModelError(
                    f"deformable {body.name!r}: its coordinate {name!r} has the name of "
                    f"{owners.get(name, 'a speed')}; rename one of them",
                    body.source,
                )
            owners[name] = f"a coordinate of deformable {body.name!r}"
    for frame in model.frames.values():
        if frame.name in model.bodies:
            raise ModelError(
                f"frame {frame.name!r}: a body of this name is a frame already; rename one of them",
                frame.source,
            )


def _check_references(model: Model) -> None:
    bodies = [WORLD, *model.bodies]
    for word, element in elements(model):
        named: list[str] = []
        if isinstance(element, PointSpring):
            named = [element.a.body, element.b.body]
        elif isinstance(element, PointForce):
            named = [element.at.body]
        elif word in ("torque", "frame"):
            named = [element.body]
        elif isinstance(element, Constraint):
            named = [point.body for point in (element.a, element.b) if point is not None]
        for body in named:
            if body not in bodies:
                raise ModelError(
                    f"{word} {element.name!r}: unknown body {body!r}; {near_names(body, bodies)}",
                    element.source,
                )
    for spring in model.springs.values():
        if spring.a.body == spring.b.body:
            raise ModelError(
                f"spring {spring.name!r}: both points are on body {spring.a.body!r} and never move "
                "against each other; name two bodies",
                spring.source,
            )
    rates = {
        name: joint.name
        for joint in model.joints.values()
        if joint.declaration.rates
        for name in joint.coordinates
    }
    moving: list[Joint | Deformable] = [*model.joints.values(), *model.deformables.values()]
    rates.update((name, body.name) for body in model.deformables.values() for name in body.speeds)
    speeds = [name for element in moving for name in element.speeds]
    for across in model.joint_springs.values():
        if across.joint not in rates:
            raise ModelError(
                f"joint_spring {across.name!r}: {across.joint!r} is no coordinate with a rate; "
                + near_names(across.joint, rates),
                across.source,
            )
    for force in model.generalized_forces.values():
        if force.speed not in speeds:
            raise ModelError(
                f"generalized_force {force.name!r}: unknown speed {force.speed!r}; "
                + near_names(force.speed, speeds),
                force.source,
            )
    coordinates = [name for element in moving for name in element.coordinates]
    for constraint in model.constraints.values():
        for name in (constraint.first, constraint.second):
            if name is not None and name not in coordinates:
                raise ModelError(
                    f"constraint {constraint.name!r}: no coordinate {name!r}; "
                    + near_names(name, coordinates),
                    constraint.source,
                )
    _check_prescriptions(model, rates)


def _check_prescriptions(model: Model, rates: Mapping[str, str]) -> None:
    seen: dict[str, str] = {}
    for item in model.prescriptions.values():
        if rates.get(item.name) in model.deformables:
            seen.setdefault(item.name, item.name)
            continue
        joint = model.joints.get(item.name) or model.joints.get(rates.get(item.name, ""))
        if joint is None:
            known = near_names(item.name, [*model.joints, *rates])
            raise ModelError(
                f"prescribe {item.name!r}: unknown joint or coordinate; {known}", item.source
            )
        if not joint.coordinates or not joint.declaration.rates:
            raise ModelError(
                f"prescribe {item.name!r}: kind {joint.kind!r} has no coordinates whose rates are "
                "its speeds; prescribe the coordinates of an Euler-angle kind",
                item.source,
            )
        for word, value in (("locked", joint.locked), ("mimic", joint.mimic)):
            if value is not None:
                raise ModelError(
                    f"prescribe {item.name!r}: the joint is {word} already; give one of them",
                    item.source,
                )
        names = joint.coordinates if item.name == joint.name else (item.name,)
        for name in names:
            if name in seen:
                raise ModelError(
                    f"prescribe {item.name!r}: {name!r} is prescribed by {seen[name]!r} already",
                    item.source,
                )
            seen[name] = item.name
