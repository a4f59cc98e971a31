"""Mode shapes as bars of magnitude with marks of phase."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.runtime.plot.axes import new_axes, plain


class PlottedModes(Protocol):
    """Modes as their picture needs them; `eomc.runtime.linearization.Modes` are such."""

    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def eigenvalues(self) -> NDArray[np.complex128]: ...
    @property
    def magnitude(self) -> Array: ...
    @property
    def phase(self) -> Array: ...
    @property
    def natural_frequency(self) -> Array: ...
    @property
    def damping_ratio(self) -> Array: ...

    def __len__(self) -> int: ...


def plot_mode_shape(modes: PlottedModes, mode: int, ax: Any = None) -> Any:
    """Bars: magnitude by coordinate (left axis); squares: phase [deg] (right axis).

    `mode` counts from 0. Returns both axes. Nothing is shown. Raises IndexError for a mode that is
    not there and ImportError without matplotlib.
    """
    if not -len(modes) <= mode < len(modes):
        raise IndexError(f"mode {mode}: there are {len(modes)}")
    if ax is None:
        ax = new_axes(8.0, 4.0)
    places = np.arange(len(modes.coordinates))
    bars = ax.bar(places, modes.magnitude[:, mode], color="tab:blue", width=0.6)
    names = [plain(name) for name in modes.coordinates]
    ax.set_xticks(places, names, rotation=60, ha="right", fontsize="small")
    ax.set_ylabel("magnitude")
    ax.set_title(_title(modes, mode), fontsize="medium", loc="left")
    other = ax.twinx()
    seen = modes.magnitude[:, mode] > 1e-3
    phase = np.degrees(modes.phase[:, mode])
    (marks,) = other.plot(places[seen], phase[seen], "s", color="tab:red", ms=4)
    other.set_ylim(-190, 190)
    other.set_yticks([-180, -90, 0, 90, 180])
    other.set_ylabel("phase [deg]")
    other.legend(
        [bars, marks],
        ["magnitude", "phase"],
        fontsize="small",
        ncols=2,
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        frameon=False,
        borderaxespad=0.1,
    )
    return ax, other


def _title(modes: PlottedModes, mode: int) -> str:
    value = modes.eigenvalues[mode]
    return (
        f"mode {mode % len(modes) + 1}: {value.real:.3f} {value.imag:+.3f}i, "
        f"{modes.natural_frequency[mode]:.3f} Hz, damping {modes.damping_ratio[mode]:.3f}"
    )
