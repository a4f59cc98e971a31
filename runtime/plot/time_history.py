"""Channels over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.runtime.trajectory import Trajectory

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


def time_history(trajectory: Trajectory, ax: Any, channels: str | Sequence[str] | None) -> Any:
    """Draw channels on the axes `ax`, or on those of a new figure; see `Trajectory.plot`."""
    if ax is None and channels is None:
        axes = _new_axes(2)
        for panel, group in zip(axes, ("q", "u"), strict=True):
            _draw(trajectory, panel, *_named(trajectory, group))
        axes[0].set_xlabel("")
        return axes
    names, label = _named(trajectory, "q" if channels is None else channels)
    for name in names:
        trajectory[name]  # an unknown name shows before a figure is made
    if ax is None:
        ax = _new_axes(1)
    _draw(trajectory, ax, names, label)
    return ax


def _named(trajectory: Trajectory, channels: str | Sequence[str]) -> tuple[list[str], str]:
    """Names of the channels, and what to write at their axis."""
    if not isinstance(channels, str):
        return list(channels), ""
    if channels in trajectory.channels or channels not in GROUPS:
        return [channels], channels
    speeds = [f"speed({name})" for name in trajectory.speeds]
    groups = {
        "q": list(trajectory.coordinates),
        "u": speeds,
        "tau": [name.replace("speed(", "tau(", 1) for name in speeds],
        "r": list(trajectory.inputs),
        "energy": ["kinetic_energy", "potential_energy", "energy"],
    }
    return groups[channels], GROUPS[channels]


def _new_axes(rows: int) -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'eomc[plot]'") from None
    size = (8.0, 1.0 + 2.5 * rows)
    return pyplot.subplots(rows, sharex=True, figsize=size, layout="constrained")[1]


def _draw(trajectory: Trajectory, ax: Any, names: Sequence[str], label: str) -> None:
    for name in names:
        # A leading underscore would hide the line from the legend.
        ax.plot(trajectory.t, trajectory[name], label=name if name[:1] != "_" else f" {name}")
    ax.set_xlabel("t [s]")
    ax.set_ylabel(label)
    ax.margins(x=0)
    ax.grid(alpha=0.3)
    if 1 < len(names) <= _MOST_LABELS or (len(names) == 1 and label != names[0]):
        ax.legend(fontsize="small")
