"""Bode diagrams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from eomc.runtime.linearization.frequency_response import FrequencyResponse


def bode(response: FrequencyResponse, output: str, input: str, axes: Any = None) -> Any:
    """Magnitude [dB] and phase [deg] over frequency [Hz]; returns the two axes.

    `axes` are two matplotlib axes, or None for a new figure. Raises ValueError for unknown names
    and ImportError without matplotlib.
    """
    row = response.between(output, input)
    if axes is None:
        axes = _new_axes()
    upper, lower = axes
    frequency = response.omega / (2 * np.pi)
    # A response that vanishes has no decibels; it is left out of the line.
    size = np.abs(row)
    level = np.where(size > 0, 20 * np.log10(np.where(size > 0, size, 1.0)), np.nan)
    upper.semilogx(frequency, level)
    lower.semilogx(frequency, np.degrees(np.unwrap(np.angle(row))))
    upper.set_ylabel("magnitude [dB]")
    upper.set_title(f"{input} to {output}", fontsize="medium")
    lower.set_ylabel("phase [deg]")
    lower.set_xlabel("frequency [Hz]")
    for ax in (upper, lower):
        ax.grid(alpha=0.3, which="both")
        ax.margins(x=0)
    return axes


def _new_axes() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'eomc[plot]'") from None
    return pyplot.subplots(2, sharex=True, figsize=(8.0, 6.0), layout="constrained")[1]
