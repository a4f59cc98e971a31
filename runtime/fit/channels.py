"""Outputs of a model along a motion, with their exact derivatives.

Channels are coordinates and states of elements by their names, ``speed(name)``,
``acceleration(name)``, ``frame.x`` (y, z) of the origin of a frame, ``attitude(frame).x`` (y, z) of
the rotation from its measured attitude, and ``element.output``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.autodiff.external import External, Linker
from eomc.runtime.fit import attitude
from eomc.runtime.fit.recording import Recording
from eomc.runtime.fit.rollout import SensitiveMotion, SensitiveRollout
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.frame_kinematics import function_names

Place = tuple[str, int]
"""The array of the state, or the function, and the entry of a channel."""


def place_of(model: CompiledModel, name: str) -> Place | None:
    """Place of the value of a channel; None for an unknown name."""
    states = tuple(model.element_states)
    for array, names in (("q", model.coordinates), ("z", states)):
        if name in names:
            return array, names.index(name)
    for word, array in (("speed", "u"), ("acceleration", "forward_dynamics")):
        inner = name[len(word) + 1 : -1]
        if name == f"{word}({inner})" and inner in model.speeds:
            return array, model.speeds.index(inner)
    turned = attitude.frame_of(name)
    if turned and turned[0] in model.frames:
        return f"attitude({turned[0]})", turned[1]
    frame, _, axis = name.rpartition(".")
    if frame in model.frames and axis in ("x", "y", "z"):
        return function_names(frame)[0], 4 * "xyz".index(axis) + 3
    if "." in name and model.has_function("element_outputs"):
        rows = model.output_names("element_outputs")
        return ("element_outputs", rows.index(name)) if name in rows else None
    return None


class Channels:
    """The named channels of a model, evaluated along motions."""

    def __init__(
        self, model: CompiledModel, linker: Linker, rollout: SensitiveRollout, names: Sequence[str]
    ) -> None:
        found = [place_of(model, name) for name in names]
        self.places = [place for place in found if place is not None]
        self.names = tuple(names)
        self.rollout, offsets = rollout, rollout.offsets
        arrays = dict.fromkeys(array for array, _ in self.places if array not in offsets)
        turned = [pair for name in names if (pair := attitude.frame_of(name))]
        self.attitudes = {f"attitude({frame})": function_names(frame)[0] for frame, _ in turned}
        functions = dict.fromkeys(self.attitudes.get(array, array) for array in arrays)
        self.functions = {name: linker.arrays(name, second=False) for name in functions}

    def __call__(
        self,
        run: Recording,
        motion: SensitiveMotion,
        p: Array,
        dp: Array,
        late: tuple[float, Array | None],
    ) -> tuple[Array, Array]:
        """(y (samples, channels), dy/dtheta (samples, channels, n))."""
        found = {
            name: self._of_function(external, run, motion, p, dp, late)
            for name, external in self.functions.items()
        }
        for name, function in self.attitudes.items():
            found[name] = attitude.error(run.attitudes[name], *found[function])
        if not found:
            rows = [self.rollout.offsets[array] + entry for array, entry in self.places]
            return motion.x[:, rows], motion.s[:, rows]
        found |= {
            array: (motion.x[:, first:], motion.s[:, first:])
            for array, first in self.rollout.offsets.items()
        }
        y = np.stack([found[array][0][:, entry] for array, entry in self.places], axis=1)
        return y, np.stack([found[array][1][:, entry] for array, entry in self.places], axis=1)

    def _of_function(
        self,
        external: External,
        run: Recording,
        motion: SensitiveMotion,
        p: Array,
        dp: Array,
        late: tuple[float, Array | None],
    ) -> tuple[Array, Array]:
        """(values (samples, entries), slopes (samples, entries, n)) of a compiled function."""
        samples, n = len(run.t), motion.s.shape[2]
        delay, by_delay = late
        given, directions = list[Array](), list[Array]()
        for a in external.inputs:
            if a.name in self.rollout.offsets:
                part = slice(first := self.rollout.offsets[a.name], first + a.size)
                given.append(motion.x[:, part])
                directions.append(motion.s[:, part])
            elif a.name == "p":
                given.append(np.broadcast_to(p, (samples, len(p))))
                directions.append(np.broadcast_to(dp, (samples, *dp.shape)))
            elif a.name == "t":
                given.append(run.t)
                directions.append(np.zeros((samples, 1, n)))
            else:
                given.append(run.input(a.name, a.size, run.t - delay, False, None))
                rate = np.zeros((samples, a.size, n))
                if by_delay is not None:
                    slope = run.input(a.name, a.size, run.t - delay, True, None)
                    rate = -slope[..., None] * by_delay
                directions.append(rate)
        module: Any = external.library
        values = module.value(*given)
        values = values[0] if isinstance(values, tuple) else values
        if n == 0:
            y = np.asarray(values).reshape(samples, -1)
            return y, np.zeros((*y.shape, 0))
        blocks = module.jacobian(*given)
        blocks = blocks if isinstance(blocks, tuple) else (blocks,)
        size = external.outputs[0].size
        slopes = np.zeros((samples, size, n))
        for block, along, a in zip(blocks, directions, external.inputs, strict=False):
            slopes += np.asarray(block).reshape(samples, size, a.size) @ along
        return np.asarray(values).reshape(samples, size), slopes
