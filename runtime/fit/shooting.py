"""Multiple shooting: runs cut into shots whose starts are unknown and whose gaps are closed.

A step of Gauss-Newton minimizes |r + J d|^2 with the gaps closed to first order,

    ds_{i+1} = G_i ds_i + H_i dtheta + c_i,   c_i = x_i(end) - s_{i+1}

which eliminates all starts but the first (condensing). Short shots do not slip by periods of the
motion, so that starts far from the answer converge. Before, parameters are fitted to the shots
alone, from starts that the data tell. Reference: Bock, *Recent advances in
parameter identification techniques for O.D.E.*, in Numerical Treatment of Inverse Problems, 1983.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.fit.errors import FitError
from eomc.runtime.fit.problem import Problem
from eomc.runtime.fit.recording import Recording
from eomc.runtime.fit.starts import guess
from eomc.runtime.fit.unknowns import Unknowns
from eomc.runtime.model.compiled import CompiledModel

_STEPS, _SMALL = 50, 1e-8


class Shots:
    """The shots of all runs, and a step that improves theta and their starts."""

    def __init__(self, problem: Problem, model: CompiledModel, nodes: int, theta: Array) -> None:
        self.problem = problem
        self.shots: list[list[Recording]] = []
        self.starts: list[list[Array]] = []
        for k, run in enumerate(problem.runs):
            count = min(nodes, (len(run.t) - 1) // 2)
            ends = np.linspace(0, len(run.t) - 1, count + 1).round().astype(int)
            self.shots.append(
                [
                    run.cut(a, b, f"{run.name}, shot {i + 1}")
                    for i, (a, b) in enumerate(pairwise(ends))
                ]
            )
            measured = Recording(run.name, run.t, {}, run.outputs, None, None, run.columns)
            first = problem.start(k, theta)[0]
            unmeasured = [n for n in model.coordinates if n not in run.columns]
            if unmeasured:
                raise FitError(
                    f"{run.name}: multiple shooting needs all coordinates as channels; "
                    f"{', '.join(unmeasured)} are not"
                )
            self.starts.append([first, *(guess(model, measured, int(a)) for a in ends[1:-1])])

    def begun(self, theta: Array) -> Array:
        """theta with which the shots, from starts that the data tell, fit best each by itself."""
        from scipy.optimize import least_squares

        common = np.array([u.kind != "state" for u in self.problem.unknowns.entries])
        alone = replace(
            self.problem,
            runs=[shot for shots in self.shots for shot in shots],
            starts=[start for starts in self.starts for start in starts],
            unknowns=Unknowns(u for u in self.problem.unknowns.entries if u.kind != "state"),
            closure=None,
        )
        if not common.any():
            return theta
        theta = theta.copy()
        theta[common] = least_squares(
            alone.residuals,
            np.clip(theta[common], *alone.unknowns.bounds()),
            alone.jacobian,
            alone.unknowns.bounds(),
            x_scale="jac",
        ).x
        return theta

    def step(self, theta: Array) -> tuple[Array, float]:
        """(theta, largest change in units of deviations of theta) after a full step."""
        from scipy.optimize import lsq_linear

        n, rows, right, changes = len(theta), list[Array](), list[Array](), list[list[Array]]()
        for k in range(len(self.shots)):
            found = self._run(k, theta)
            rows += found[0]
            right += found[1]
            changes.append(found[2])
        r, J = self.problem.unknowns.priors(theta)
        A, b = np.concatenate([*rows, J]), -np.concatenate([*right, r])
        size = np.linalg.norm(A, axis=0)
        size = np.where(size > 0, size, 1.0)
        low, high = self.problem.unknowns.bounds()
        within = ((low - theta) * size, (high - theta) * size)
        d = np.asarray(lsq_linear(A / size, b, within, tol=1e-14).x) / size
        for k, columns in enumerate(changes):
            for i, c in enumerate(columns):
                self.starts[k][i] = self.starts[k][i] + c[:, :n] @ d + c[:, n]
        return theta + d, float(np.abs(d * size).max(initial=0.0))

    def _run(self, k: int, theta: Array) -> tuple[list[Array], list[Array], list[Array]]:
        """Rows of J and r by theta alone, and ds_i as affine functions (nx, n + 1) of dtheta."""
        problem, n = self.problem, len(theta)
        p, dp, late = problem.of_model(theta)
        x, s = problem.start(k, theta)
        self.starts[k][0], nx = x, len(x)
        wide = np.pad(dp, ((0, 0), (0, nx)))
        lag = (late[0], None if late[1] is None else np.pad(late[1], (0, nx)))
        seed = np.eye(nx, n + nx, n)

        def one(i: int) -> tuple[Array, Array, Array, Array]:
            run = self.shots[k][i]
            motion = problem.rollout(run, self.starts[k][i], seed, p, wide, lag)
            y, dy = problem.measured(run, motion, theta)
            return y, dy, motion.x[-1], motion.s[-1]

        with ThreadPoolExecutor() as pool:
            shots = list(pool.map(one, range(len(self.shots[k]))))
        change = np.pad(s, ((0, 0), (0, 1)))
        rows, right, changes = list[Array](), list[Array](), list[Array]()
        for i, (y, dy, x_end, s_end) in enumerate(shots):
            changes.append(change)
            # The last sample of a shot is the first of the next.
            used = slice(None) if i == len(shots) - 1 else slice(0, -1)
            run, sigma = self.shots[k][i], problem.sigma
            J = (dy[used] / sigma[:, None]).reshape(-1, n + nx)
            through = J[:, n:] @ change
            rows.append(J[:, :n] + through[:, :n])
            residual = ((y - run.outputs)[used] / sigma).ravel()
            right.append(residual + through[:, n])
            if i + 1 < len(shots):
                gap = x_end - self.starts[k][i + 1]
                next_change = s_end[:, n:] @ change
                next_change[:, :n] += s_end[:, :n]
                next_change[:, n] += gap
                change = next_change
        return rows, right, changes


def shot(problem: Problem, model: CompiledModel, nodes: int, theta: Array) -> Array:
    """theta of multiple shooting from a start; the gaps are closed at its end."""
    shots = Shots(problem, model, nodes, theta)
    theta = shots.begun(theta)
    for _ in range(_STEPS):
        before = theta
        try:
            theta, change = shots.step(theta)
            if not np.isfinite(change):
                raise FitError("multiple shooting diverges; give more nodes or another start")
        except FitError as error:
            error.theta = before
            raise
        if change < _SMALL:
            break
    return theta
