"""Inverse kinematics as the step of a controller: a fixed number of bounded damped least squares.

A sample moves the coordinates by `iterations` steps xi of

    minimize sum_t w_t |J_t xi + e_t|^2 + mu |xi|^2,   low <= xi <= high,   mu = 0.01 |e|^2 + 1e-6

Bounds are kept by `_PASSES` passes: an unbounded solution, then coordinates beyond their bounds are
fixed at them and the others solved again. Levels of priority are weights, each 1e-4 of the one
before; loops come before all. `emit_controller` writes the step in C.
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
        reach: float = 0.3,
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
            for lower, upper, value in (
                (-self.farthest[k], self.farthest[k], moved[k]),
                *(() if place is None else ((model.lower[place], model.upper[place], q[place]),)),
            ):
                if np.isfinite(lower):
                    a = by.bounded(lower - value, a, self.reach)
                if np.isfinite(upper):
                    b = by.bounded(upper - value, -self.reach, b)
            low.append(a)
            high.append(b)
        return low, high


def _bounded_solution(by: Operations, H: Any, f: Any, low: Any, high: Any) -> Any:
    """xi of min xi^T H xi/2 + f^T xi; see above."""
    n = len(f)
    free: list[Any] = [1.0] * n
    xi: list[Any] = [0.0] * n
    for k in range(_PASSES):
        A, b = H, -f
        if k:
            A, b = H.copy(), f.copy()
            for i in range(n):
                rest = sum(
                    (
                        H[i, j] * ((1.0 - free[j]) * xi[j])
                        for j in range(n)
                        if not _is_zero(H[i, j])
                    ),
                    start=f[i],
                )
                b[i] = (1.0 - free[i]) * xi[i] - free[i] * rest
                for j in range(n):
                    if not _is_zero(H[i, j]):
                        A[i, j] = H[i, j] * free[i] * free[j] + (1.0 - free[i] if i == j else 0.0)
        found = by.solve_positive(A, b)
        for i in range(n):
            bounded = by.bounded(found[i], low[i], high[i])
            inside = by.less(bounded, found[i], 0.0, by.less(found[i], bounded, 0.0, 1.0))
            xi[i], free[i] = scalar_of(bounded), scalar_of(free[i] * inside)
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
