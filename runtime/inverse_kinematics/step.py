"""Inverse kinematics as the step of a controller: a fixed number of bounded damped least squares.

A sample moves the coordinates by `iterations` steps xi of

    minimize sum_t w_t |J_t xi + e_t|^2 + mu |xi|^2,   low <= xi <= high,   mu = 0.01 |e|^2 + 1e-6

by passes of projected Newton: coordinates at a bound that the gradient pushes against stay, the
others are solved for, and what leaves its bounds is cut off. A sample moves no coordinate by more
than half of the way to its limit. Levels of priority are weights, each 1e-4 of the one before;
loops come before all. `emit_controller` writes the step in C.

Reference: Bertsekas, *Projected Newton methods*, SIAM J. Control Optim. 20 (1982) 221.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.difference import DifferenceEquation, Numeric, Operations
from eomc.runtime.inverse_kinematics.tasks import LoopTask, PoseTask, scalar_of
from eomc.runtime.model.arguments import taken, whole
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import Values, initial_state

_DAMPING, _LEAST, _PASSES, _LEVEL = 1e-2, 1e-6, 3, 1e-4
_SHARE = 0.5


class InverseKinematicsStep:
    """Coordinates that follow targets, from sample to sample.

    Parameters
    ----------
    model : CompiledModel
    tasks : tasks as of `inverse_kinematics`
        Targets of frames and of the centre of mass are inputs of the step; those of coordinates are
        constants.
    q : start
    iterations : int
        Of one sample.
    reach : float
        Largest change of a coordinate in an iteration.
    dt : float [s], optional
        Time between samples, for the limits of speeds.

    Examples
    --------
    >>> import eomc
    >>> from eomc.runtime.inverse_kinematics import FrameTask
    >>> model = eomc.Model("crank")
    >>> model.body("arm", mass=1, com=(0.5, 0, 0))
    >>> model.joint("hinge", "revolute", parent="world", child="arm", axis=(0, 0, 1))
    >>> model.frame("tip", body="arm", placement={"xyz": (1, 0, 0)})
    >>> task = FrameTask(frame="tip", position=(0, 1, 0))
    >>> sample = InverseKinematicsStep(eomc.build(model), task, [0.1], iterations=30).begin()
    >>> round(float(sample([0.0, 1.0, 0.0])[0]), 9)
    1.570796327
    """

    def __init__(
        self,
        model: CompiledModel,
        tasks: PoseTask | Sequence[PoseTask],
        q: Values = None,
        *,
        iterations: int = 1,
        reach: float = 2.0,
        dt: float | None = None,
    ) -> None:
        self.model = taken(model)
        self.tasks = [tasks] if isinstance(tasks, PoseTask) else list(tasks)
        for task in self.tasks:
            task.check(self.model)
        if self.model.is_constrained:
            self.tasks.append(LoopTask())
        self.iterations, self.reach = whole("iterations", iterations, 1), reach
        self.start = initial_state(self.model, q, None).q
        speeds = np.full(self.model.nu, np.inf)
        self.farthest = speeds if dt is None else self.model.velocity_limits * dt

    def begin(self) -> Callable[..., Array]:
        """The step in Python: a function of the targets, called at each sample."""
        return self.equation().begin(operations=Numeric(self._call))

    def _call(self, function: str, **values: Any) -> Any:
        names = self.model.inputs_of(function)
        return self.model.function(function)(*[values[name] for name in names])

    def equation(self) -> DifferenceEquation:
        """From the targets to "q"."""
        model = self.model
        inputs: dict[str, tuple[str, ...]] = {}
        functions = ["integrate"]
        for task in self.tasks:
            inputs |= task.targets_of_step()
            functions += task.functions_of_step()

        def step(by: Operations, q: Any, chance: Any, *given: Any) -> tuple[Any, Any]:
            targets = dict(zip(inputs, given, strict=True))
            moved: Any = np.zeros(model.nu)
            for _ in range(self.iterations):
                xi = self._iteration(by, q, moved, targets)
                q, moved = by.call("integrate", q=q, du=xi), moved + xi
            return q, q

        rows = tuple(model.coordinates)
        return DifferenceEquation(
            self.start, inputs, "q", rows, step, functions=tuple(dict.fromkeys(functions))
        )

    def _iteration(self, by: Operations, q: Any, moved: Any, targets: Mapping[str, Any]) -> Any:
        """xi (nu,)"""
        n = self.model.nu
        H: Any = np.zeros((n, n))
        f: Any = np.zeros(n)
        total: Any = 0.0
        first = min(task.priority for task in self.tasks)
        for task in self.tasks:
            e, J = task.rows_of_step(by, self.model, q, targets)
            weight = task.weight * _LEVEL ** (task.priority - first)
            # Sums from left to right, so that zeros of J stay zeros on graphs.
            for error, row in zip(e, J, strict=True):
                used = [k for k in range(n) if not _is_zero(row[k])]
                for i in used:
                    f = _added(f, i, weight * row[i] * error)
                    for j in used:
                        H = _added(H, (i, j), weight * row[i] * row[j])
                total = total + weight * error * error
        mu = _DAMPING * total + _LEAST
        for i in range(n):
            H = _added(H, (i, i), mu)
        low, high = self._bounds(by, q, moved)
        return _bounded_solution(by, H, f, low, high)

    def _bounds(self, by: Operations, q: Any, moved: Any) -> tuple[Any, Any]:
        model = self.model
        places = {name: k for k, name in enumerate(model.coordinates)}
        low, high = [], []
        for k, name in enumerate(model.displacements):
            a, b = -self.reach, self.reach
            place = places.get(name)
            for lower, upper, value, share in (
                (-self.farthest[k], self.farthest[k], moved[k], 1.0),
                *(
                    ()
                    if place is None
                    else ((model.lower[place], model.upper[place], q[place], _SHARE),)
                ),
            ):
                if np.isfinite(lower):
                    a = by.bounded(share * (lower - value), a, self.reach)
                if np.isfinite(upper):
                    b = by.bounded(share * (upper - value), -self.reach, b)
            low.append(a)
            high.append(b)
        return low, high


def _bounded_solution(by: Operations, H: Any, f: Any, low: Any, high: Any) -> Any:
    """xi of min xi^T H xi/2 + f^T xi; see above."""
    n = len(f)
    used = [[j for j in range(n) if not _is_zero(H[i, j])] for i in range(n)]
    free: list[Any] = [1.0] * n
    xi: list[Any] = [scalar_of(by.bounded(0.0, a, b)) for a, b in zip(low, high, strict=True)]
    for _ in range(_PASSES):
        gradient = [sum((H[i, j] * xi[j] for j in used[i]), start=f[i]) for i in range(n)]
        for i in range(n):
            # At a bound that the gradient pushes against.
            below = by.less(low[i], xi[i], 1.0, by.less(0.0, gradient[i], 0.0, 1.0))
            free[i] = scalar_of(by.less(xi[i], high[i], below, by.less(gradient[i], 0.0, 0.0, 1.0)))
        A, b = H.copy(), f.copy()
        for i in range(n):
            b[i] = -free[i] * gradient[i]
            for j in used[i]:
                A[i, j] = H[i, j] * free[i] * free[j] + (1.0 - free[i] if i == j else 0.0)
        change = by.solve_positive(A, b)
        xi = [scalar_of(by.bounded(xi[i] + change[i], low[i], high[i])) for i in range(n)]
    out: Any = np.empty(n, dtype=np.asarray(xi).dtype)
    out[:] = xi
    return out


def _is_zero(x: Any) -> bool:
    return bool(getattr(x, "is_zero", isinstance(x, int | float) and x == 0))


def _added(array: Any, place: Any, x: Any) -> Any:
    """The array with x added, of expressions once x is one."""
    if array.dtype != object and not isinstance(x, int | float):
        array = array.astype(object)
    array[place] = array[place] + x
    return array
