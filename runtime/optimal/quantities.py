"""Quantities that costs, bounds and targets name: states, controls, positions of frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import near_names

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Quantities:
    """Names of the entries of x = (q, u), of the controls and of outputs.

    Controls are the inputs of the model, or where it has none the generalized forces of all
    speeds; `chosen` names others, such as those of the joints with motors. The rest stay zero.
    """

    model: CompiledModel
    chosen: Sequence[str] | None = None

    @cached_property
    def states(self) -> tuple[str, ...]:
        """``elbow``, ..., ``speed(elbow)``, ..."""
        return (*self.model.coordinates, *(f"speed({name})" for name in self.model.speeds))

    @cached_property
    def forces(self) -> tuple[str, ...]:
        """All that can be a control: ``tau(elbow)``, ..., then inputs."""
        return (*(f"tau({name})" for name in self.model.speeds), *self.model.inputs)

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """Names of the controls; raises ValueError for unknown and for repeated ones."""
        if self.chosen is None:
            return self.model.inputs or self.forces
        names = (self.chosen,) if isinstance(self.chosen, str) else tuple(self.chosen)
        for name in names:
            if name not in self.forces:
                raise ValueError(f"controls: no {name!r}; {near_names(name, self.forces)}")
        if not names or len(set(names)) < len(names):
            raise ValueError(f"controls {names!r}: name each control once, and at least one")
        return names

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """``tip.x``, ``tip.y``, ...: positions of frames and bodies in the world [m]."""
        return tuple(f"{frame}.{axis}" for frame in self.model.frames for axis in AXES)

    def check(self, what: str, names: Sequence[str], *kinds: str) -> None:
        """Raise ValueError for a name that is not of these kinds."""
        known = [name for kind in kinds for name in getattr(self, kind)]
        for name in names:
            if name not in known:
                unused = name in self.forces and "controls" in kinds
                told = "it is not among the controls" if unused else near_names(name, known)
                raise ValueError(f"{what}: no {name!r}; {told}")

    @property
    def control_places(self) -> list[int]:
        """Places of the controls among the forces."""
        return [self.forces.index(name) for name in self.controls]


class FrameOutputs:
    """Positions of frames over nodes, with first and second derivatives by the coordinates.

    J is the frame's Jacobian; along the direction e_j its rate is dJ/dq_j.
    """

    def __init__(self, model: CompiledModel, names: Sequence[str], parameters: Any) -> None:
        self.names, self._n = tuple(names), model.nu
        self._options = {} if parameters is None else {"parameters": parameters}
        self._frames: dict[str, list[tuple[int, int]]] = {}
        for k, name in enumerate(names):
            frame, _, axis = name.rpartition(".")
            self._frames.setdefault(frame, []).append((k, AXES.index(axis)))
        self._asked = {frame: model.frame(frame) for frame in self._frames}

    def value(self, q: Array) -> Array:
        """(..., number of outputs)"""
        found = np.zeros((*q.shape[:-1], len(self.names)))
        for frame, places in self._frames.items():
            pose = self._asked[frame].pose(q, **self._options)
            for k, axis in places:
                found[..., k] = pose[..., axis, 3]
        return found

    def jacobian(self, q: Array) -> Array:
        """(..., number of outputs, nq)"""
        found = np.zeros((*q.shape[:-1], len(self.names), self._n))
        for frame, places in self._frames.items():
            by_q = self._asked[frame].jacobian(q, **self._options)
            for k, axis in places:
                found[..., k, :] = by_q[..., axis, :]
        return found

    def hessian(self, q: Array, weights: Array) -> Array:
        """(..., nq, nq): second derivatives of weights^T outputs."""
        found = np.zeros((*q.shape[:-1], self._n, self._n))
        for frame, places in self._frames.items():
            rate = self._asked[frame].jacobian_rate(
                q[..., None, :], np.eye(self._n), **self._options
            )
            for k, axis in places:
                found += weights[..., k, None, None] * rate[..., axis, :]
        return found


def numbers(what: str, given: Mapping[str, Any]) -> dict[str, float]:
    """Finite numbers by name; raises ValueError."""
    found = {}
    for name, value in given.items():
        try:
            found[name] = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{what}: {name!r} is {value!r}; give a number") from None
        if not np.isfinite(found[name]):
            raise ValueError(f"{what}: {name!r} is {value!r}; give a finite number")
    return found
