"""Names in expressions and references: each must be declared, and mean one thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eomc.derive.elements.element import Element
from eomc.derive.elements.frame import Frame
from eomc.derive.fields.field import Coordinate, fields_of
from eomc.derive.fields.scope import PARAMETERS, Scope
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.motion_name import MotionNames
from eomc.derive.language.naming import CALLED_WORLD, WORLD, check_word
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import symbols_of
from eomc.derive.model.declared_scalars import argument_of, scope_of

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable
    from eomc.derive.joints.joint import Joint
    from eomc.derive.model.model import Model

__all__ = ["check_names"]

Names = Mapping[str, Mapping[str, None]]


def check_names(model: Model) -> None:
    """Raise `ModelError` for ambiguous names, and for symbols and references to nothing."""
    names = _names(model)
    _check_collisions(model)
    tables, found = model.tables(), model.snapshot().scalars
    for (word, key), declared in found.items():
        element = tables[word][key]
        for field, value, held in declared:
            for name in held:
                where = f"{word} {element.name!r}: {argument_of(element, field, value)}"
                _check_symbol(name, scope_of(element, field), names, where, element.source)
    for name in symbols_of(*model.gravity):
        _check_symbol(name, PARAMETERS, names, f"model {model.name!r}: gravity", model.source)
    for element in model.elements():
        _check_references(element, model, names)


def _names(model: Model) -> Names:
    """Names of each sort that may stand in expressions, and coordinates that have rates."""
    moving: list[Joint | Deformable] = [*model.joints.values(), *model.deformables.values()]
    places = [name for joint in moving for name in joint.coordinates]
    rates = [n for j in model.joints.values() if j.declaration.rates for n in j.coordinates]
    rates += [name for body in model.deformables.values() for name in body.coordinates]
    return {
        "parameters": dict.fromkeys(model.parameters),
        "inputs": dict.fromkeys(model.inputs),
        "coordinates": dict.fromkeys([*places, *(f"coordinate({name})" for name in places)]),
        "speeds": dict.fromkeys(f"speed({name})" for joint in moving for name in joint.speeds),
        "time": {"t": None},
        "states": dict.fromkeys(model.element_states()),
        "unknowns": dict.fromkeys(model.element_unknowns()),
        "motions": MotionNames([*model.frames, *model.bodies]),
        "rates": dict.fromkeys(rates),
    }


def _check_symbol(name: str, scope: Scope, names: Names, where: str, source: Source | None) -> None:
    meanings = [sort for sort in scope.sorts if name in names[sort]]
    if name == "t" and not scope.moves and "t" in names["coordinates"]:
        meanings.append("coordinates")  # a coordinate t hides the time
    meanings += [scope.own_word] if name in scope.own_names else []
    if len(meanings) == 1:
        return
    if meanings:
        ways = [
            f"{word}({name})"
            for word in ("coordinate", "law")
            if f"{word}({name})" in (*names["coordinates"], *scope.own_names)
        ]
        advice = " or ".join(["rename one of them", *(f"write {way}" for way in ways)])
        raise ModelError(
            f"{where}: {name!r} could be one of {' and '.join(meanings)}; {advice}", source
        )
    for sort, known in names.items():
        if name in known:
            raise ModelError(
                f"{where}: {name!r} is one of the {sort}; only "
                f"{' and '.join(scope.words)} may stand here",
                source,
            )
    allowed = [*(known for sort in scope.sorts for known in names[sort]), *scope.own]
    allowed = [known for known in allowed if not known.startswith("coordinate(")]
    hint = near_names(name, allowed) if allowed else f"declare it: model.parameter({name!r}, value)"
    raise ModelError(f"{where}: unknown name {name!r}; {hint}", source)


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
    _check_states(model, owners)
    for frame in model.frames.values():
        if frame.name in model.bodies:
            raise ModelError(
                f"frame {frame.name!r}: a body of this name is a frame already; rename one of them",
                frame.source,
            )


def _check_states(model: Model, owners: dict[str, str]) -> None:
    """States and unknowns of elements stand in expressions too, under names that are words of their
    own."""
    for table in model.acting().values():
        for element in table.values():
            own = [("state", state.of(element.name)) for state in element.states()]
            own += [("unknown", unknown.of(element.name)) for unknown in element.unknowns()]
            for what, name in own:
                try:
                    check_word(name)
                except ModelError as error:
                    raise error.within(
                        f"{element.title}: {what} {name!r}", element.source
                    ) from None
                if name in owners:
                    raise ModelError(
                        f"{element.title}: its {what} {name!r} has the name of {owners[name]}; "
                        "rename one of them",
                        element.source,
                    )
                article = "an" if what == "unknown" else "a"
                owners[name] = f"{article} {what} of {element.title}"


def _check_references(element: Element, model: Model, names: Names) -> None:
    """Bodies, coordinates and speeds that the fields of an element name."""
    bodies = [WORLD, *model.bodies]
    if not isinstance(element, Frame):  # whose own place would be found only after others
        bodies += model.frames
    for body in element.bodies():
        if body not in bodies:
            raise ModelError(
                f"{element.title}: unknown body {body!r}; {near_names(body, bodies, CALLED_WORLD)}",
                element.source,
            )
    for word, kind in fields_of(type(element)).items():
        name = getattr(element, word)
        if isinstance(kind, Coordinate) and name is not None:
            known = names[kind.sort]
            if kind.sort == "speeds":
                known = dict.fromkeys(n.removeprefix("speed(")[:-1] for n in known)
            if name not in known:
                raise ModelError(
                    f"{element.title}: {kind.unknown.format(name)}; {near_names(name, known)}",
                    element.source,
                )
