"""Values wanted of an equilibrium: outputs of elements, places of frames.

rope.tension, rope.strain      what an element tells
tip.x, tip.y, tip.z            the place of a frame, world axes [m]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import EquilibriumError
from eomc.runtime.model.frame_kinematics import function_names
from eomc.runtime.names.near_names import near_names

_PLACES = ("x", "y", "z")


def told_names(model: CompiledModel) -> tuple[str, ...]:
    """Of what the elements of a model tell."""
    if not model.has_function("element_outputs"):
        return ()
    return model.output_names("element_outputs")


def wanted_names(model: CompiledModel) -> tuple[str, ...]:
    """Of all that can be wanted."""
    return (*told_names(model), *(f"{f}.{x}" for f in model.frames for x in _PLACES))


def told(around: Surroundings, values: Mapping[str, Any]) -> dict[str, float]:
    """Outputs of the elements, by name."""
    if not (names := told_names(around.model)):
        return {}
    found = np.asarray(around.call("element_outputs", values), dtype=float)
    return dict(zip(names, found.tolist(), strict=True))


def slack(
    model: CompiledModel, shown: Mapping[str, float], multipliers: Mapping[str, float]
) -> tuple[str, ...]:
    """Names of the elements that do not pull, by what they tell; of the constraints that push
    where what they stand for cannot, by multipliers of their rows."""
    told = model.manifest.get("metadata", {})
    loose = [name for name in told.get("unilateral_outputs", ()) if shown[name] <= 0]
    loose += [row for row in told.get("unilateral_rows", ()) if multipliers.get(row, -1.0) > 0]
    return tuple(name.rpartition(".")[0] for name in loose)


@dataclass(frozen=True)
class OutputTargets:
    """Values that outputs have to take, by name."""

    around: Surroundings
    outputs: Mapping[str, float]
    frames: Mapping[str, float]

    @classmethod
    def of(cls, around: Surroundings, given: Mapping[str, float]) -> OutputTargets:
        """Raises ValueError for names that nothing has, and numbers that are none."""
        known = wanted_names(around.model)
        outputs: dict[str, float] = {}
        frames: dict[str, float] = {}
        for name, number in given.items():
            if not np.isfinite(number):
                raise ValueError(f"targets: {name!r} is {number!r}; give a finite number")
            if name not in known:
                raise ValueError(f"targets: no {name!r}; {near_names(name, known)}")
            (outputs if name in told_names(around.model) else frames)[name] = float(number)
        return cls(around, outputs, frames)

    @property
    def names(self) -> tuple[str, ...]:
        """In the order of the equations."""
        return (*self.outputs, *self.frames)

    @property
    def _sizes(self) -> Array:
        numbers = np.array([*self.outputs.values(), *self.frames.values()])
        return np.where(numbers == 0, 1.0, np.abs(numbers))

    def residuals(self, values: Mapping[str, Any]) -> Array:
        """Outputs and places less their wanted values, each divided by its size.

        Raises EquilibriumError where a cable of which something is wanted is slack.
        """
        shown = told(self.around, values) if self.outputs else {}
        wanted = {name.rpartition(".")[0] for name in self.outputs}
        for cable in slack(self.around.model, shown, {}) if shown else ():
            if cable in wanted:
                raise EquilibriumError(
                    f"model {self.around.model.name!r}: {cable!r} is slack, and nothing says how "
                    "it would pull; guess a state, or a free length, in which it is taut"
                )
        gaps = [shown[name] - number for name, number in self.outputs.items()]
        for name, number in self.frames.items():
            frame, _, part = name.rpartition(".")
            pose = np.asarray(self.around.call(function_names(frame)[0], values))
            gaps.append(float(pose[_PLACES.index(part), 3]) - number)
        return np.array(gaps) / self._sizes

    def slopes(self, values: Mapping[str, Any]) -> dict[str, Array]:
        """Derivatives of the residuals by kind of unknown, but for parameters."""
        model, kinds = self.around.model, ["displacement", "speed"]
        counts = {"displacement": model.nu, "speed": model.nu}
        for kind, names in (("state", model.element_states), ("input", model.inputs)):
            if names:
                kinds.append(kind)
                counts[kind] = len(names)
        found = {kind: np.zeros((len(self.names), count)) for kind, count in counts.items()}
        if self.outputs:
            rows = [told_names(self.around.model).index(name) for name in self.outputs]
            parts = self.around.call("element_output_derivatives", values)
            for kind, part in zip(kinds, parts, strict=True):
                found[kind][: len(rows)] = np.asarray(part)[rows]
        for k, name in enumerate(self.frames, len(self.outputs)):
            frame, _, part = name.rpartition(".")
            jacobian = np.asarray(self.around.call(function_names(frame)[3], values))
            found["displacement"][k] = jacobian[_PLACES.index(part)]
        return {kind: part / self._sizes[:, None] for kind, part in found.items()}
