"""Residuals of a fit with their exact derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.fit.channels import Channels
from eomc.runtime.fit.errors import FitError
from eomc.runtime.fit.recording import Recording
from eomc.runtime.fit.rollout import SensitiveMotion, SensitiveRollout
from eomc.runtime.fit.starts import ClosedStart
from eomc.runtime.fit.unknowns import Unknowns


@dataclass(frozen=True, eq=False)
class Problem:
    """Channels of the runs as functions of theta.

    `p` are the parameters where they are not free, `starts` the initial states, `sigma` the
    deviations of the channels.
    """

    rollout: SensitiveRollout
    channels: Channels
    runs: Sequence[Recording]
    unknowns: Unknowns
    p: Array
    starts: Sequence[Array]
    closure: ClosedStart | None
    sigma: Array

    def of_model(self, theta: Array) -> tuple[Array, Array, tuple[float, Array | None]]:
        """(p, dp/dtheta, delay)."""
        found, dp = self.unknowns.of("p", None, len(self.p), theta)
        delay, late = self.unknowns.of("delay", None, 1, theta)
        known = np.isnan(delay[0])
        return (
            np.where(np.isnan(found), self.p, found),
            dp,
            (0.0, None) if known else (float(delay[0]), late[0]),
        )

    def start(self, k: int, theta: Array) -> tuple[Array, Array]:
        """(x, dx/dtheta) at the first sample of run k."""
        p, dp, _ = self.of_model(theta)
        if self.closure is not None:
            return self.closure(self.runs[k], self.starts[k], p, dp)
        found, s = self.unknowns.of("state", k, len(self.starts[k]), theta)
        return np.where(np.isnan(found), self.starts[k], found), s

    def measured(
        self, run: Recording, motion: SensitiveMotion, theta: Array
    ) -> tuple[Array, Array]:
        """(y, dy/dtheta) with biases and gains, along a motion with S of any n >= len(theta)."""
        p, dp, late = self.of_model(theta)
        count, n = self.sigma.size, motion.s.shape[2]
        more = np.zeros((len(p), n))
        if n:
            more[:, : len(theta)] = dp
            late = (late[0], None if late[1] is None else np.pad(late[1], (0, n - len(theta))))
        else:
            late = (late[0], None)
        y, dy = self.channels(run, motion, p, more, late)
        bias, by_bias = self.unknowns.of("bias", None, count, theta)
        gain, by_gain = self.unknowns.of("gain", None, count, theta)
        if n and by_gain.any():
            dy = (1 + np.nan_to_num(gain))[:, None] * dy
            dy[..., : len(theta)] += by_gain * y[..., None]
        if n and by_bias.any():
            dy[..., : len(theta)] += by_bias
        return (1 + np.nan_to_num(gain)) * y + np.nan_to_num(bias), dy

    def simulated(self, k: int, theta: Array, slopes: bool) -> tuple[Array, Array]:
        """(y, dy/dtheta) of run k; without slopes dy has no columns."""
        p, dp, late = self.of_model(theta)
        x, s = self.start(k, theta)
        if not slopes:
            s, dp, late = s[:, :0], dp[:, :0], (late[0], None)
        motion = self.rollout(self.runs[k], x, s, p, dp, late)
        return self.measured(self.runs[k], motion, theta)

    def all(self, theta: Array, slopes: bool) -> list[tuple[Array, Array]]:
        """(y, dy/dtheta) of all runs, on all cores."""

        def one(k: int) -> tuple[Array, Array]:
            return self.simulated(k, theta, slopes)

        if len(self.runs) == 1:
            return [one(0)]
        with ThreadPoolExecutor() as pool:
            return list(pool.map(one, range(len(self.runs))))

    def residuals(self, theta: Array) -> Array:
        """Weighted residuals; infinite where a motion diverges."""
        try:
            found = self.all(theta, False)
        except FitError:
            return np.full(self.size, np.inf)
        return self.stacked([y for y, _ in found], theta)

    @property
    def size(self) -> int:
        """Number of residuals."""
        priors = sum(u.free.prior is not None for u in self.unknowns.entries)
        return sum(run.outputs.size for run in self.runs) + priors

    def stacked(self, y: Sequence[Array], theta: Array) -> Array:
        """Weighted residuals of simulated outputs, priors behind them."""
        rows = [
            ((a - run.outputs) / self.sigma).ravel() for a, run in zip(y, self.runs, strict=True)
        ]
        return np.concatenate([*rows, self.unknowns.priors(theta)[0]])

    def jacobian(self, theta: Array) -> Array:
        """Derivatives of the weighted residuals by theta."""
        n, found = len(self.unknowns), self.all(theta, True)
        rows = [np.divide(dy, self.sigma[:, None], out=dy).reshape(-1, n) for _, dy in found]
        return np.concatenate([*rows, self.unknowns.priors(theta)[1]])
