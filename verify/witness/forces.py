"""Elements that act, in numbers: the one place of the witnesses that knows their kinds by name.

Each law is stated a second time on purpose, here and where `newton_euler` lets it act: the law of a
kind that is not known here is taken at its author's word (`own_kinds`), so that only trees,
projections and the balance of its power are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import sympy

from eomc.derive.model import Model
from eomc.verify.witness.mechanism import (
    Attraction,
    Force,
    GeneralizedForce,
    JointSpring,
    Law,
    Point,
    Potential,
    Spring,
)
from eomc.verify.witness.numbers import compiled

__all__ = ["KNOWN", "forces", "potential_has_time", "state_rates"]


def _attraction(reader: Any, element: Any) -> Attraction:
    """A declared point mass."""
    return Attraction(
        reader.numbers(element.mu),
        reader.numbers.vector(element.center),
        element.expansion == "second_order",
        None if element.about == "body" else reader.places[element.about],
        {name: reader.numbers.vector(half) for name, half in element.rods},
    )


def _spring(reader: Any, spring: Any) -> Spring:
    """A spring between points."""
    law = reader.numbers.law
    return Spring(
        reader.point(spring.a),
        reader.point(spring.b),
        law(spring.stiffness),
        law(spring.damping),
        law(spring.free_length),
        None if spring.law is None else law(spring.law),
    )


def _joint_spring(reader: Any, spring: Any) -> JointSpring:
    """A spring across a coordinate."""
    law = reader.numbers.law
    return JointSpring(
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
    return Force(reader.point(force.at), (x, y, z), magnitude, force.frame == "body", False)


def _torque(reader: Any, torque: Any) -> Force:
    """A torque on a body."""
    x, y, z = (reader.numbers.law(entry) for entry in torque.direction)
    at = Point(reader.places[torque.body], np.zeros(3))
    magnitude = reader.numbers.law(torque.magnitude)
    return Force(at, (x, y, z), magnitude, torque.frame == "body", True)


def _generalized_force(reader: Any, force: Any) -> GeneralizedForce:
    """A force on one speed."""
    return GeneralizedForce(reader.speeds[force.speed], reader.numbers.law(force.expression))


def _potential(reader: Any, potential: Any) -> Potential:
    """A potential with its slopes, by SymPy's own differentiation."""
    energy = sympy.sympify(potential.expression).xreplace(reader.numbers.parameters)
    real = {s: sympy.Dummy(s.name, real=True) for s in energy.free_symbols}
    back = {dummy: symbol for symbol, dummy in real.items()}
    slopes = {
        symbol.name: compiled(energy.xreplace(real).diff(dummy).xreplace(back))
        for symbol, dummy in sorted(real.items(), key=lambda pair: str(pair[0].name))
        if symbol.name in reader.coordinates
    }
    return Potential(compiled(energy), slopes)


def _lag(reader: Any, lag: Any) -> GeneralizedForce:
    """The effort itself."""
    return GeneralizedForce(reader.speeds[lag.speed], reader.numbers.law(_own(lag, "effort")))


def _bristle(reader: Any, bristle: Any) -> GeneralizedForce:
    """-(s0 z + s1 z' + s2 v)."""
    z, v = _own(bristle, "deflection"), sympy.Symbol(f"speed({bristle.speed})")
    parts = (bristle.stiffness * z, bristle.damping * _sticking(bristle), bristle.viscous * v)
    return GeneralizedForce(reader.speeds[bristle.speed], reader.numbers.law(-sum(parts)))


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
}
"""Which part of the mechanism a kind is, and its reader."""

_RATES: dict[str, Callable[[Any], Any]] = {
    "state": lambda state: sympy.sympify(state.rate),
    "lag": _lagging,
    "bristle": _sticking,
}
"""z' of kinds with one state."""

_STORING = {
    "spring": ("stiffness", "free_length"),
    "joint_spring": ("stiffness", "free_angle"),
    "potential": ("expression",),
}
"""Fields that a potential energy is made of."""

KNOWN = {*_READERS, *_RATES}


def forces(model: Model, reader: Any) -> dict[str, Any]:
    """Parts of the mechanism; `reader` turns data to numbers."""
    parts: dict[str, Any] = {part: () for part, _ in _READERS.values()}
    acting = model.acting()
    for word, (part, read) in _READERS.items():
        parts[part] += tuple(read(reader, element) for element in acting[word].values())
    return parts


def state_rates(model: Model, reader: Any) -> Iterator[Law]:
    """z' of the elements that are known here, in the order of their states."""
    for word, table in model.acting().items():
        if word in _RATES:
            yield from (reader.numbers.law(_RATES[word](element)) for element in table.values())


def potential_has_time(model: Model) -> bool:
    """True if a potential energy that is known here depends on time."""
    acting, t = model.acting(), sympy.Symbol("t")
    return any(
        t in sympy.sympify(getattr(element, field)).free_symbols
        for word, fields in _STORING.items()
        for element in acting[word].values()
        for field in fields
    )
