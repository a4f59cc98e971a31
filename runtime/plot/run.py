"""The run of a model as pictures need it; `eomc.runtime.Trajectory` is one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.picture.description import PicturedModel


class PlottedRun(Protocol):
    """Named channels over the times t (n,) [s]."""

    @property
    def name(self) -> str: ...
    @property
    def t(self) -> Array: ...
    @property
    def coordinates(self) -> tuple[str, ...]: ...
    @property
    def speeds(self) -> tuple[str, ...]: ...
    @property
    def inputs(self) -> tuple[str, ...]: ...
    @property
    def prescribed(self) -> tuple[str, ...]: ...
    @property
    def units(self) -> Mapping[str, str]: ...
    @property
    def channels(self) -> Mapping[str, Array]: ...
    @property
    def model(self) -> PicturedModel | None: ...

    @property
    def count(self) -> int: ...
    def __getitem__(self, name: str, /) -> Array: ...

    def evaluate(self, function: str) -> Any:
        """A function of the model along the run."""

    def resampled(self, t: ArrayLike) -> PlottedRun:
        """The run at other times."""
