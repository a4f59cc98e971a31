"""States of a design: closed configurations, equilibria, runs; all that a model says of them.

Every quantity y(x, p) of a state x that moves with the parameters p has the derivatives

    dy/dtheta = y_x dx/dtheta + y_p dp/dtheta

of compiled functions and of the way in which x depends on p.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.autodiff.external import External
from eomc.runtime.designs.dual import DualArray
from eomc.runtime.fit.channels import place_of
from eomc.runtime.fit.rollout import SensitiveRollout
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.frame_kinematics import function_names


class DesignFunctions:
    """Compiled functions of a model with their derivatives by arguments and parameters."""

    def __init__(self, model: CompiledModel) -> None:
        self.model = model
        self.linker = model._links("integrate")
        self._found: dict[str, External] = {}
        self._rollouts: dict[int, SensitiveRollout] = {}

    def rollout(self, substeps: int) -> SensitiveRollout:
        """Steps with derivatives; compiled when first used."""
        if substeps not in self._rollouts:
            self._rollouts[substeps] = SensitiveRollout(self.linker, substeps)
        return self._rollouts[substeps]

    def external(self, name: str) -> External:
        """Compiled when first used."""
        if name not in self._found:
            self._found[name] = self.linker.arrays(name, second=False)
        return self._found[name]

    def __call__(self, name: str, arrays: Mapping[str, DualArray], count: int) -> DualArray:
        """The first output (count, ...) of a function; absent arguments are zero."""
        values, blocks = self.blocks(name, {k: a.value for k, a in arrays.items()}, count)
        shape = self.external(name).outputs[0].shape
        slopes: Any = 0.0
        for array, block in blocks.items():
            if array in arrays:
                # Of samples (count, size, n), or of all of them alike, (size, n).
                slopes = slopes + block @ arrays[array].slopes
        return DualArray(values.reshape(count, *shape), slopes.reshape(count, *shape, -1))

    def blocks(
        self, name: str, arrays: Mapping[str, Array], count: int
    ) -> tuple[Array, dict[str, Array]]:
        """Values (count, entries) and derivatives (count, entries, size) by each argument."""
        external = self.external(name)
        given = [
            np.zeros((count, a.size))
            if a.name not in arrays
            else x
            if (x := arrays[a.name]).shape == (count, a.size)
            else np.broadcast_to(x, (count, a.size))
            for a in external.inputs
        ]
        given = [x[:, 0] if not a.shape else x for x, a in zip(given, external.inputs, strict=True)]
        module: Any = external.library
        value, blocks = module.value(*given), module.jacobian(*given)
        value = value[0] if isinstance(value, tuple) else value
        blocks = blocks if isinstance(blocks, tuple) else (blocks,)
        size = external.outputs[0].size
        return np.asarray(value).reshape(count, size), {
            a.name: np.asarray(block).reshape(count, size, a.size)
            for a, block in zip(external.inputs, blocks, strict=False)
        }


class DesignStates:
    """States by sample; of one state alone the quantities have no dimension of samples.

    ``states["hinge"]``, ``states["speed(hinge)"]``, ``states["tip.x"]`` and
    ``states["rope.tension"]`` are coordinates, speeds, places of frames and outputs of elements, as
    of `eomc.fit`.
    """

    def __init__(
        self, functions: DesignFunctions, arrays: Mapping[str, DualArray], count: int, single: bool
    ) -> None:
        self.functions, self.arrays = functions, arrays
        self.count, self.single = count, single

    def function(self, name: str) -> DualArray:
        """The first output of any function of the model, as ``potential_energy``."""
        found = self.functions(name, self.arrays, self.count)
        return found[0] if self.single else found

    def position(self, frame: str) -> DualArray:
        """Origin of a frame (3,) [m]."""
        self.functions.model.frame(frame)
        return self.function(function_names(frame)[0])[..., :3, 3]

    def rotation(self, frame: str) -> DualArray:
        """Axes of a frame as columns, (3, 3)."""
        self.functions.model.frame(frame)
        return self.function(function_names(frame)[0])[..., :3, :3]

    def __getitem__(self, name: str) -> DualArray:
        model = self.functions.model
        place = place_of(model, name)
        if place is None:
            raise KeyError(
                f"model {model.name!r} has no {name!r}; valid are coordinates, speed(name), "
                "frame.x and element.output"
            )
        array, entry = place
        if array in self.arrays:
            found = self.arrays[array][:, entry]
            return found[0] if self.single else found
        found = self.function(array)
        return found.reshape(*found.shape[: 0 if self.single else 1], -1)[..., entry]
