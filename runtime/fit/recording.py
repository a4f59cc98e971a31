"""Recorded runs: times, inputs and measured channels, checked."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.runtime.fit.attitude import rotations
from eomc.runtime.fit.errors import FitError
from eomc.runtime.fit.files import record_of
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import near_names
from eomc.runtime.record.trajectory import Trajectory

Places = NDArray[np.intp]
"""Numbers of samples."""

Interpolation = Literal["zero_order_hold", "linear", "cubic"]
_DEGREES = {"zero_order_hold": 0, "linear": 1, "cubic": 3}
_RATE_STEP = 1e-6


@dataclass(frozen=True, eq=False)
class Run:
    """A recorded run with what is known of it.

    Attributes
    ----------
    data : Trajectory, mapping of names to (n,) arrays, or path of a file
        Times ``t`` [s], inputs, generalized forces ``tau(name)`` and measured channels. An input
        may be a function of time; ``attitude(frame)`` are quaternions (n, 4), the real part first.
    q, u : mappings, optional
        Initial state, known. Of a run without q and u it is free, unless the model has loops.
    name : str
    """

    data: Any
    q: Mapping[str, float] | None = None
    u: Mapping[str, float] | None = None
    name: str = ""


@dataclass(frozen=True, eq=False)
class Recording:
    """A run as the fit reads it: inputs by array as functions or rows, outputs (n, channels)."""

    name: str
    t: Array
    inputs: Mapping[str, Mapping[int, Callable[[Array, bool, Places | None], Array]]]
    outputs: Array
    q: Mapping[str, float] | None
    u: Mapping[str, float] | None
    columns: Mapping[str, Array] = field(default_factory=dict)
    attitudes: Mapping[str, Array] = field(default_factory=dict)

    def input(self, array: str, size: int, t: Array, rate: bool, sample: Places | None) -> Array:
        """(len(t), size) of an array of inputs, zero where nothing is recorded."""
        found = np.zeros((len(t), size))
        for place, value in self.inputs.get(array, {}).items():
            found[:, place] = value(t, rate, sample)
        return found

    def cut(self, first: int, last: int, name: str) -> Recording:
        """Samples first ... last."""
        part = slice(first, last + 1)
        # The number of the sample before a time counts from the first of the whole run.
        moved = {
            array: {k: _shifted(f, first) for k, f in entries.items()}
            for array, entries in self.inputs.items()
        }
        turned = {name: R[part] for name, R in self.attitudes.items()}
        given = name, self.t[part], moved, self.outputs[part]
        return Recording(*given, None, None, attitudes=turned)


def _shifted(
    value: Callable[[Array, bool, Places | None], Array], first: int
) -> Callable[[Array, bool, Places | None], Array]:
    return lambda t, rate, sample: value(t, rate, None if sample is None else sample + first)


def recordings(
    model: CompiledModel,
    runs: Any,
    outputs: Sequence[str],
    known: Callable[[str], bool],
    interpolation: Interpolation,
) -> tuple[list[Recording], tuple[str, ...]]:
    """Checked runs, and the names of the channels that are compared."""
    if interpolation not in _DEGREES:
        raise FitError(f"interpolation: {interpolation!r}; give one of {', '.join(_DEGREES)}")
    several = runs if isinstance(runs, list | tuple) else [runs]
    if not several:
        raise FitError("runs: give at least one")
    given = [r if isinstance(r, Run) else Run(r) for r in several]
    tables = [_columns(run, f"run {k + 1}", model) for k, run in enumerate(given)]
    named = (x for n in outputs for x in (_axes(n) if n.startswith("attitude(") else (n,)))
    channels = tuple(named) or _measured(model, tables, known)
    for name in channels:
        if not known(name):
            raise FitError(f"outputs: model {model.name!r} has no channel {name!r}")
    read = [
        _recording(model, run, table, channels, interpolation, known)
        for run, table in zip(given, tables, strict=True)
    ]
    return read, channels


def _columns(run: Run, name: str, model: CompiledModel) -> tuple[str, dict[str, Any]]:
    data, name = run.data, run.name or name
    if isinstance(data, Trajectory):
        return name, {"t": data.t, **data.channels}
    if isinstance(data, str | os.PathLike):
        return run.name or os.path.basename(os.fspath(data)), record_of(data)
    if not isinstance(data, Mapping):
        raise FitError(
            f"{name}: give a Trajectory, a mapping or the path of a record, not {data!r}"
        )
    return name, dict(data)


def _measured(
    model: CompiledModel, tables: list[tuple[str, dict[str, Any]]], known: Callable[[str], bool]
) -> tuple[str, ...]:
    """Channels of the first run that are outputs of the model."""
    names = [n for n in tables[0][1] if n != "t" and not _place(model, n)]
    expanded = (x for n in names for x in (_axes(n) if n.startswith("attitude(") else (n,)))
    return tuple(n for n in expanded if known(n))


def _axes(name: str) -> tuple[str, ...]:
    """Channels of a measured attitude."""
    return tuple(f"{name}.{axis}" for axis in "xyz")


def _place(model: CompiledModel, name: str) -> tuple[str, int] | None:
    """The array and entry of an input."""
    if name in model.inputs:
        return "r", model.inputs.index(name)
    inner = name[4:-1] if name.startswith("tau(") and name.endswith(")") else ""
    return ("tau", model.speeds.index(inner)) if inner in model.speeds else None


def _recording(
    model: CompiledModel,
    run: Run,
    table: tuple[str, dict[str, Any]],
    channels: tuple[str, ...],
    interpolation: Interpolation,
    known: Callable[[str], bool],
) -> Recording:
    name, columns = table
    if "t" not in columns:
        raise FitError(f"{name}: no channel 't' of times; there are {', '.join(columns)}")
    t = np.array(columns.pop("t"), dtype=np.float64)
    if t.ndim != 1 or len(t) < 3:
        raise FitError(f"{name}: {t.size} samples; give at least 3")
    for k in np.flatnonzero(~(np.diff(t) > 0))[:1]:
        raise FitError(f"{name}: times do not rise after t = {t[k]:.6g} s")
    inputs: dict[str, dict[int, Any]] = {}
    measured: dict[str, Array] = {}
    attitudes: dict[str, Array] = {}
    for channel, value in columns.items():
        place = _place(model, channel)
        if callable(value):
            if not place:
                raise FitError(f"{name}: {channel!r} is a function, but no input of the model")
            inputs.setdefault(place[0], {})[place[1]] = _of_function(value)
            continue
        if channel.startswith("attitude(") and _axes(channel)[0] in channels:
            attitudes[channel] = rotations(name, channel, value, t)
            measured |= dict.fromkeys(_axes(channel), np.zeros(len(t)))
            continue
        wanted = channel in channels or place is not None
        if not wanted:
            if isinstance(run.data, Trajectory) or known(channel):
                continue
            have = (*model.coordinates, *model.inputs, *(f"tau({n})" for n in model.speeds))
            raise FitError(f"{name}: unknown channel {channel!r}; {near_names(channel, have)}")
        array = _channel(name, channel, value, t)
        if place:
            inputs.setdefault(place[0], {})[place[1]] = _of_samples(t, array, interpolation)
        if channel in channels:
            measured[channel] = array
    for channel in channels:
        if channel not in measured:
            raise FitError(f"{name}: no channel {channel!r}; there are {', '.join(columns)}")
    for k, channel in enumerate(model.inputs):
        if k not in inputs.get("r", {}):
            raise FitError(f"{name}: the input {channel!r} of the model is not recorded")
    if not channels:
        raise FitError(f"{name}: no measured channel, such as {model.coordinates[0]!r}")
    outputs = np.column_stack([measured[c] for c in channels])
    return Recording(name, t, inputs, outputs, run.q, run.u, measured, attitudes)


def _channel(run: str, channel: str, value: Any, t: Array) -> Array:
    array = np.array(value, dtype=np.float64)
    if array.shape != t.shape:
        raise FitError(f"{run}, {channel!r}: shape {array.shape}, but {len(t)} times")
    for k in np.flatnonzero(~np.isfinite(array))[:1]:
        raise FitError(
            f"{run}, {channel!r}: no number at t = {t[k]:.6g} s; cut the run there into two"
        )
    return array


def _of_function(f: Callable[[Any], Any]) -> Any:
    def value(t: Array, rate: bool, sample: Places | None) -> Array:
        at = np.vectorize(f, otypes=[float])
        if not rate:
            return np.asarray(at(t), dtype=np.float64)
        return np.asarray((at(t + _RATE_STEP) - at(t - _RATE_STEP)) / (2 * _RATE_STEP))

    return value


def _of_samples(t: Array, rows: Array, interpolation: Interpolation) -> Any:
    degree = _DEGREES[interpolation]

    def zero_order_hold(at: Array, rate: bool, sample: Places | None) -> Array:
        if rate:
            return np.zeros(len(at))
        place = np.searchsorted(t, at, side="right") - 1 if sample is None else sample
        found: Array = rows[np.clip(place, 0, len(t) - 1)]
        return found

    if degree == 0:
        return zero_order_hold
    from scipy.interpolate import make_interp_spline

    spline = make_interp_spline(t, rows, k=min(degree, len(t) - 1))

    def value(at: Array, rate: bool, sample: Places | None) -> Array:
        inside = np.clip(at, t[0], t[-1])
        found = np.asarray(spline(inside, int(rate)), dtype=np.float64)
        return np.where(inside == at, found, 0.0) if rate else found

    return value
