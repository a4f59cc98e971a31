"""Random response of a linear model: spectra of its outputs, and their weight on human comfort.

An excitation with the one-sided density S(f) that reaches input j with the delay T_j gives

    S_y(f) = |sum_j H_j(i w) (i w)^d_j e^(-i w T_j)|^2 S(f),   w = 2 pi f

with d_j = 1 of inputs that take the rate of the excitation. Reference: Newland, *An Introduction to
Random Vibrations, Spectral and Wavelet Analysis* (1993), ch. 7; ISO 2631-1:1997, annex A.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.linearization.frequency_response import frequency_response

if TYPE_CHECKING:
    from eomc.runtime.linearization.linear_model import LinearModel

__all__ = ["ResponseSpectrum", "comfort_weighting", "random_response"]

# f_3, f_4, Q_4 of the transition, f_5, Q_5, f_6, Q_6 of the upward step (ISO 2631-1, table A.1).
_COMFORT: dict[str, tuple[float, ...]] = {
    "W_k": (12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91),
    "W_d": (2.0, 2.0, 0.63),
}
_BAND, _BAND_Q = (0.4, 100.0), 1 / np.sqrt(2)


@dataclass(frozen=True)
class ResponseSpectrum:
    """A one-sided density [unit^2/Hz] of an output by frequency [Hz]."""

    output: str
    frequency: Array
    density: Array

    @property
    def rms(self) -> float:
        """Root mean square in the range of frequencies, by the trapezoidal rule."""
        return float(
            np.sqrt(np.sum(np.diff(self.frequency) * (self.density[1:] + self.density[:-1])) / 2)
        )

    def weighted(self, weighting: str = "W_k") -> ResponseSpectrum:
        """The density under a weighting of ISO 2631-1: "W_k" of vertical, "W_d" of horizontal
        accelerations of seated persons."""
        gain = np.abs(comfort_weighting(self.frequency, weighting))
        return ResponseSpectrum(self.output, self.frequency, self.density * gain**2)


def random_response(
    model: LinearModel,
    output: str,
    density: Callable[[Array], Array],
    delays: Mapping[str, float],
    frequency: ArrayLike,
    rates: tuple[str, ...] = (),
) -> ResponseSpectrum:
    """The spectrum of an output of a stable model.

    Parameters
    ----------
    model : LinearModel
    output : str
    density : function of frequencies [Hz]
        One-sided density of the excitation.
    delays : mapping of names of inputs to delays [s]
    frequency : (n,) [Hz]
    rates : names of those inputs that take the rate of the excitation

    Raises ValueError for unknown names.
    """
    f = np.asarray(frequency, dtype=float)
    omega = 2 * np.pi * f
    found = frequency_response(model.select(outputs=[output]), omega)
    total: Any = 0.0
    for name, delay in delays.items():
        factor = (1j * omega) ** (name in rates)
        total = total + found.between(output, name) * factor * np.exp(-1j * omega * delay)
    return ResponseSpectrum(output, f, np.abs(total) ** 2 * density(f))


def comfort_weighting(frequency: ArrayLike, weighting: str = "W_k") -> NDArray[np.complex128]:
    """H(i w) of a frequency weighting of ISO 2631-1. ValueError for an unknown one.

    >>> bool(abs(abs(comfort_weighting(8.0)) - 1.036) < 2e-3)
    True
    """
    if weighting not in _COMFORT:
        raise ValueError(f"no weighting {weighting!r}; there are {', '.join(_COMFORT)}")
    s = 2j * np.pi * np.asarray(frequency, dtype=float)

    def second(f: float, q: float) -> Any:
        w = 2 * np.pi * f
        return s**2 + s * w / q + w**2

    low, high = _BAND
    h = s**2 / second(low, _BAND_Q) * (2 * np.pi * high) ** 2 / second(high, _BAND_Q)
    f3, f4, q4, *step = _COMFORT[weighting]
    h = h * (1 + s / (2 * np.pi * f3)) * (2 * np.pi * f4) ** 2 / second(f4, q4)
    if step:
        f5, q5, f6, q6 = step
        # (w_5/w_6)^2 of the standard, with second(f) = w^2 at s = 0.
        h = h * second(f5, q5) / second(f6, q6)
    return np.asarray(h, dtype=np.complex128)
