"""Stations of cables in numbers; what a station says beyond these is not judged, and told so."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
import sympy

from eomc.derive.model import Model
from eomc.verifier.witness.joint_motion import in_plane
from eomc.verifier.witness.mechanism import Law, Moved, WitnessCableStation
from eomc.verifier.witness.numbers import compiled


def with_slopes(reader: Any, declared: Any, names: Collection[str]) -> tuple[Law, dict[str, Law]]:
    """An expression and its slopes by those of `names` that it holds, by SymPy itself."""
    value = sympy.sympify(declared).xreplace(reader.numbers.parameters)
    real = {s: sympy.Dummy(s.name, real=True) for s in value.free_symbols}
    back = {dummy: symbol for symbol, dummy in real.items()}
    slopes = {
        symbol.name: compiled(value.xreplace(real).diff(dummy).xreplace(back))
        for symbol, dummy in sorted(real.items(), key=lambda pair: str(pair[0].name))
        if symbol.name in names
    }
    return compiled(value), slopes


def moved(reader: Any, declared: Any) -> Moved:
    """A number that may move with coordinates and time."""
    return Moved(*with_slopes(reader, declared, {*reader.coordinates, "t"}))


def _eyelet(reader: Any, station: Any) -> WitnessCableStation:
    """A point."""
    return WitnessCableStation(reader.point(station.at), reader.numbers(station.friction))


def _pulley(reader: Any, station: Any) -> WitnessCableStation:
    """A circle that the cable passes, in a plane of its body or in a block."""
    axis, block = _plane(reader, station)
    number = reader.numbers
    return WitnessCableStation(
        reader.point(station.at),
        number(station.friction),
        number(station.bearing),
        number(station.radius),
        station.sense,
        station.turns,
        axis,
        in_plane(axis)[0],
        block,
        follows=1 if station.follows == "next" else -1,
        near=_near(reader, station),
    )


def _winch(reader: Any, station: Any) -> WitnessCableStation:
    """A drum in a plane of its body, or in a block."""
    axis, block = _plane(reader, station)
    zero = in_plane(axis)[0]
    if station.zero is not None:
        given = reader.unit(station.zero)
        zero = given - axis * (axis @ given)
        zero = zero / np.linalg.norm(zero)
    return WitnessCableStation(
        reader.point(station.at),
        radius=reader.numbers(station.radius),
        sense=station.sense,
        axis=axis,
        zero=zero,
        block=block,
        turn=moved(reader, station.turn),
        near=_near(reader, station),
    )


def _plane(reader: Any, station: Any) -> tuple[Any, tuple[float, float] | None]:
    """The axis of a circle, and offset and height if it is in a block."""
    block = reader.numbers(station.offset), reader.numbers(station.height)
    if station.swivel is None:
        return reader.unit(station.axis), None
    return reader.unit(station.swivel), block


def _near(reader: Any, station: Any) -> Law | None:
    return None if station.near is None else reader.numbers.law(station.near)


_CIRCLE = ("radius", "sense", "axis", "swivel", "offset", "height", "near")
_STATIONS: dict[str, tuple[Callable[[Any, Any], WitnessCableStation], frozenset[str]]] = {
    "eyelet": (_eyelet, frozenset({"at", "friction"})),
    "pulley": (_pulley, frozenset({"at", "turns", "friction", "bearing", "follows", *_CIRCLE})),
    "winch": (_winch, frozenset({"at", "turn", "zero", *_CIRCLE})),
}
"""By the word of a kind its reader, and the fields that it reads."""


def route(reader: Any, element: Any) -> tuple[WitnessCableStation, ...]:
    """All of an element's stations."""
    return tuple(_STATIONS[station.word][0](reader, station) for station in element.route)


def are_known(element: Any) -> bool:
    """True if nothing that its stations say is left out here."""
    stations = getattr(element, "route", ())
    return all(s.word in _STATIONS and not _left_out(s) for s in stations)


def not_judged(model: Model) -> tuple[str, ...]:
    """Fields, by element, of stations of the kinds known here that their readers do not know."""
    tables: tuple[Mapping[str, Any], ...] = (*model.acting().values(), model.constraints)
    return tuple(
        f"{element.title}: {word} of route[{k}]"
        for table in tables
        for element in table.values()
        for k, station in enumerate(getattr(element, "route", ()))
        if station.word in _STATIONS
        for word in _left_out(station)
    )


def _left_out(station: Any) -> list[str]:
    _, known = _STATIONS[station.word]
    usual = {entry.name: entry.default for entry in dataclasses.fields(station)}
    return [word for word in usual if word not in known and getattr(station, word) != usual[word]]
