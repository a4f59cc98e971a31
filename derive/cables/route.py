"""Routes of cables: reading them, and what may stand in them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eomc.derive.cables.planes import check_planes
from eomc.derive.cables.station import STATIONS, CableStation
from eomc.derive.fields.field import FieldKind, Given
from eomc.derive.fields.part import record_of, upgraded_kind
from eomc.derive.fields.scope import GIVEN, Scope
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, symbols_of
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Point

if TYPE_CHECKING:
    from eomc.derive.elements.element import Mechanism
    from eomc.derive.fields.carrier import FieldCarrier

__all__ = ["Route", "Stations", "asked_names", "check_free_length", "check_route"]


#: Of the distance: within it a point is on an axis.
_ON_AXIS = 1e-12

#: For type checkers: stations as they may be given; records are held.
Stations = Given[Sequence[Any], tuple[CableStation, ...]]


@dataclass(frozen=True)
class Route(FieldKind):
    """A field of stations in order; a point alone stands for one where the cable is fastened or
    slides."""

    scope: Scope = GIVEN

    def read(self, value: Any, word: str) -> tuple[CableStation, ...]:
        """Stations, points, names of bodies, or mappings as in model files."""
        if isinstance(value, str | Mapping | Point) or not hasattr(value, "__iter__"):
            raise ModelError(f"{word}: give a list of stations")
        stations = tuple(_read(entry, f"{word}[{k}]") for k, entry in enumerate(value))
        if len(stations) < 2:
            raise ModelError(f"{word} has {len(stations)} stations; a cable has two ends")
        for k, entry in enumerate(stations):
            inner = 0 < k < len(stations) - 1
            if not (entry.passes if inner else entry.fastens):
                says = "passes no" if inner else "does not end at a"
                raise ModelError(f"{word}[{k}]: a cable {says} {entry.word}")
        return stations

    def schema(self) -> dict[str, Any]:
        """A list of points and stations."""
        point = {"$ref": "#/$defs/point"}
        station = {"if": {"required": ["kind"]}, "then": {"$ref": "#/$defs/station"}, "else": point}
        entry = {"if": {"type": "object"}, "then": station, "else": {"type": "string"}}
        return {"type": "array", "items": entry, "minItems": 2}

    def upgraded(self, value: Any, renamed: dict[str, str]) -> Any:
        """Every station with its kind."""
        if not isinstance(value, list):
            return value
        return [upgraded_kind(STATIONS, entry, renamed) for entry in value]

    def bodies(self, value: Any) -> tuple[str, ...]:
        """Those of all stations."""
        return tuple(body for entry in value for body in entry.bodies())

    def transformed(self, value: Any, element: Any, carrier: FieldCarrier) -> Any:
        """Every station carried."""
        return tuple(entry.transformed(carrier) for entry in value)


def _read(value: Any, where: str) -> CableStation:
    try:
        if isinstance(value, CableStation):
            return value
        if isinstance(value, str | Point) or (isinstance(value, Mapping) and "body" in value):
            return STATIONS["eyelet"](value)
        if not isinstance(value, Mapping):
            raise ModelError(f"give a station, not {type(value).__name__}")
        made: CableStation = record_of(STATIONS, value)
        return made
    except ModelError as error:
        raise error.within(where, None) from None


def asked_names(route: Sequence[CableStation]) -> tuple[str, ...]:
    """Coordinates, inputs and parameters in what may move."""
    return tuple(
        name for station in route for _, kind, name in station.moving_names() if kind.scope.moves
    )


def check_route(
    route: Sequence[CableStation], model: Mechanism, values: Mapping[str, float], owner: str
) -> None:
    """Raise `ModelError` for sizes that are none, names that may not stand where they do,
    neighbours in one place, and circles that share no plane; warn of those that may lose it.
    `owner` is the title of the element."""
    for k, station in enumerate(route):
        try:
            _check_names(station, model)
            station.check(values)
            _check_carrier(station, model, f"{owner}: route[{k}]")
            _check_once(route, k)
            _check_turned(route, k, values)
            if k:
                _check_neighbours(route[k - 1], station, k - 1, values)
                if not (route[k - 1].swivels() or station.swivels()):
                    check_planes(route[k - 1], station, k - 1, model, values, owner)
        except ModelError as error:
            raise error.within(f"route[{k}] ({station.word})", None) from None


def check_free_length(
    length: Scalar, route: Sequence[CableStation], model: Mechanism, values: Mapping[str, float]
) -> None:
    """Raise `ModelError` unless a rest length that stays is positive, to which winches may add, and
    one that moves has a rate."""
    _check_rates("length", symbols_of(length), model)
    wound = any(station.wound() is not None for station in route)
    if wound or not set(symbols_of(length)) <= set(values):
        return
    if not (found := value_of(length, values)) > 0:
        raise ModelError(f"length is {found:g}; give a positive one")


def _check_carrier(station: CableStation, model: Mechanism, where: str) -> None:
    """Warn of a drum that turns with its carrier: its turn would count twice."""
    turn, body = station.wound(), station.at.body
    joint = next((joint for joint in model.joints.values() if joint.child == body), None)
    if joint is None or turn is None or set(symbols_of(turn)).isdisjoint(joint.coordinates):
        return
    warnings.warn(
        f"{where}: turn holds a coordinate of joint {joint.name!r}, which moves {body!r} itself; "
        "a winch is on the body that carries the drum, and its turn is counted from there",
        UserWarning,
        stacklevel=2,
    )


def refuse_friction(route: Sequence[CableStation]) -> None:
    """Raise `ModelError` for stations on which the rope would rub."""
    for k, station in enumerate(route):
        if station.rubs():
            raise ModelError(f"route[{k}]: friction needs a tension; declare a cable")


def _check_neighbours(
    before: CableStation, after: CableStation, place: int, values: Mapping[str, float]
) -> None:
    """Two stations are apart, and there is a tangent between them."""
    if before.at == after.at:
        raise ModelError(f"stands where station {place} does; leave one of them out")
    sizes = [station.size() for station in (before, after)]
    if before.at.body != after.at.body or before.swivels() or after.swivels():
        return
    gap = math.dist(*([value_of(x, values) for x in s.at.xyz] for s in (before, after)))
    reach = sum(value_of(size, values) for size in sizes if size is not None)
    if gap <= reach:
        raise ModelError(
            f"its distance from station {place} is {gap:g}, not more than the radii, {reach:g}"
        )


def _check_once(route: Sequence[CableStation], k: int) -> None:
    """A groove holds the cable once."""

    def groove(station: CableStation) -> tuple[Any, ...]:
        return station.word, station.at, station.size(), station.normal(), station.swivels()

    for j in range(k):
        if route[k].size() is not None and groove(route[j]) == groove(route[k]):
            raise ModelError(
                f"is station {j} again; give the second groove a place of its own, beside it"
            )


def _check_turned(route: Sequence[CableStation], k: int, values: Mapping[str, float]) -> None:
    """Raise `ModelError` if a block turns to a station of its own body on its swivel axis."""
    along = route[k].turns_about()
    if along is None:
        return
    ahead = k + route[k].follows_next()
    j = ahead if 0 <= ahead < len(route) else k - route[k].follows_next()
    here, there = route[k].at, route[j].at
    if here.body != there.body:
        return
    n, d = (
        [value_of(x, values) for x in vector]
        for vector in (along, [a - b for a, b in zip(there.xyz, here.xyz, strict=True)])
    )
    across = math.hypot(*(n[i - 2] * d[i - 1] - n[i - 1] * d[i - 2] for i in range(3)))
    if across <= _ON_AXIS * math.hypot(*n) * math.hypot(*d):
        raise ModelError(
            f"station {j}, to which its block turns, is on the swivel axis; move one of them"
            + ("" if k in (0, len(route) - 1) else ", or let it follow the other neighbour")
        )


def _check_names(station: CableStation, model: Mechanism) -> None:
    for word, kind, name in station.moving_names():
        if not kind.scope.moves and (name in _moving(model) or name == "t"):
            raise ModelError(f"{word} holds {name!r}, which moves; give a constant")
        _check_rates(word, (name,), model)


def _check_rates(word: str, names: Iterable[str], model: Mechanism) -> None:
    """Raise `ModelError` for a name whose rate is no speed, on which no tension could act."""
    rates = {name for name in model.coordinates if name in model.speeds}
    for name in names:
        if name in _moving(model) - _places(rates):
            raise ModelError(
                f"{word} holds {name!r}, which is no coordinate with a rate; "
                + near_names(name, rates)
            )


def _moving(model: Mechanism) -> set[str]:
    """Names of what moves with the mechanism."""
    speeds = (f"speed({name})" for name in model.speeds)
    return {*_places(model.coordinates), *speeds, *model.element_states()}


def _places(names: Iterable[str]) -> set[str]:
    """Names of coordinates as expressions may hold them."""
    return {word for name in names for word in (name, f"coordinate({name})")}
