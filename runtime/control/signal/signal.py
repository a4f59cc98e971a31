"""A signal that is changed on its way, sample by sample."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.difference import DifferenceEquation
from eomc.runtime.difference.equation import Chance, Step
from eomc.runtime.model.state import named_values, vector

PerChannel = float | Mapping[str, float] | ArrayLike
"""A number for all channels, numbers for some of them by name, or a row."""


class Signal(Protocol):
    """An imperfection of a sampled signal of several channels."""

    def begin(self, names: Sequence[str], period: float, rng: Chance) -> Callable[[Array], Array]:
        """For one run, the function that is called with each sample, (n,) to (n,).

        Parameters
        ----------
        names : the n channels
        period : time between samples [s]
        rng : where chance is drawn from

        What it remembers belongs to the run, so that every run begins alike.
        """
        ...


class Equated(ABC):
    """A signal that is a difference equation: it runs, and is emitted as C.

    Attributes
    ----------
    disturbs : bool
        True of a disturbance that simulations add, such as noise; what is emitted for a processor
        leaves it out.
    """

    disturbs: ClassVar[bool] = False

    @abstractmethod
    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """Of the signal "x" of these channels, sampled with that period [s]."""

    def begin(self, names: Sequence[str], period: float, rng: Chance) -> Callable[[Array], Array]:
        """As of `Signal`."""
        return self.equation(names, period).begin(rng)


def equation(
    names: Sequence[str], step: Step, start: ArrayLike = (), draws: int = 0
) -> DifferenceEquation:
    """That of a signal of these channels."""
    first, rows = np.asarray(start, dtype=np.float64), tuple(names)
    return DifferenceEquation(first, {"x": rows}, "y", rows, step, draws)


def channels(what: str, given: PerChannel, names: Sequence[str], others: float) -> Array:
    """(n,): one number each; channels that a mapping leaves out have `others`.

    Raises ValueError that names what is negative, not finite, unknown or of another shape.

    >>> channels("limit", {"elbow": 2.0}, ("shoulder", "elbow"), np.inf).tolist()
    [inf, 2.0]
    """
    if isinstance(given, Mapping):
        values = named_values(what, names, given, np.full(len(names), others))
    elif np.ndim(given) == 0:
        values = np.full(len(names), vector(what, given, 1)[0])
    else:
        values = vector(what, given, len(names))
    for name, value in zip(names, values.tolist(), strict=True):
        if value < 0:
            raise ValueError(f"{what} of {name!r} is {value:g}; give 0 or a positive number")
    return values
