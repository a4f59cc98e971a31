"""Runs of a study: the values that they vary, by the number of the run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.chance.counter_random import uniform
from eomc.runtime.model.arguments import whole
from eomc.runtime.names.near_names import near_names
from eomc.runtime.study.distributions import Distribution

Sizes = Mapping[str, int]
"""Number of entries under each name, 0 for one that is a number itself."""

_SHOWN = "q, u, tau, q.NAME, u.NAME, tau.NAME, p.NAME"


class Runs(ABC):
    """Runs 0 ... size - 1 and what they vary: `names`, each an array or an entry of one.

    Names are those of arrays (``"q"``, ``"u"``, ``"tau"``), of entries (``"q.elbow"``), and of
    tunable parameters (``"p.mass"``).
    """

    size: int
    names: tuple[str, ...]

    @abstractmethod
    def values(self, run: NDArray[np.int64], sizes: Sizes) -> dict[str, Array]:
        """Values that runs (n,) vary, by name: (n,) of a number, (n, k) of an array of k."""

    @abstractmethod
    def to_plain(self) -> dict[str, Any]:
        """All that tells these runs from others, as plain values."""

    def __len__(self) -> int:
        return self.size

    def require_known(self, known: Sizes) -> None:
        """Raise ValueError for a name that the model has not."""
        for name in self.names:
            if name not in known:
                raise ValueError(
                    f"runs vary {name!r}, which is none of {_SHOWN}; {near_names(name, known)}"
                )


class Grid(Runs):
    """All combinations of values, the last name fastest.

    >>> runs = Grid({"p.l": [1, 2], "q.hinge": [0, 0.5, 1]})
    >>> len(runs), runs.values(np.array([4]), {})["q.hinge"].tolist()
    (6, [0.5])
    """

    def __init__(self, axes: Mapping[str, ArrayLike]) -> None:
        self.axes = {name: _column(name, value, 1) for name, value in _mapping(axes).items()}
        self.names = tuple(self.axes)
        self.shape = tuple(len(axis) for axis in self.axes.values())
        self.size = int(np.prod(self.shape))

    def values(self, run: NDArray[np.int64], sizes: Sizes) -> dict[str, Array]:
        """One entry of each axis."""
        for name in self.names:
            if sizes.get(name, 0):
                raise ValueError(f"Grid: {name!r} is an array; name its entries: {name}.NAME")
        places = np.unravel_index(run, self.shape)
        pairs = zip(self.axes.items(), places, strict=True)
        return {name: axis[place] for (name, axis), place in pairs}

    def to_plain(self) -> dict[str, Any]:
        """Names and axes."""
        axes = {name: axis.tolist() for name, axis in self.axes.items()}
        return {"kind": "Grid", "axes": axes}


class Random(Runs):
    """`size` runs that draw from distributions; what a run draws depends on `seed` and its number.

    >>> from eomc.runtime.study.distributions import Uniform
    >>> runs = Random(10, {"p.m": Uniform(1, 2)}, seed=3)
    >>> some, one = (runs.values(np.array(r), {})["p.m"] for r in ([3, 4], [4]))
    >>> bool(some[1] == one[0])
    True
    """

    def __init__(
        self, size: int, distributions: Mapping[str, Distribution], *, seed: int = 0
    ) -> None:
        self.size = whole("size", size, 1)
        self.seed = whole("seed", seed, 0)
        self.distributions = dict(_mapping(distributions))
        for name, given in self.distributions.items():
            if not isinstance(given, Distribution):
                raise ValueError(f"{name!r}: give Uniform(...), Normal(...), ..., not {given!r}")
        self.names = tuple(self.distributions)

    def values(self, run: NDArray[np.int64], sizes: Sizes) -> dict[str, Array]:
        """Drawn by counters."""
        found = {}
        for stream, (name, given) in enumerate(self.distributions.items()):
            size = sizes.get(name, 0)
            drawn = uniform(self.seed, stream, run, size or 1)
            try:
                told = given.of(drawn)
            except ValueError:
                told = np.zeros(0)
            if told.shape != drawn.shape:
                shape = f"({size},)" if size else "()"
                raise ValueError(f"{name!r}: the distribution is not of shape {shape}")
            found[name] = told if size else told[:, 0]
        return found

    def generator(self, run: int) -> np.random.Generator:
        """A generator of a run's own, for what draws more than distributions say."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(run,)))

    def to_plain(self) -> dict[str, Any]:
        """Size, seed, distributions."""
        told = {name: given.to_plain() for name, given in self.distributions.items()}
        return {"kind": "Random", "size": self.size, "seed": self.seed, "distributions": told}


class Listed(Runs):
    """One run for each row: of numbers (runs,), or of arrays (runs, k).

    >>> len(Listed({"p.m": [1, 2, 3]}))
    3
    """

    def __init__(self, columns: Mapping[str, ArrayLike]) -> None:
        self.columns = {name: _column(name, value, 2) for name, value in _mapping(columns).items()}
        self.names = tuple(self.columns)
        sizes = {name: len(column) for name, column in self.columns.items()}
        if len(set(sizes.values())) > 1:
            raise ValueError(f"Listed: columns of different lengths: {sizes}")
        self.size = next(iter(sizes.values()))

    def values(self, run: NDArray[np.int64], sizes: Sizes) -> dict[str, Array]:
        """Rows."""
        for name, column in self.columns.items():
            expected = (self.size, sizes[name]) if sizes.get(name, 0) else (self.size,)
            if column.shape != expected:
                raise ValueError(f"Listed: {name!r} has shape {column.shape}, expected {expected}")
        return {name: column[run] for name, column in self.columns.items()}

    def to_plain(self) -> dict[str, Any]:
        """The columns."""
        columns = {name: column.tolist() for name, column in self.columns.items()}
        return {"kind": "Listed", "columns": columns}


def _mapping(given: Any) -> Mapping[str, Any]:
    if not isinstance(given, Mapping) or not given:
        raise ValueError(f"give a mapping of names ({_SHOWN}) to what they vary, not {given!r}")
    return given


def _column(name: str, value: ArrayLike, most: int) -> Array:
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name!r}: give numbers, not {value!r}") from None
    if not 1 <= array.ndim <= most or not array.size or not np.isfinite(array).all():
        raise ValueError(f"{name!r}: give a sequence of finite numbers, not {value!r}")
    return array
