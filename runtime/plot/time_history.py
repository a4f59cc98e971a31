"""Channels over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.runtime.trajectory import Trajectory

# Beyond these a legend hides what it explains.
_MOST_LABELS = 12


def time_history(trajectory: Trajectory, ax: Any, channels: str | Sequence[str] | None) -> Any:
    """Draw channels on the axes `ax`, or on those of a new figure; see `Trajectory.plot`."""
    if ax is None and channels is None:
        axes = _new_axes(2)
        speeds = [f"speed({name})" for name in trajectory.speeds]
        _draw(trajectory, axes[0], trajectory.coordinates, "q [rad or m]")
        _draw(trajectory, axes[1], speeds, "u [rad/s or m/s]")
        axes[0].set_xlabel("")
        return axes
    if channels is None:
        channels = trajectory.coordinates
    names = [channels] if isinstance(channels, str) else list(channels)
    lines = [trajectory[name] for name in names]  # unknown names show before a figure is made
    if ax is None:
        ax = _new_axes(1)
    _draw(trajectory, ax, names, names[0] if len(lines) == 1 else "")
    return ax


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
