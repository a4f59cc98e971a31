"""Units and meanings of the entries of states, inputs and outputs, as a model declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eomc.codegen.fmi.units import rate_of
from eomc.codegen.plan.first_order import FirstOrder
from eomc.derive.functions.reactions import NAME as JOINT_REACTIONS
from eomc.derive.functions.registry import SIX

Facts = dict[tuple[str, str], str]


def units(equations: Any, system: FirstOrder) -> Facts:
    """Units by array and entry; those that nobody tells are left out."""
    found: Facts = {("kinetic_energy", ""): "J", ("potential_energy", ""): "J", ("power", ""): "W"}
    for entry in system.outputs:
        if entry.array.endswith("_velocity") and entry.name in SIX:
            found[entry.array, entry.name] = "m/s" if entry.name[0] == "v" else "rad/s"
        if entry.array.endswith("_pose") and entry.indices.endswith(",4]"):
            found[entry.array, entry.indices] = "m"
        if entry.array == JOINT_REACTIONS:
            is_force = entry.indices in ("[1]", "[2]", "[3]")
            found[entry.array, entry.name + entry.indices] = "N" if is_force else "N m"
    model = getattr(equations, "model", None)
    if model is None:
        return found
    for name, unit in _coordinates(model):
        found["q", name] = found["s", name] = unit
        found["s_rate", name], found["s_acceleration", name] = rate_of(unit), rate_of(rate_of(unit))
    for name, unit in _speeds(model):
        found["u", name] = unit
    found |= {("r", name): given.units for name, given in model.inputs.items()}
    found |= {("z", name): state.units for name, state in model.element_states().items()}
    told = model.element_outputs().items()
    return found | {("element_outputs", name): output.units for name, output in told}


def descriptions(equations: Any, system: FirstOrder) -> Facts:
    """Meanings of the entries that somebody tells."""
    array = {
        "q": "coordinate",
        "u": "speed",
        "z": "state of an element",
        "tau": "force on the speed",
        "s": "prescribed coordinate",
        "s_rate": "rate of the prescribed coordinate",
        "s_acceleration": "second rate of the prescribed coordinate",
    }
    states = (*system.states, *system.held)
    found = {(e.array, e.name): f"{array[e.array]} {e.name}" for e in states if e.array in array}
    model = getattr(equations, "model", None)
    if model is not None:
        found |= {("r", name): given.description for name, given in model.inputs.items()}
    return found


def _coordinates(model: Any) -> Iterator[tuple[str, str]]:
    for joint in model.joints.values():
        pairs = zip(joint.coordinates, joint.declaration.coordinates, strict=True)
        yield from ((name, variable.unit) for name, variable in pairs)
    for body in model.deformables.values():
        yield from zip(body.coordinates, body.form.units, strict=True)


def _speeds(model: Any) -> Iterator[tuple[str, str]]:
    for joint in model.joints.values():
        pairs = zip(joint.speeds, joint.declaration.speeds, strict=True)
        yield from ((name, variable.unit) for name, variable in pairs)
    for body in model.deformables.values():
        pairs = zip(body.coordinates, body.form.units, strict=True)
        yield from ((name, rate_of(unit)) for name, unit in pairs)
