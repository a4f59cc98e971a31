"""Unknowns of a fit: parameters, inertias, initial states, biases, gains and a delay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.fit import inertia
from eomc.runtime.fit.errors import FitError
from eomc.runtime.fit.inertia import NUMBERS
from eomc.runtime.names.near_names import near_names

_OF_CHANNEL = re.compile(r"(bias|gain)\((.*)\)")
_OF_BODY = re.compile(r"inertia\((.*)\)")


@dataclass(frozen=True)
class FreeValue:
    """An unknown of a fit: its start, bounds, scale and prior.

    Attributes
    ----------
    start : float or ten of them, optional
        By default the value of the model, the first sample of a coordinate, or zero. Of an inertia
        (m, h, J) about the origin of the body's frame.
    low, high : float
        Not of an inertia.
    log : bool
        Whether the logarithm is varied, so that the value keeps its sign.
    prior : (mean, standard deviation), optional
        Of an inertia the mean has ten numbers, and the deviation is relative: that of the ten
        coordinates in which it is varied.
    """

    start: float | Sequence[float] | None = None
    low: float = -np.inf
    high: float = np.inf
    log: bool = False
    prior: tuple[float | Sequence[float], float] | None = None


@dataclass(frozen=True)
class Unknown:
    """One entry of theta: `kind` is "p", "state", "bias", "gain" or "delay"; `body` is that of an
    inertia, of which ten entries stand in a row."""

    name: str
    kind: str
    place: int
    run: int | None
    free: FreeValue
    start: float
    body: str = ""


Given = Sequence[str] | Mapping[str, Any]


def frees(free: Given) -> dict[str, FreeValue]:
    """By name; of a mapping values are starts, (low, high) or `FreeValue`."""
    if isinstance(free, str):
        raise FitError(f"free: give names in a list, ['{free}']")
    if not isinstance(free, Mapping):
        return {name: FreeValue() for name in free}
    found = {}
    for name, value in free.items():
        if value is None or isinstance(value, FreeValue):
            found[name] = value or FreeValue()
        elif isinstance(value, tuple | list) and len(value) == len(NUMBERS):
            found[name] = FreeValue(tuple(map(float, value)))
        elif isinstance(value, tuple) and len(value) == 2:
            found[name] = FreeValue(low=float(value[0]), high=float(value[1]))
        elif isinstance(value, int | float):
            found[name] = FreeValue(float(value))
        else:
            raise FitError(f"free {name!r}: give a start, (low, high) or FreeValue, not {value!r}")
    return found


def parameters_of(name: str) -> list[str]:
    """Parameters of the model that an unknown stands for: none of runs and sensors."""
    if body := _OF_BODY.fullmatch(name):
        return [f"{body[1]}.{number}" for number in NUMBERS]
    is_other = name == "delay" or _OF_CHANNEL.fullmatch(name) or name[:2] in ("q.", "u.", "z.")
    return [] if is_other else [name]


class Unknowns:
    """The entries of theta, and the values that they change."""

    def __init__(self, entries: Iterable[Unknown]) -> None:
        self.entries = tuple(entries)
        self.names = tuple(u.name for u in self.entries)
        self.log = np.array([u.free.log for u in self.entries], dtype=bool)
        firsts = [k for k, u in enumerate(self.entries) if u.body][:: len(NUMBERS)]
        self.bodies = [slice(k, k + len(NUMBERS)) for k in firsts]
        for u in self.entries:
            _checked(u)

    def __len__(self) -> int:
        return len(self.entries)

    def start(self) -> Array:
        """theta to begin with, moved inside its bounds."""
        return self.inner([u.start for u in self.entries])

    def bounds(self) -> tuple[Array, Array]:
        """Of theta."""
        ends = []
        for values in ([u.free.low for u in self.entries], [u.free.high for u in self.entries]):
            found = np.array(values, dtype=np.float64)
            with np.errstate(divide="ignore"):
                found[self.log] = np.log(np.maximum(found[self.log], 0.0))
            ends.append(found)
        return ends[0], ends[1]

    def inner(self, values: Sequence[float] | Array) -> Array:
        """theta of the values."""
        found = np.array(values, dtype=np.float64)
        found[self.log] = np.log(found[self.log])
        for part in self.bodies:
            try:
                found[part] = inertia.coordinates(found[part])
            except np.linalg.LinAlgError:
                body = self.entries[part.start].body
                raise FitError(f"free 'inertia({body})': the start is no body's") from None
        return found

    def values(self, theta: Array) -> Array:
        """The values themselves."""
        found = np.array(theta, dtype=np.float64)
        found[self.log] = np.exp(found[self.log])
        for part in self.bodies:
            with np.errstate(over="ignore", invalid="ignore"):  # of a trial far away
                found[part] = inertia.numbers(found[part])
        return found

    def slopes(self, theta: Array) -> Array:
        """d values / d theta, (n, n)."""
        found = np.diag(np.where(self.log, np.exp(np.where(self.log, theta, 0.0)), 1.0))
        for part in self.bodies:
            with np.errstate(over="ignore", invalid="ignore"):
                found[part, part] = inertia.slopes(theta[part])
        return found

    def of(self, kind: str, run: int | None, size: int, theta: Array) -> tuple[Array, Array]:
        """(values (size,), NaN of those that are known, derivatives (size, n))."""
        found, slopes = np.full(size, np.nan), np.zeros((size, len(self)))
        values, by = self.values(theta), self.slopes(theta)
        for k, u in enumerate(self.entries):
            if u.kind == kind and u.run in (None, run):
                found[u.place], slopes[u.place] = values[k], by[k]
        return found, slopes

    def priors(self, theta: Array) -> tuple[Array, Array]:
        """Residuals of the priors and their derivatives by theta."""
        values, by = self.values(theta), self.slopes(theta)
        r, J = list[float](), list[Array]()
        for k, u in enumerate(self.entries):
            if u.free.prior is None:
                continue
            mean, deviation = u.free.prior
            if u.body:
                place = NUMBERS.index(u.name.rpartition(".")[2])
                mean = inertia.coordinates(np.array(mean, dtype=np.float64))[place]
            r.append(((theta if u.body else values)[k] - mean) / deviation)
            J.append((np.eye(len(self))[k] if u.body else by[k]) / deviation)
        return np.array(r), np.reshape(J, (len(r), len(self)))


def _ten(name: str, values: object) -> tuple[float, ...]:
    """Numbers of an inertia."""
    found = np.asarray(values, dtype=np.float64)
    if found.shape != (len(NUMBERS),):
        raise FitError(f"free {name!r}: an inertia has ten numbers, {', '.join(NUMBERS)}")
    return tuple(found.tolist())


def _checked(u: Unknown) -> None:
    low, high = u.free.low, u.free.high
    if u.body and (u.free.log or (low, high) != (-np.inf, np.inf)):
        raise FitError(f"free 'inertia({u.body})': an inertia has no bounds and no logarithm")
    if not low < high:
        raise FitError(f"free {u.name!r}: the lower bound {low:g} is not below {high:g}")
    if not low <= u.start <= high:
        raise FitError(f"free {u.name!r}: the start {u.start:g} is outside {low:g} ... {high:g}")
    if u.free.log and not u.start > 0:
        raise FitError(f"free {u.name!r}: on a logarithmic scale the start must be positive")
    if u.free.prior and not u.free.prior[1] > 0:
        raise FitError(f"free {u.name!r}: the deviation of the prior must be positive")


def listed(
    found: Mapping[str, FreeValue],
    parameters: Mapping[str, float],
    states: Mapping[str, int],
    starts: Sequence[tuple[str, Mapping[str, float], bool]],
    channels: Sequence[str],
) -> Unknowns:
    """All unknowns; `starts` are (name, initial state by entry, whether it is free) of each run."""
    entries: list[Unknown] = []

    def put(
        name: str, kind: str, place: int, run: int | None, default: float, free: FreeValue
    ) -> None:
        start = default if free.start is None else free.start
        if not isinstance(start, int | float):
            raise FitError(f"free {name!r}: the start is one number, not {start!r}")
        entries.append(Unknown(name, kind, place, run, free, float(start)))

    order = tuple(parameters)
    for name, free in found.items():
        of_channel, of_body = _OF_CHANNEL.fullmatch(name), _OF_BODY.fullmatch(name)
        if of_body:
            names = parameters_of(name)
            given = [parameters[n] for n in names] if free.start is None else free.start
            for n, start in zip(names, _ten(name, given), strict=True):
                entries.append(Unknown(n, "p", order.index(n), None, free, start, of_body[1]))
        elif name in parameters:
            put(name, "p", order.index(name), None, parameters[name], free)
        elif name == "delay":
            put(name, "delay", 0, None, 0.0, free)
        elif of_channel and of_channel[2] in channels:
            put(name, of_channel[1], channels.index(of_channel[2]), None, 0.0, free)
        elif name not in states:
            known = (*parameters, *states, "delay", *(f"bias({c})" for c in channels))
            raise FitError(f"free: no unknown {name!r}; {near_names(name, known)}")
    for k, (run, values, is_free) in enumerate(starts):
        for name, place in states.items():
            if is_free or name in found:
                full = name if len(starts) == 1 else f"{run}: {name}"
                put(full, "state", place, k, values[name], found.get(name, FreeValue()))
    return Unknowns(entries)
