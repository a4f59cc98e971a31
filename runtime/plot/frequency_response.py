"""Bode diagrams."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.plot.axes import new_axes, plain


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
