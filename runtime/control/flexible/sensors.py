"""Readings of sensors of joints and of frames in a state."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.frame_kinematics import function_names
from eomc.runtime.model.state import State
from eomc.runtime.names.near_names import near_names

_AXES = ("x", "y", "z")


class Sensors:
    """Coordinates, ``speed(name)`` and places of frames in world axes, by the names of `linearize`.

    Raises ValueError for names that the model lacks.
    """

    def __init__(self, model: CompiledModel, names: Sequence[str]) -> None:
        self.model = model
        self.names = (names,) if isinstance(names, str) else tuple(names)
        if not self.names:
            raise ValueError("measured: name at least one sensor")
        self._excitation = Excitation(model) if not model.prescribed else None
        speeds = {f"speed({name})": k for k, name in enumerate(model.speeds)}
        self._rows: list[tuple[str, int]] = []
        for name in self.names:
            frame, _, axis = name.rpartition(".")
            if name in model.coordinates:
                self._rows.append(("q", model.coordinates.index(name)))
            elif name in speeds:
                self._rows.append(("u", speeds[name]))
            elif frame in model.frames and axis in _AXES:
                self._rows.append((function_names(frame)[0], _AXES.index(axis)))
            else:
                known = (*model.coordinates, *speeds)
                places = (f"{f}.{axis}" for f in model.frames for axis in _AXES)
                raise ValueError(f"measured: {name!r}; {near_names(name, (*known, *places))}")

    def __call__(self, t: float, q: Array, u: Array) -> Array:
        """(number of sensors,)"""
        told: dict[str, Array] = {}
        shown = np.zeros(len(self._rows))
        for k, (what, place) in enumerate(self._rows):
            if what in ("q", "u"):
                shown[k] = (q if what == "q" else u)[place]
                continue
            if what not in told:
                told[what] = self._pose(what, t, q, u)
            shown[k] = told[what][place, 3]
        return shown

    def _pose(self, function: str, t: float, q: Array, u: Array) -> Array:
        if self._excitation is None:
            raise ValueError(
                f"model {self.model.name!r} has prescribed coordinates: places of its frames are "
                "not measured here"
            )
        state = State(q, u)
        values = {"q": q, "u": u} | self._excitation.others(t, state)
        return np.asarray(self._excitation.call(function, values), dtype=np.float64)
