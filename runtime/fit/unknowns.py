"""Unknowns of a fit: parameters, initial states, biases, gains and a delay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.fit.recording import FitError
from eomc.runtime.names.near_names import near_names

_OF_CHANNEL = re.compile(r"(bias|gain)\((.*)\)")


@dataclass(frozen=True)
class FreeValue:
    """An unknown of a fit: its start, bounds, scale and prior.

    Attributes
    ----------
    start : float, optional
        By default the value of the model, the first sample of a coordinate, or zero.
    low, high : float
    log : bool
        Whether the logarithm is varied, so that the value keeps its sign.
    prior : (mean, standard deviation), optional
    """

    start: float | None = None
    low: float = -np.inf
    high: float = np.inf
    log: bool = False
    prior: tuple[float, float] | None = None


@dataclass(frozen=True)
class Unknown:
    """One entry of theta: `kind` is "p", "state", "bias", "gain" or "delay"."""

    name: str
    kind: str
    place: int
    run: int | None
    free: FreeValue
    start: float


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
        elif isinstance(value, tuple) and len(value) == 2:
            found[name] = FreeValue(low=float(value[0]), high=float(value[1]))
        elif isinstance(value, int | float):
            found[name] = FreeValue(float(value))
        else:
            raise FitError(f"free {name!r}: give a start, (low, high) or FreeValue, not {value!r}")
    return found


def is_parameter(name: str) -> bool:
    """True of names that belong to the model rather than to its runs or sensors."""
    return (
        name != "delay" and not _OF_CHANNEL.fullmatch(name) and name[:2] not in ("q.", "u.", "z.")
    )


class Unknowns:
    """The entries of theta, and the values that they change."""

    def __init__(self, entries: Iterable[Unknown]) -> None:
        self.entries = tuple(entries)
        self.names = tuple(u.name for u in self.entries)
        self.log = np.array([u.free.log for u in self.entries], dtype=bool)
        for u in self.entries:
            _checked(u)

    def __len__(self) -> int:
        return len(self.entries)

    def start(self) -> Array:
        """theta to begin with, moved inside its bounds."""
        return self.inner([u.start for u in self.entries])

    def bounds(self) -> tuple[Array, Array]:
        """Of theta."""
        low = [max(u.free.low, 0.0) if u.free.log else u.free.low for u in self.entries]
        with np.errstate(divide="ignore"):
            return self.inner(low), self.inner([u.free.high for u in self.entries])

    def inner(self, values: Sequence[float] | Array) -> Array:
        """theta of the values."""
        found = np.array(values, dtype=np.float64)
        with np.errstate(divide="ignore"):
            found[self.log] = np.log(found[self.log])
        return found

    def values(self, theta: Array) -> Array:
        """The values themselves."""
        found = np.array(theta, dtype=np.float64)
        found[self.log] = np.exp(found[self.log])
        return found

    def slopes(self, theta: Array) -> Array:
        """d value / d theta."""
        return np.where(self.log, self.values(theta), 1.0)

    def of(self, kind: str, run: int | None, size: int, theta: Array) -> tuple[Array, Array]:
        """(values (size,), NaN of those that are known, derivatives (size, n))."""
        found, slopes = np.full(size, np.nan), np.zeros((size, len(self)))
        values, by = self.values(theta), self.slopes(theta)
        for k, u in enumerate(self.entries):
            if u.kind == kind and u.run in (None, run):
                found[u.place], slopes[u.place, k] = values[k], by[k]
        return found, slopes

    def priors(self, theta: Array) -> tuple[Array, Array]:
        """Residuals of the priors and their derivatives by theta."""
        values, by = self.values(theta), self.slopes(theta)
        known = [(k, u.free.prior) for k, u in enumerate(self.entries) if u.free.prior]
        r, J = np.zeros(len(known)), np.zeros((len(known), len(self)))
        for i, (k, prior) in enumerate(known):
            r[i], J[i, k] = (values[k] - prior[0]) / prior[1], by[k] / prior[1]
        return r, J


def _checked(u: Unknown) -> None:
    low, high = u.free.low, u.free.high
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
        entries.append(Unknown(name, kind, place, run, free, start))

    order = tuple(parameters)
    for name, free in found.items():
        of_channel = _OF_CHANNEL.fullmatch(name)
        if name in parameters:
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
