"""Channels of a run over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.picture.description import PicturedModel
from eomc.runtime.plot.canvas import new_axes, plain


class PlottedRun(Protocol):
    """Named channels over the times t (n,) [s]."""

    @property
    def name(self) -> str: ...
    @property
    def t(self) -> Array: ...
    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def speeds(self) -> tuple[str, ...]: ...
    @property
    def inputs(self) -> tuple[str, ...]: ...
    @property
    def prescribed(self) -> tuple[str, ...]: ...
    @property
    def units(self) -> Mapping[str, str]: ...
    @property
    def channels(self) -> Mapping[str, Array]: ...
    @property
    def model(self) -> PicturedModel | None: ...

    @property
    def count(self) -> int: ...
    def __getitem__(self, name: str, /) -> Array: ...

    def evaluate(self, function: str) -> Any:
        """A function of the model along the run."""

    def resampled(self, t: ArrayLike) -> PlottedRun:
        """The run at other times."""


GROUPS = {
    "q": "coordinates",
    "u": "speeds",
    "tau": "generalized forces",
    "r": "inputs",
    "s": "prescribed motion",
    "energy": "energy",
}


"""Groups of channels, and what is written at their axis."""


# Beyond these a legend is longer than the picture.
_MOST_LABELS = 24


_BESIDE: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0}


def time_history(run: PlottedRun, ax: Any, channels: str | Sequence[str] | None) -> Any:
    """Draw channels on the axes `ax`, or on those of a new figure; see `Trajectory.plot`."""
    if ax is None and channels is None:
        return overview(run)
    names, label = _named(run, "q" if channels is None else channels)
    for name in names:
        run[name]  # an unknown name shows before a figure is made
    if ax is None:
        ax = new_axes(8.0, 3.5)
    _draw(run, ax, names, label)
    return ax


def overview(run: PlottedRun, figure: Any = None) -> Any:
    """Coordinates and speeds, axes for each unit one below the other; returns the axes."""
    rows = {**by_unit(run, "q"), **by_unit(run, "u")}
    width, height, count = 8.0, 3.0 * len(rows), len(rows)
    if figure is None:
        axes = new_axes(width, height, count)
    else:
        figure.set_size_inches(width, height)
        axes = figure.subplots(count, sharex=True)
    for panel, (label, names) in zip(axes, rows.items(), strict=True):
        _draw(run, panel, names, label)
        panel.set_xlabel("")
    axes[-1].set_xlabel("t [s]")
    return axes


def by_unit(run: PlottedRun, group: str) -> dict[str, list[str]]:
    """Channels of a group, and prescribed ones among them, by what to write at their axis."""
    rates = [f"speed({name})" for name in run.prescribed]
    more = {"q": list(run.prescribed), "u": rates}.get(group, [])
    found: dict[str, list[str]] = {}
    for name in [*_members(run)[group], *more]:
        found.setdefault(_label(run, GROUPS[group], [name]), []).append(name)
    return found


def panels(run: PlottedRun) -> dict[str, dict[str, list[str]]]:
    """Channels by picture and by axis: of motion, of forces that act, and of energies."""
    found = {
        "Coordinates": by_unit(run, "q"),
        "Speeds": by_unit(run, "u"),
        "Forces and inputs": {**by_unit(run, "tau"), **by_unit(run, "r")},
    }
    if run.model is not None:
        found["Energy"] = by_unit(run, "energy")
    acting = found["Forces and inputs"]
    found["Forces and inputs"] = {
        label: names for label, names in acting.items() if any(run[name].any() for name in names)
    }
    return {title: axes for title, axes in found.items() if axes}


def _members(run: PlottedRun) -> dict[str, list[str]]:
    speeds = [f"speed({name})" for name in run.speeds]
    return {
        "q": list(run.coordinates),
        "u": speeds,
        "tau": [name.replace("speed(", "tau(", 1) for name in speeds],
        "r": list(run.inputs),
        "s": list(run.prescribed),
        "energy": ["kinetic_energy", "potential_energy", "energy"],
    }


def _named(run: PlottedRun, channels: str | Sequence[str]) -> tuple[list[str], str]:
    """Names of the channels, and what to write at their axis."""
    if not isinstance(channels, str):
        return list(channels), _label(run, "", channels)
    if channels in run.channels or channels not in GROUPS:
        return [channels], _label(run, channels, [channels])
    names = _members(run)[channels]
    return names, _label(run, GROUPS[channels], names)


def _label(run: PlottedRun, text: str, names: Sequence[str]) -> str:
    """With the units of all of them."""
    units: Mapping[str, str] = run.units
    found = dict.fromkeys(units.get(name, "") for name in names)
    told = " or ".join(unit for unit in found if unit not in ("", "1"))
    return f"{text} [{told}]".strip() if told else text


def _draw(run: PlottedRun, ax: Any, names: Sequence[str], label: str) -> None:
    for name in names:
        ax.plot(run.t, run[name], label=plain(name))
    ax.set_xlabel("t [s]")
    ax.set_ylabel(plain(label))
    ax.margins(x=0)
    ax.grid(alpha=0.3)
    alone = len(names) == 1 and label.partition(" [")[0] == names[0]
    if not alone and len(names) <= _MOST_LABELS:
        columns = 1 + (len(names) - 1) // 12
        ax.legend(fontsize="small", ncols=columns, **_BESIDE)
