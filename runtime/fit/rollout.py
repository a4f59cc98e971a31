"""Compiled Runge-Kutta steps of a model with their exact derivatives, along a recorded run."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.autodiff.external import Linker, StepLibrary
from eomc.runtime.fit.errors import FitError
from eomc.runtime.fit.recording import Places, Recording

_REAL, _COUNT = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int)
_PACK = 8


@dataclass(frozen=True, eq=False)
class SensitiveMotion:
    """States x (samples, nx) and S = dx/dtheta (samples, nx, n) of a rollout."""

    x: Array
    s: Array


class SensitiveRollout:
    """Steps of a model with tunable parameters, each sample cut into `substeps` of equal length."""

    def __init__(self, linker: Linker, substeps: int) -> None:
        self.library: StepLibrary = linker.sensitivities()
        self.substeps = substeps
        self.offsets = _offsets(self.library.state)
        self.nx = sum(a.size for a in self.library.state)
        self.nv = sum(a.size for a in self.library.held)
        # Of recordings that still exist: every trial of a design makes its own.
        self._inputs: WeakKeyDictionary[Recording, tuple[float, Array]] = WeakKeyDictionary()
        self._call = ctypes.CDLL(str(self.library.library)).sensitivities
        self._call.argtypes = (
            [ctypes.c_int] * 3 + [_REAL] * 4 + [ctypes.c_int] + [_REAL] * 4 + [_COUNT]
        )

    def inputs(self, run: Recording, delay: float, rate: bool) -> Array:
        """v or v' (steps, 3, nv) at the beginning, middle and end of every step."""
        h = np.diff(run.t) / self.substeps
        starts = run.t[:-1, None] + h[:, None] * np.arange(self.substeps)
        times = starts[..., None] + h[:, None, None] * np.array([0.0, 0.5, 1.0])
        sample = np.arange(len(h)).repeat(3 * self.substeps)
        return self.at_times(run, times.ravel() - delay, rate, sample).reshape(-1, 3, self.nv)

    def at_times(self, run: Recording, t: Array, rate: bool, sample: Places | None = None) -> Array:
        """v or v' (len(t), nv); `sample` is the number of the sample before each time."""
        columns = [run.input(a.name, a.size, t, rate, sample) for a in self.library.held]
        return np.concatenate([np.zeros((len(t), 0)), *columns], axis=1)

    def __call__(
        self,
        run: Recording,
        x: Array,
        s: Array,
        p: Array,
        dp: Array,
        late: tuple[float, Array | None],
    ) -> SensitiveMotion:
        """The motion from x (nx,) with S = s (nx, n); dp (np, n) are the derivatives of p.

        `late` is the delay of the inputs and its derivatives (n,), None where it is known.
        Raises FitError with the run and the time at which the motion diverges.
        """
        samples, n, np_ = len(run.t), s.shape[1], len(p)
        delay, by_delay = late
        lag = np.zeros(n) if by_delay is None else by_delay
        others = np.flatnonzero(s.any(axis=0) | (lag != 0))
        by_p = int(n > 0 and bool(dp.any()))
        count = np_ * by_p + len(others)
        states, S = np.empty((samples, self.nx)), np.empty((samples, self.nx, count))
        states[0], S[0] = x, 0.0
        S[0, :, count - len(others) :] = s[:, others]
        known, v = self._inputs.get(run, (np.nan, np.zeros(0)))
        if known != delay:
            v = self.inputs(run, delay, False)
            self._inputs[run] = delay, v
        rate = None if by_delay is None else self.inputs(run, delay, True)
        done = ctypes.c_int(0)
        padded = sum(-(-k // _PACK) * _PACK for k in ((np_ + 1) * by_p, len(others)))
        work = np.empty(self.library.work * padded + _PACK)
        arrays = (run.t, v, rate, p, lag[others], states, S, work)
        given = [None if a is None else np.ascontiguousarray(a, dtype=np.float64) for a in arrays]
        pointers = [None if a is None else a.ctypes.data_as(_REAL) for a in given]
        counts = (samples, self.substeps, len(others))
        code = self._call(*counts, *pointers[:4], by_p, *pointers[4:], ctypes.byref(done))
        good = int(done.value) if code else samples
        if good < samples:
            raise FitError(
                f"{run.name}: the motion diverges after t = {run.t[good - 1]:.6g} s with "
                + ", ".join(
                    f"{n} = {v:.6g}" for n, v in zip(self.library.parameters, p, strict=True)
                )
            )
        return SensitiveMotion(states, _by_theta(S, dp if by_p else dp[:0], others))


def _by_theta(S: Array, dp: Array, others: Places) -> Array:
    """dx/dtheta from columns by the parameters and others: S_p dp, and the others added."""
    count, n = dp.shape
    if not len(others) and count == n and np.array_equal(dp, np.eye(n)):
        return S
    found: Array = S[..., :count] @ dp
    found[..., others] += S[..., count:]
    return found


def _offsets(arrays: Sequence[Any]) -> Mapping[str, int]:
    found, total = {}, 0
    for a in arrays:
        found[a.name] = total
        total += a.size
    return found
