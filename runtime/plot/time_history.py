"""Channels over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eomc.runtime.near_names import near_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from eomc.runtime.trajectory import Trajectory

GROUPS = {
    "q": "coordinates [rad or m]",
    "u": "speeds [rad/s or m/s]",
    "tau": "generalized forces [N m or N]",
    "r": "inputs",
    "energy": "energy [J]",
}
"""Groups of channels and what their axis is labelled."""

# Beyond these a legend hides what it explains.
_MOST_LABELS = 12


def time_history(
    trajectory: Trajectory, what: str | Sequence[str] = "q", ax: Axes | None = None
) -> Axes:
    """Draw a group of channels, or channels by name, over time.

    Returns the axes, those given or new ones of a figure of its own; nothing is shown.
    Raises KeyError for an unknown name and ImportError without matplotlib.
    """
    lines = _lines(trajectory, what)
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError("plots need matplotlib: pip install 'eomc[plot]'") from None
        ax = pyplot.subplots(layout="constrained")[1]
    for label, channel in lines.items():
        ax.plot(trajectory.t, channel, label=label)
    ax.set_xlabel("time [s]")
    ax.set_ylabel(GROUPS.get(what, "") if isinstance(what, str) else "")
    ax.margins(x=0)
    ax.grid(alpha=0.3)
    if 0 < len(lines) <= _MOST_LABELS:
        ax.legend(fontsize="small")
    return ax


def _lines(trajectory: Trajectory, what: str | Sequence[str]) -> dict[str, object]:
    if what == "energy":
        parts = {name: trajectory[f"{name}_energy"] for name in ("kinetic", "potential")}
        return {**parts, "sum": trajectory.energy}
    if isinstance(what, str) and what in GROUPS:
        prefix = f"{what}."
        found = [name for name in trajectory.names if name.startswith(prefix)]
        return {name.removeprefix(prefix): trajectory[name] for name in found}
    names = [what] if isinstance(what, str) else list(what)
    for name in names:
        if name not in trajectory.names:
            raise KeyError(
                f"no channel or group {name!r}; {near_names(name, [*GROUPS, *trajectory.names])}"
            )
    return {name: trajectory[name] for name in names}
