"""Pictures of linear models: Bode diagrams, mode shapes, root loci and stability maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.plot.canvas import new_axes, plain


class PlottedResponse(Protocol):
    """A response as its picture needs it; that of `LinearModel.frequency_response` is one."""

    @property
    def omega(self) -> NDArray[np.float64]: ...

    def between(self, output: str, input: str) -> NDArray[np.complex128]:
        """One entry over frequency."""


def bode(response: PlottedResponse, output: str, input: str, axes: Any = None) -> Any:
    """Magnitude [dB] and phase [deg] over frequency [Hz]; returns the two axes.

    `axes` are two matplotlib axes, or None for a new figure. Raises ValueError for unknown names
    and ImportError without matplotlib.
    """
    row = response.between(output, input)
    if axes is None:
        axes = new_axes(8.0, 6.0, 2)
    upper, lower = axes
    frequency = response.omega / (2 * np.pi)
    # A response that vanishes has no decibels; it is left out of the line.
    size = np.abs(row)
    level = np.where(size > 0, 20 * np.log10(np.where(size > 0, size, 1.0)), np.nan)
    upper.semilogx(frequency, level)
    lower.semilogx(frequency, np.degrees(np.unwrap(np.angle(row))))
    upper.set_ylabel("magnitude [dB]")
    upper.set_title(plain(f"{input} to {output}"), fontsize="medium")
    lower.set_ylabel("phase [deg]")
    lower.set_xlabel("frequency [Hz]")
    for ax in (upper, lower):
        ax.grid(alpha=0.3, which="both")
        ax.margins(x=0)
    return axes


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


#: Share of the largest root below which distances are alike.
_ALIKE = 1e-9


def connected(rows: Sequence[ArrayLike], at: ArrayLike | None = None) -> NDArray[np.complex128]:
    """(n, k): each row reordered so that roots continue those of the row before.

    Neighbours are matched for the least sum of distances, where two rows back exist by distances to
    their straight continuation over the values `at` of the parameter, evenly spaced if not given.
    Of a pair that becomes two real roots, the one of positive frequency becomes the root farther
    right. Roots that come nearer to each other than a step moves them are taken to cross: only
    shorter steps show whether they veer.

    >>> connected([[0.0, 1.0], [1.1, 0.1]]).real.tolist()
    [[0.0, 1.0], [0.1, 1.1]]
    """
    from scipy.optimize import linear_sum_assignment

    steps = np.diff(np.arange(len(rows)) if at is None else np.asarray(at, dtype=float))
    found: list[NDArray[np.complex128]] = []
    for k, row in enumerate(rows):
        values = np.asarray(row, dtype=complex)
        if found:
            guess = found[-1]
            if k > 1 and steps[k - 2]:
                guess = guess + steps[k - 1] / steps[k - 2] * (guess - found[-2])
            apart = np.abs(guess[:, None] - values[None])
            swapped = np.abs(_rank(found[-1])[:, None] - _rank(values)[None])
            alike = _ALIKE * np.abs(values).max(initial=0.0)
            _, order = linear_sum_assignment(apart + alike * swapped)
            values = values[order]
        found.append(values)
    return np.array(found)


def _rank(roots: NDArray[np.complex128]) -> NDArray[np.intp]:
    """Places by frequency, then by real part, falling."""
    return np.argsort(np.lexsort((-roots.real, -roots.imag)))


def plot_root_locus(
    parameter: str,
    values: ArrayLike,
    eigenvalues: Sequence[ArrayLike],
    ax: Any = None,
    title: str = "",
) -> Any:
    """Lines of the eigenvalues over the values of a parameter; returns the axes.

    Crosses stand at the first value, circles at the last; roots right of the dashed line grow.
    Raises ImportError without matplotlib.
    """
    if ax is None:
        ax = new_axes(7.0, 6.0)
    span = np.asarray(values, dtype=float)
    roots = connected(eigenvalues, span)
    for column in roots.T:
        ax.plot(column.real, column.imag, lw=1.2)
    ax.plot(roots[0].real, roots[0].imag, "kx", ms=6, label=f"{parameter} = {span[0]:.4g}")
    ax.plot(
        roots[-1].real,
        roots[-1].imag,
        "ko",
        ms=5,
        mfc="none",
        label=f"{parameter} = {span[-1]:.4g}",
    )
    ax.axvline(0.0, color="0.5", ls="--", lw=0.8)
    ax.set_xlabel("Re [1/s]")
    ax.set_ylabel("Im [rad/s]")
    ax.grid(alpha=0.3)
    ax.set_title(title or f"eigenvalues along {parameter}", fontsize="medium")
    ax.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
    return ax


def plot_stability(
    across: tuple[str, ArrayLike],
    up: tuple[str, ArrayLike],
    growing: ArrayLike,
    ax: Any = None,
    title: str = "",
) -> Any:
    """A map of how many roots grow; returns the axes. White is stable.

    Parameters
    ----------
    across, up : name and values of a parameter, (n,) and (m,)
    growing : (m, n), as `eomc.derive.equations.routh.growing_roots` tells

    Raises ValueError for another shape and ImportError without matplotlib.
    """
    (x_name, x), (y_name, y) = ((name, np.asarray(row, float)) for name, row in (across, up))
    counts = np.asarray(growing, dtype=np.float64)
    if counts.shape != (y.size, x.size):
        raise ValueError(f"growing has shape {counts.shape}, expected ({y.size}, {x.size})")
    if ax is None:
        ax = new_axes(7.0, 5.0)
    most = max(1, int(np.nanmax(counts, initial=0.0)))
    shown = ax.pcolormesh(
        x, y, counts, shading="nearest", cmap=_white_to_red(most), vmin=-0.5, vmax=most + 0.5
    )
    bar = ax.figure.colorbar(shown, ax=ax, ticks=np.arange(most + 1))
    bar.set_label("growing roots")
    ax.set_xlabel(x_name)
    ax.set_ylabel(y_name)
    ax.set_title(title or "stability", fontsize="medium")
    return ax


def _white_to_red(most: int) -> Any:
    """White for none, and a shade for each further root; gray where the table tells nothing."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    shades = colormaps["OrRd"](np.linspace(0.35, 0.85, most))
    return ListedColormap(np.vstack([np.ones((1, 4)), shades])).with_extremes(bad="0.7")
