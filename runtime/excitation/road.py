"""Roads of ISO 8608: spectra of roughness by class, and profiles drawn from them.

    G_d(n) = G_d(n_0) (n/n_0)^-w,   n_0 = 0.1 1/m,   w = 2

is the one-sided power spectral density of the height [m^3] by spatial frequency n [1/m]; the
classes A to H have G_d(n_0) = 16, 64, 256, ... 1e-6 m^3. At a speed V the height has the density
G_d(f/V)/V by frequency f [Hz]; for w = 2 its rate is white noise of (2 pi n_0)^2 G_d(n_0) V.

Reference: ISO 8608:2016, *Mechanical vibration - Road surface profiles*, sec. 5 and annex C.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.chance.counter_random import uniform

__all__ = ["Road", "RoadProfile"]

_REFERENCE = 0.1
_CLASSES = "ABCDEFGH"


@dataclass(frozen=True)
class Road:
    """A road by its roughness G_d(n_0) [m^3] and waviness w.

    >>> Road.of_class("C").roughness
    0.000256
    """

    roughness: float
    waviness: float = 2.0

    def __post_init__(self) -> None:
        for name, value in (("roughness", self.roughness), ("waviness", self.waviness)):
            if not (np.isfinite(value) and value > 0):
                raise ValueError(f"{name} is {value:g}; give a positive number")

    @classmethod
    def of_class(cls, name: str) -> Road:
        """The geometric mean of a class, "A" (very good) to "H". ValueError for another name."""
        if name not in tuple(_CLASSES):
            raise ValueError(f"no class {name!r} of roads; there are {', '.join(_CLASSES)}")
        return cls(16e-6 * 4 ** _CLASSES.index(name))

    def density(self, n: ArrayLike) -> Array:
        """G_d [m^3] by spatial frequency n [1/m]."""
        found: Array = self.roughness * (np.asarray(n, float) / _REFERENCE) ** -self.waviness
        return found

    def density_at(self, f: ArrayLike, speed: float) -> Array:
        """Density of the height [m^2/Hz] by frequency f [Hz] at a speed [m/s]."""
        found: Array = self.density(np.asarray(f, float) / speed) / speed
        return found

    def profile(
        self, length: float, *, shortest: float = 0.2, longest: float = 100.0, seed: int = 0
    ) -> RoadProfile:
        """A profile with the period `length` [m] and waves from `longest` to `shortest` [m].

        The amplitudes are those of the density, sqrt(2 G_d(n) / length), the phases are drawn.
        ValueError unless shortest < longest <= length.
        """
        if not 0 < shortest < longest <= length:
            raise ValueError(
                f"waves from {longest:g} to {shortest:g} m on {length:g} m of road; give "
                "shortest < longest <= length"
            )
        n = np.arange(np.ceil(length / longest), np.floor(length / shortest) + 1) / length
        phases = 2 * np.pi * uniform(seed, 0, np.zeros(1, np.int64), len(n))[0]
        return RoadProfile(n, np.sqrt(2 * self.density(n) / length), phases)


@dataclass(frozen=True)
class RoadProfile:
    """z(x) = sum_k a_k cos(2 pi n_k x + phi_k) [m]; n [1/m], a [m], phi [rad]."""

    n: Array
    amplitude: Array
    phase: Array

    def height(self, x: ArrayLike) -> Array:
        """z at places x [m]."""
        found: Array = np.cos(self._angles(x)) @ self.amplitude
        return found

    def slope(self, x: ArrayLike) -> Array:
        """dz/dx."""
        found: Array = -np.sin(self._angles(x)) @ (2 * np.pi * self.n * self.amplitude)
        return found

    def _angles(self, x: ArrayLike) -> Array:
        found: Array = 2 * np.pi * np.multiply.outer(np.asarray(x, float), self.n) + self.phase
        return found

    def at_speed(
        self, speed: float, behind: float = 0.0
    ) -> tuple[Callable[..., Any], Callable[..., Any]]:
        """Height [m] and its rate [m/s] under a wheel `behind` [m] the front one, as functions of
        (t, q, u) that inputs of a run take."""

        def height(t: float, q: Any = None, u: Any = None) -> Any:
            return self.height(speed * t - behind)

        def rate(t: float, q: Any = None, u: Any = None) -> Any:
            return speed * self.slope(speed * t - behind)

        return height, rate
