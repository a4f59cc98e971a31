"""Distributions that runs draw from, each by its inverse: one record a kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite


class Distribution(ABC):
    """Numbers of some shape, drawn one by one; arguments are numbers or arrays of it."""

    @abstractmethod
    def of(self, x: Array) -> Array:
        """The numbers below which a share x of the draws is."""

    def to_plain(self) -> dict[str, Any]:
        """Kind and arguments, as plain values."""
        values = {name: np.asarray(value).tolist() for name, value in vars(self).items()}
        return {"kind": type(self).__name__, **values}


@dataclass(frozen=True, eq=False)
class Uniform(Distribution):
    """Evenly between `low` and `high`.

    >>> Uniform(2, 4).of(np.array([0.25])).tolist()
    [2.5]
    """

    low: ArrayLike
    high: ArrayLike

    def __post_init__(self) -> None:
        if (finite("Uniform: low", self.low) > finite("Uniform: high", self.high)).any():
            raise ValueError(f"Uniform: low {self.low!r} is above high {self.high!r}")

    def of(self, x: Array) -> Array:
        """low + (high - low) x"""
        low, high = np.asarray(self.low, float), np.asarray(self.high, float)
        found: Array = low + (high - low) * x
        return found


@dataclass(frozen=True, eq=False)
class LogUniform(Distribution):
    """Evenly in the logarithm, between `low` and `high`, both above zero."""

    low: ArrayLike
    high: ArrayLike

    def __post_init__(self) -> None:
        low, high = finite("LogUniform: low", self.low), finite("LogUniform: high", self.high)
        if (low <= 0).any() or (low > high).any():
            raise ValueError(f"LogUniform: give 0 < low <= high, not {self.low!r}, {self.high!r}")

    def of(self, x: Array) -> Array:
        """low (high/low)^x"""
        low, high = np.asarray(self.low, float), np.asarray(self.high, float)
        found: Array = low * (high / low) ** x
        return found


@dataclass(frozen=True, eq=False)
class Normal(Distribution):
    """Of `mean` and standard `deviation`."""

    mean: ArrayLike
    deviation: ArrayLike

    def __post_init__(self) -> None:
        finite("Normal: mean", self.mean)
        if (finite("Normal: deviation", self.deviation) < 0).any():
            raise ValueError(f"Normal: deviation is {self.deviation!r}; give none below 0")

    def of(self, x: Array) -> Array:
        """By the inverse of the normal distribution."""
        from scipy.special import ndtri

        found: Array = np.asarray(self.mean, float) + np.asarray(self.deviation, float) * ndtri(x)
        return found


@dataclass(frozen=True, eq=False)
class Choice(Distribution):
    """One of the `values`, each as likely."""

    values: ArrayLike

    def __post_init__(self) -> None:
        array = finite("Choice: values", self.values)
        if array.ndim != 1 or not array.size:
            raise ValueError("Choice: values: give a sequence of numbers")

    def of(self, x: Array) -> Array:
        """The values in order, each for its share."""
        values = np.asarray(self.values, float)
        found: Array = values[np.minimum((x * values.size).astype(int), values.size - 1)]
        return found


KINDS = {kind.__name__.lower(): kind for kind in (Uniform, LogUniform, Normal, Choice)}
"""By the words that texts have for them."""
