"""A run by stretches in which the same latches are closed, each of its own model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.runtime.record.files import ARRAYS

if TYPE_CHECKING:
    from eomc.runtime.record.trajectory import Trajectory


def stretches_of(run: Trajectory) -> Iterator[Trajectory]:
    """The rows of each stretch that has some, with its model and parameters."""
    places = run.latches.places(run.t)
    for k in np.unique(places).tolist():
        (rows,) = np.nonzero(places == k)
        own = {name: getattr(run, name)[rows] for name in ARRAYS}
        given = {**run.parameters, **run.latches.parameters[k]}
        yield replace(
            run, **own, model=run.latches.models[k], parameters=given, latches=None, dense=None
        )


def joined(function: str, parts: Sequence[Any]) -> Any:
    """Outputs of a function in stretches of a run, one behind the other.

    Raises ValueError where they have other rows.
    """
    if isinstance(parts[0], tuple):
        return tuple(joined(function, rows) for rows in zip(*parts, strict=True))
    if len({np.shape(part)[1:] for part in parts}) > 1:
        raise ValueError(
            f"{function} has other rows where latches are closed; ask each of the run's stretches"
        )
    return np.concatenate(parts)
