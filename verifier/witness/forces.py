"""Elements that act, in numbers: the one place of the witnesses that knows their kinds by name.

Each law is stated a second time on purpose, here and where `newton_euler` lets it act: the law of a
kind that is not known here is taken at its author's word (`own_kinds`), so that only trees,
projections and the balance of its power are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import sympy

from eomc.derive.model import Model
from eomc.verifier.witness import contact_reader
from eomc.verifier.witness.cable_stations import are_known, moved, route, with_slopes
from eomc.verifier.witness.catenary import WitnessCatenary
from eomc.verifier.witness.contact_laws import NORMAL
from eomc.verifier.witness.mechanism import (
    Attraction,
    BearingFriction,
    ConditionUnknown,
    Force,
    Law,
    UnwindingCable,
    WitnessCable,
    WitnessGeneralizedForce,
    WitnessJointSpring,
    WitnessPoint,
    WitnessPotential,
    WitnessSpring,
    WitnessStop,
)
from eomc.verifier.witness.tendon import WitnessTendon, way

__all__ = [
    "forces",
    "potential_has_time",
    "quantities",
    "ropes",
    "state_rates",
    "unknown",
    "unknowns",
]


def _attraction(reader: Any, element: Any) -> Attraction:
    """A declared point mass."""
    return Attraction(
        reader.numbers(element.mu),
        reader.numbers.vector(element.center),
        element.expansion == "second_order",
        None if element.about == "body" else reader.places[element.about],
        {name: reader.numbers.vector(half) for name, half in element.rods},
    )


def _spring(reader: Any, spring: Any) -> WitnessSpring:
    """A spring between points."""
    law = reader.numbers.law
    return WitnessSpring(
        spring.name,
        reader.point(spring.a),
        reader.point(spring.b),
        law(spring.stiffness),
        law(spring.damping),
        law(spring.free_length),
        None if spring.law is None else law(spring.law),
    )


def _joint_spring(reader: Any, spring: Any) -> WitnessJointSpring:
    """A spring across a coordinate."""
    law = reader.numbers.law
    return WitnessJointSpring(
        reader.coordinates[spring.joint],
        reader.speeds[spring.joint],
        law(spring.stiffness),
        law(spring.damping),
        law(spring.free_angle),
        None if spring.law is None else law(spring.law),
    )


def _force(reader: Any, force: Any) -> Force:
    """A force at a point."""
    x, y, z = (reader.numbers.law(entry) for entry in force.direction)
    magnitude = reader.numbers.law(force.magnitude)
    at = reader.point(force.at)
    return Force(force.name, at, (x, y, z), magnitude, force.frame == "body", False)


def _torque(reader: Any, torque: Any) -> Force:
    """A torque on a body."""
    x, y, z = (reader.numbers.law(entry) for entry in torque.direction)
    at = WitnessPoint(reader.places[torque.body], np.zeros(3))
    magnitude = reader.numbers.law(torque.magnitude)
    return Force(torque.name, at, (x, y, z), magnitude, torque.frame == "body", True)


def _generalized_force(reader: Any, force: Any) -> WitnessGeneralizedForce:
    """A force on one speed."""
    return WitnessGeneralizedForce(reader.speeds[force.speed], reader.numbers.law(force.expression))


def _potential(reader: Any, potential: Any) -> WitnessPotential:
    """A potential with its slopes."""
    return _potential_of(reader, potential.expression)


def _potential_of(reader: Any, energy: Any) -> WitnessPotential:
    return WitnessPotential(*with_slopes(reader, energy, reader.coordinates))


def _cable(reader: Any, cable: Any) -> WitnessCable:
    """A cable with its law."""
    area, number = reader.numbers(cable.area), reader.numbers
    stations, moving = route(reader, cable), {*reader.coordinates, "t"}
    given = [cable.length, *(getattr(station, "turn", 0) for station in cable.route)]
    free = {symbol.name for value in given for symbol in sympy.sympify(value).free_symbols}
    declared = {symbol.name for symbol in reader.numbers.parameters}
    stores = cable.law is None and cable.elasticity == "energy" and free <= moving | declared
    return WitnessCable(
        cable.name,
        stations,
        moved(reader, cable.length),
        area * number(cable.modulus),
        area * number(cable.viscosity),
        None if cable.law is None else reader.numbers.law(cable.law),
        number(cable.width),
        cable.elasticity,
        cable.damping,
        cable.dissipation,
        number(cable.slip_speed),
        stores and not any(station.friction or station.bearing for station in stations[1:-1]),
    )


def ropes(model: Model, reader: Any) -> tuple[WitnessCable, ...]:
    """Constraints that hold the length of a route, of stations that are known here."""
    known: list[Any] = [entry for entry in model.constraints.values() if _is_known(entry)]
    return tuple(_rope(reader, rope) for rope in known if rope.kind == "rope")


def _rope(reader: Any, rope: Any) -> WitnessCable:
    """A cable without law."""
    return WitnessCable(rope.name, route(reader, rope), moved(reader, rope.length))


def _lag(reader: Any, lag: Any) -> WitnessGeneralizedForce:
    """The effort itself."""
    return WitnessGeneralizedForce(
        reader.speeds[lag.speed], reader.numbers.law(_own(lag, "effort"))
    )


def _bristle(reader: Any, bristle: Any) -> WitnessGeneralizedForce:
    """-(s0 z + s1 z' + s2 v)."""
    z, v = _own(bristle, "deflection"), sympy.Symbol(f"speed({bristle.speed})")
    parts = (bristle.stiffness * z, bristle.damping * _sticking(bristle), bristle.viscous * v)
    return WitnessGeneralizedForce(reader.speeds[bristle.speed], reader.numbers.law(-sum(parts)))


def _own(element: Any, name: str) -> sympy.Symbol:
    return sympy.Symbol(f"{element.name}_{name}")


def _sticking(bristle: Any) -> Any:
    """z' = v - s0 |v| z / (Fc + (Fs - Fc) exp(-(v/vs)^2))."""
    z, v = _own(bristle, "deflection"), sympy.Symbol(f"speed({bristle.speed})")
    slip, hold = sympy.sympify(bristle.coulomb), sympy.sympify(bristle.static)
    limit = slip
    if hold is not None:
        limit += (hold - slip) * sympy.exp(-((v / sympy.sympify(bristle.stribeck_speed)) ** 2))
    return v - sympy.sympify(bristle.stiffness) * sympy.Abs(v) / limit * z


def _lagging(lag: Any) -> Any:
    """(c - z) / T."""
    return (sympy.sympify(lag.command) - _own(lag, "effort")) / sympy.sympify(lag.time_constant)


def _algebraic(reader: Any, variable: Any) -> WitnessPotential | None:
    """The energy with its slopes at a fixed variable, if it has one."""
    return None if variable.energy is None else _potential_of(reader, variable.energy)


def _vanishing(variable: Any) -> Any:
    """g, or dV/dw."""
    if variable.energy is None:
        return sympy.sympify(variable.equation)
    return sympy.diff(sympy.sympify(variable.energy), sympy.Symbol(variable.name))


def _bearing(reader: Any, bearing: Any) -> BearingFriction:
    """Friction under a reaction."""
    number = reader.numbers
    order = reader.model.tree()
    found = [k for k, joint in enumerate(order) if bearing.speed in joint.speeds]
    place = found[0] if found else None
    (joint,) = (each for each in reader.model.joints.values() if bearing.speed in each.speeds)

    def given(value: Any) -> float | None:
        return None if value is None else float(number(value))

    return BearingFriction(
        place,
        None if place is None else reader.speeds[bearing.speed],
        joint.name if place is None else "",
        reader.unit(joint.direction),
        number(bearing.friction),
        given(bearing.radius),
        given(bearing.span),
        number(bearing.collar),
        given(bearing.width),
        number(bearing.preload),
        number(bearing.slip_speed),
        bearing.regularization,
        number(bearing.minimum_load),
    )


def _stop(reader: Any, stop: Any) -> WitnessStop:
    """Ends of a way."""
    number, law = reader.numbers, stop.normal
    given = (("lower", stop.lower, 1), ("upper", stop.upper, -1))
    ends = tuple((word, number(end), sign) for word, end, sign in given if end is not None)
    return WitnessStop(
        stop.name,
        reader.coordinates[stop.coordinate],
        reader.speeds[stop.coordinate],
        ends,
        NORMAL[law.word](number, law),
        number(stop.width),
        stop.smoothing,
        (number(law.restitution), number(law.rest_speed)) if law.word == "rigid" else None,
    )


def _catenary(reader: Any, cable: Any) -> WitnessCatenary:
    """A cable that hangs."""
    number = reader.numbers
    return WitnessCatenary(
        cable.name,
        reader.point(cable.a),
        reader.point(cable.b),
        number(cable.length),
        number(cable.weight),
        number(cable.modulus) * number(cable.area),
        number.vector(reader.model.gravity),
    )


def _tendon(reader: Any, tendon: Any) -> WitnessTendon:
    """A tendon with its law."""
    body, number = reader.model.deformables[tendon.body], reader.numbers
    free = tendon.free_length
    given = set() if free is None else {s.name for s in sympy.sympify(free).free_symbols}
    declared = {symbol.name for symbol in number.parameters}
    return WitnessTendon(
        tendon.name,
        tuple(body.coordinates),
        way(reader, tendon),
        number(tendon.stiffness),
        number(tendon.damping),
        number(tendon.width),
        None if free is None else number.law(free),
        None if tendon.law is None else number.law(tendon.law),
        tendon.law is None and given <= declared,
    )


def _unwinding(reader: Any, cable: Any) -> UnwindingCable:
    """The cable of a joint."""
    joint, number = reader.model.joints[cable.joint], reader.numbers
    area = number(cable.area)
    return UnwindingCable(
        cable.name,
        joint.kind,
        number(joint.argument("radius")),
        tuple(reader.coordinates[name] for name in joint.coordinates),
        tuple(reader.speeds[name] for name in joint.speeds),
        area * number(cable.modulus),
        area * number(cable.viscosity),
        number(cable.width),
        cable.elasticity,
        cable.damping,
        cable.dissipation,
    )


_READERS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "spring": ("springs", _spring),
    "joint_spring": ("joint_springs", _joint_spring),
    "force": ("forces", _force),
    "torque": ("forces", _torque),
    "potential": ("potentials", _potential),
    "generalized_force": ("generalized_forces", _generalized_force),
    "central_gravity": ("attractions", _attraction),
    "lag": ("generalized_forces", _lag),
    "bristle": ("generalized_forces", _bristle),
    "bearing": ("bearings", _bearing),
    "algebraic": ("potentials", _algebraic),
    "cable": ("cables", _cable),
    "tether": ("tethers", _rope),
    "catenary": ("lines", _catenary),
    "tendon": ("lines", _tendon),
    "contact": ("contacts", contact_reader.contact),
    "stop": ("stops", _stop),
    "involute_cable": ("unwinding", _unwinding),
}
"""Part of the mechanism that a kind is, and the reader of its elements."""


def _is_known(element: Any) -> bool:
    """True unless it is a cable over a station that is not known here, or a contact by a part that
    somebody else made."""
    if hasattr(element, "normal") and element.normal.word not in NORMAL:
        return False
    if hasattr(element, "shape") and not contact_reader.is_known(element):
        return False
    return are_known(element)


_RATES: dict[str, Callable[[Any], Any]] = {
    "state": lambda state: sympy.sympify(state.rate),
    "lag": _lagging,
    "bristle": _sticking,
}
"""z' of kinds with one state."""

_CONDITIONS: dict[str, Callable[[Any], Any]] = {"algebraic": _vanishing}
"""Condition of kinds with one unknown: the expression that vanishes at it."""

_STORING: dict[str, Callable[[Any], Iterable[Any]]] = {
    "spring": lambda spring: (spring.stiffness, spring.free_length),
    "joint_spring": lambda spring: (spring.stiffness, spring.free_angle),
    "potential": lambda potential: (potential.expression,),
    "algebraic": lambda variable: (variable.energy or 0,),
    "cable": lambda cable: (cable.length, *(getattr(s, "turn", 0) for s in cable.route)),
}
"""Expressions that the potential energy of a kind is made of."""


def unknown(model: Model) -> dict[str, dict[str, Any]]:
    """Acting elements without formulas here, by kind and name."""
    return {
        word: {
            name: element
            for name, element in table.items()
            if not (word in {*_READERS, *_RATES, "output"} and _is_known(element))
        }
        for word, table in model.acting().items()
    }


def internal(model: Model) -> dict[str, dict[str, Any]]:
    """Those of them that act between bodies, the world none of these."""
    return {
        word: {
            name: element
            for name, element in table.items()
            if element.internal and "world" not in element.bodies()
        }
        for word, table in unknown(model).items()
    }


def forces(model: Model, reader: Any) -> dict[str, Any]:
    """Parts of the mechanism; `reader` turns data to numbers."""
    parts: dict[str, Any] = {part: () for part, _ in _READERS.values()}
    acting = model.acting()
    for word, (part, read) in _READERS.items():
        known = filter(_is_known, acting[word].values())
        made = (read(reader, element) for element in known)
        parts[part] += tuple(entry for entry in made if entry is not None)
    return parts


def state_rates(model: Model, reader: Any) -> Iterator[Law | None]:
    """z' in the order of the states; None of elements that are not known here."""
    for word, table in model.acting().items():
        for element in table.values():
            if word in _RATES:
                yield reader.numbers.law(_RATES[word](element))
            else:
                yield from (None for _ in element.states())


def quantities(model: Model, reader: Any) -> dict[str, Law]:
    """Expressions that are told, by name."""
    told: dict[str, Any] = {**model.acting().get("output", {})}
    return {name: reader.numbers.law(entry.expression) for name, entry in told.items()}


def unknowns(model: Model, reader: Any) -> Iterator[ConditionUnknown]:
    """Variables without inertia, in their order."""
    law = reader.numbers.law
    for word, table in model.acting().items():
        for element in table.values():
            for entry in element.unknowns():
                condition = law(_CONDITIONS[word](element)) if word in _CONDITIONS else None
                ends = (entry.lower, entry.upper)
                lower, upper = (None if end is None else law(end) for end in ends)
                yield ConditionUnknown(
                    entry.of(element.name), condition, law(entry.guess), (lower, upper)
                )


def potential_has_time(model: Model) -> bool:
    """True if a potential energy that is known here depends on time."""
    acting, t = model.acting(), sympy.Symbol("t")
    return any(
        t in sympy.sympify(value).free_symbols
        for word, values in _STORING.items()
        for element in filter(_is_known, acting[word].values())
        for value in values(element)
    )
