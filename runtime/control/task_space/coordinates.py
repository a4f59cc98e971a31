"""Coordinates as outputs."""

from __future__ import annotations

import numpy as np

from eomc.runtime.control.task_space.output import (
    NUMERIC,
    OutputError,
    OutputReference,
    OutputState,
    See,
    plain_deviation,
)
from eomc.runtime.difference import Operations
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import places_of


class Coordinates:
    """y = (q_i, q_j, ...) of the named coordinates, whose speeds are their rates; J' u = 0.

    An arm whose joints are held while its base moves is such an output.

    Raises ValueError for names that the model has not, or whose speeds are no rates: those of a
    quaternion are an attitude.
    """

    def __init__(self, *coordinates: str) -> None:
        if not coordinates or len(set(coordinates)) < len(coordinates):
            raise ValueError(f"coordinates {coordinates!r}: give one or more, each once")
        self.coordinates = coordinates

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    def names(self, model: CompiledModel) -> tuple[str, ...]:
        """Those of the coordinates."""
        places_of(self.coordinates, model.coordinates, f"model {model.name!r} has no coordinate")
        for name in self.coordinates:
            if name not in model.speeds:
                raise ValueError(f"coordinate {name!r}: its rate is no speed; control its attitude")
        return self.coordinates

    def begin(self, model: CompiledModel) -> See:
        """As of `Output`."""
        self.names(model)
        of_q = [model.coordinates.index(name) for name in self.coordinates]
        of_u = [model.speeds.index(name) for name in self.coordinates]
        jacobian, drift = np.eye(model.nu)[of_u], np.zeros(len(of_u))
        return lambda ask, at, by=NUMERIC: OutputState(
            at["q"][of_q], at["u"][of_u], jacobian, drift
        )

    def deviation(
        self, seen: OutputState, wanted: OutputReference, by: Operations = NUMERIC
    ) -> OutputError:
        """e = y_d - y"""
        return plain_deviation(seen, wanted)
