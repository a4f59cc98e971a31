"""Channels over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eomc.runtime.plot.axes import new_axes
from eomc.runtime.plot.run import Run

GROUPS = {
    "q": "coordinates [rad or m]",
    "u": "speeds [rad/s or m/s]",
    "tau": "generalized forces [N m or N]",
    "r": "inputs",
    "energy": "energy [J]",
}
"""Groups of channels, and what is written at their axis."""

# Beyond these a legend hides what it explains.
_MOST_LABELS = 12


def time_history(run: Run, ax: Any, channels: str | Sequence[str] | None) -> Any:
    """Draw channels on the axes `ax`, or on those of a new figure; see `Trajectory.plot`."""
    if ax is None and channels is None:
        axes = new_axes(8.0, 6.0, 2)
        for panel, group in zip(axes, ("q", "u"), strict=True):
            _draw(run, panel, *_named(run, group))
        axes[0].set_xlabel("")
        return axes
    names, label = _named(run, "q" if channels is None else channels)
    for name in names:
        run[name]  # an unknown name shows before a figure is made
    if ax is None:
        ax = new_axes(8.0, 3.5)
    _draw(run, ax, names, label)
    return ax


def _named(run: Run, channels: str | Sequence[str]) -> tuple[list[str], str]:
    """Names of the channels, and what to write at their axis."""
    if not isinstance(channels, str):
        return list(channels), ""
    if channels in run.channels or channels not in GROUPS:
        return [channels], channels
    speeds = [f"speed({name})" for name in run.speeds]
    groups = {
        "q": list(run.coordinates),
        "u": speeds,
        "tau": [name.replace("speed(", "tau(", 1) for name in speeds],
        "r": list(run.inputs),
        "energy": ["kinetic_energy", "potential_energy", "energy"],
    }
    return groups[channels], GROUPS[channels]


def _draw(run: Run, ax: Any, names: Sequence[str], label: str) -> None:
    for name in names:
        # A leading underscore would hide the line from the legend.
        ax.plot(run.t, run[name], label=name if name[:1] != "_" else f" {name}")
    ax.set_xlabel("t [s]")
    ax.set_ylabel(label)
    ax.margins(x=0)
    ax.grid(alpha=0.3)
    if 1 < len(names) <= _MOST_LABELS or (len(names) == 1 and label != names[0]):
        ax.legend(fontsize="small")
