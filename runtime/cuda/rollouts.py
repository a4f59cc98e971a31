"""Runs of many states on a device: a thread steps its state and records it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.runtime.cuda.arrays import empty_like, stream_of
from eomc.runtime.cuda.driver import Packed
from eomc.runtime.cuda.kernels import CudaKernels

_REFERENCES = ("q_ref", "u_ref", "a_ref")


class CudaRun:
    """Runs by one method; see `CudaKernels` for arrays, streams and `check`.

    Call it with q (nq, count), u (nu + nz, count), the speeds and what is stepped behind them, the
    inputs that are constant over a step, the time t if the model depends on it, h [s] and the
    number of steps. An input is (size, count), or (steps, size, count), or has 1 in place of the
    steps or the count; references of feedback likewise. Returns the histories q and u, of shapes
    (steps/every + 1, nq, count) and (..., nu + nz, count).
    """

    def __init__(self, kernels: CudaKernels, entry: Mapping[str, Any]) -> None:
        self.kernels, self.entry, self.__name__ = kernels, entry, entry["name"]
        timed = ["t"] if entry["time_dependent"] else []
        held = [port["name"] for port in entry["zero_order_hold"]]
        self.names = ["q", "u", *held, *timed, "h", "steps"]

    def __call__(
        self,
        *arguments: Any,
        every: int = 1,
        q_ref: Any = None,
        u_ref: Any = None,
        a_ref: Any = None,
        kp: Any = 0.0,
        kd: Any = 0.0,
        computed_torque: bool = False,
        parameters: Any = None,
        out: Any = None,
        stream: Any = None,
        check: bool = True,
    ) -> tuple[Any, Any]:
        if len(arguments) != len(self.names):
            names = ", ".join(self.names)
            raise TypeError(f"{self.__name__} takes ({names}); {len(arguments)} were given")
        given = dict(zip(self.names, arguments, strict=True))
        steps, h, t = int(given["steps"]), float(given["h"]), float(given.get("t", 0.0))
        if steps < 0 or every < 1 or steps % every or not (math.isfinite(h) and math.isfinite(t)):
            raise ValueError(
                f"{self.__name__}: {steps} steps of {h:g} s cannot be recorded every {every}; "
                "steps must be a multiple of every"
            )
        kernels, handle = self.kernels, stream_of(stream)
        real, count = kernels.dtype, kernels.view("q", given["q"], handle).shape[-1:]
        states = count[0]
        sizes = {"q": self.entry["nq"], "u": self.entry["nu"] + self.entry["nz"]}
        rows = steps // every + 1
        histories = out or tuple(
            empty_like(kernels.driver, given["q"], (rows, size, states), real)
            for size in sizes.values()
        )
        packed: list[Packed] = []
        for (name, size), history in zip(sizes.items(), histories, strict=True):
            first = kernels.whole(self._where(name), given[name], (size, states), handle)
            shape = (rows, size, states)
            place = kernels.whole(f"{self.__name__}: history of {name}", history, shape, handle)
            kernels.driver.copy(place.address, first.address, size * states * real.itemsize, handle)
            packed.append(np.array(place.address, np.uint64))
        for port in self.entry["zero_order_hold"]:
            size = math.prod(port["shape"])
            signal = self._signal(port["name"], given[port["name"]], steps, size, states, handle)
            packed.append(signal)
        packed += kernels.parameters(parameters)
        references = dict(zip(_REFERENCES, (q_ref, u_ref, a_ref), strict=True))
        if self.entry["feedback"]:
            gains = {"kp": kp, "kd": kd}
            packed.append(self._feedback(references, gains, computed_torque, steps, states, handle))
        elif any(value is not None for value in references.values()):
            raise ValueError(f"{self.__name__} takes no feedback in this model")
        packed += [np.array(t, real)] if self.entry["time_dependent"] else []
        packed += [np.array(h, real), np.array(steps, np.int32), np.array(every, np.int32)]
        kernels.start(self.entry["symbol"], packed, states, handle, check)
        return histories[0], histories[1]

    def _where(self, name: str) -> str:
        return f"{self.__name__}: argument {name!r}"

    def _signal(
        self, name: str, array: Any, steps: int, size: int, states: int, stream: int
    ) -> Packed:
        """Address and strides of an input: rows, step, entry, state."""
        view = self.kernels.view(self._where(name), array, stream)
        expected = (max(steps, 1), size, states)
        shape, strides = (1,) * (3 - len(view.shape)) + view.shape, (0,) * 3 + view.strides
        fits = (
            len(shape) == 3
            and shape[1] == size
            and all(extent in (1, whole) for extent, whole in zip(shape, expected, strict=True))
        )
        if not fits:
            raise ValueError(
                f"{self._where(name)} has shape {view.shape}; expected {expected}, or 1 in place "
                "of the steps or the states"
            )
        step, entry, state = (
            stride if extent > 1 else 0 for extent, stride in zip(shape, strides[-3:], strict=True)
        )
        return np.array([view.address, step, entry, state], np.uint64)

    def _feedback(
        self,
        references: Mapping[str, Any],
        gains: Mapping[str, Any],
        computed_torque: bool,
        steps: int,
        states: int,
        stream: int,
    ) -> Packed:
        """Bytes of the struct of the feedback."""
        kernels, nu = self.kernels, self.entry["nu"]
        is_on = references["q_ref"] is not None
        if computed_torque and not self.entry["computed_torque"]:
            raise ValueError(
                f"{self.__name__}: computed torque takes inverse_dynamics; emit it too"
            )
        signals: list[Packed] = [np.zeros(4, np.uint64) for _ in _REFERENCES]
        needed = _REFERENCES if computed_torque else _REFERENCES[:2]
        for k, name in enumerate(needed if is_on else ()):
            if references[name] is None:
                raise ValueError(f"{self.__name__}: feedback takes {name}, an array on the device")
            size = self.entry["nq"] if name == "q_ref" else nu
            signals[k] = self._signal(name, references[name], steps, size, states, stream)
        if not is_on and any(np.any(np.asarray(gain)) for gain in gains.values()):
            raise ValueError(f"{self.__name__}: gains without 'q_ref'; feedback takes both")
        rows = [np.broadcast_to(np.asarray(gain, kernels.dtype), nu) for gain in gains.values()]
        flags = np.array([computed_torque, is_on], np.int32)
        return np.frombuffer(
            b"".join(part.tobytes() for part in (*signals, *rows, flags)), np.uint8
        )
