"""Inverse kinematics by a sequence of bounded least squares, level by level of priority.

A step xi of the level p minimizes

    sum_t w_t |J_t xi + e_t|^2 + mu |xi|^2   over   xi = xi_{p-1} + N_{p-1} z,  low <= xi <= high

where N_{p-1} spans the null space of all levels before, so that none of them is disturbed; bounds
are those of joints and of the length of a step. The damping mu = 0.01 |e|^2 vanishes at the
solution (Sugihara). Closure of loops is the level before all others. Levels after the first are
damped where steps do not reduce the errors, as of targets out of reach (Levenberg and Marquardt).

Reference: Escande, Mansard and Wieber, *Hierarchical quadratic programming*, IJRR 33 (2014);
Sugihara, *Solvability-unconcerned inverse kinematics*, IEEE Trans. Robotics 27 (2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.inverse_kinematics.quadratic_program import bounded_least_squares
from eomc.runtime.inverse_kinematics.tasks import LoopTask, PoseTask
from eomc.runtime.model.arguments import taken
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import Values, initial_state

_DAMPING, _LEAST, _RANK = 1e-2, 1e-12, 1e-6
_ARRIVED = 1e-11
_MERIT, _FIRST = 10.0, 1e-2
"""Weight of a level beside the next one in the merit of a step; damping after a step without."""


@dataclass(frozen=True, eq=False)
class Pose:
    """A configuration that inverse kinematics found.

    Attributes
    ----------
    q : (nq,), or (samples, nq) along a path
    errors : mapping of str to float
        Length of the error of each task, the largest along a path.
    success : bool
        Whether the tasks of the first priority, and loops, are attained.
    iterations, restarts : int
    reason : str
        Why not: the task, and the limits that act.
    missed : tuple of str
        Tasks of any priority that are not attained.
    """

    q: Array
    errors: dict[str, float]
    success: bool
    iterations: int
    restarts: int
    reason: str
    missed: tuple[str, ...] = ()


def inverse_kinematics(
    model: CompiledModel,
    tasks: PoseTask | Sequence[PoseTask],
    q: Values = None,
    *,
    limits: bool = True,
    restarts: int = 20,
    seed: int = 0,
    tolerance: float = 1e-9,
    reach: float = 0.3,
    iterations: int = 200,
    dt: float | None = None,
) -> Pose:
    """Find a configuration, or a path of such, that attains tasks.

    Parameters
    ----------
    model : CompiledModel
        With loops and floating bases, too.
    tasks : `FrameTask`, `CenterOfMassTask`, `CoordinateTask`, or several
        Of frames with targets of a leading dimension: a path, each pose from the one before.
    q : start
    limits : bool
        Whether coordinates stay within the limits of their joints.
    restarts : int
        Random starts within the limits if the tasks are not attained; none along a path.
    tolerance : float
        Error of an attained task [m, rad].
    reach : float
        Largest change of a coordinate in an iteration [rad or m].
    iterations : int
        Of one start.
    dt : float [s], optional
        Time between samples of a path, for the limits of speeds.

    Raises TypeError for what is no task, KeyError or ValueError for unknown names and targets of
    other shapes.
    """
    model = taken(model)
    several = [tasks] if isinstance(tasks, PoseTask) else list(tasks)
    if not several:
        raise ValueError("tasks: give at least one")
    for task in several:
        if not isinstance(task, PoseTask):
            raise TypeError(
                f"tasks: {task!r} is no task; give FrameTask(frame, position), CenterOfMassTask or "
                "CoordinateTask"
            )
        task.check(model)
    lengths = {task.samples for task in several} - {0}
    if len(lengths) > 1:
        raise ValueError(f"tasks: paths of {' and '.join(map(str, sorted(lengths)))} samples")
    search = _Search(model, several, limits, tolerance, reach, iterations)
    start = initial_state(model, q, None).q
    if not lengths:
        return search.restarted(start, restarts, np.random.default_rng(seed))
    rows, found = list[Array](), list[Pose]()
    for k in range(lengths.pop()):
        speed = model.velocity_limits * dt if dt is not None and rows else None
        pose = search.at([task.at(k) for task in several], start, speed)
        rows.append(start := pose.q)
        found.append(pose)
    worst = next((f"sample {k}: {p.reason}" for k, p in enumerate(found) if not p.success), "")
    errors = {name: max(p.errors[name] for p in found) for name in found[0].errors}
    total = sum(p.iterations for p in found)
    missed = tuple(dict.fromkeys(name for p in found for name in p.missed))
    return Pose(np.array(rows), errors, not worst, total, 0, worst, missed)


class _Search:
    """Steps from one configuration to the next."""

    def __init__(
        self,
        model: CompiledModel,
        tasks: Sequence[PoseTask],
        limits: bool,
        tolerance: float,
        reach: float,
        iterations: int,
    ) -> None:
        self.model, self.tasks = model, list(tasks)
        self.tolerance, self.reach, self.iterations = tolerance, reach, iterations
        self.integrate = model.function("integrate")
        # Places of the coordinate that each displacement moves, -1 of those of quaternions.
        places = {name: k for k, name in enumerate(model.coordinates)}
        self.place = np.array([places.get(name, -1) for name in model.displacements])
        inside = limits & (self.place >= 0)
        self.lower = np.where(inside, model.lower[self.place], -np.inf)
        self.upper = np.where(inside, model.upper[self.place], np.inf)

    def restarted(self, q: Array, restarts: int, rng: np.random.Generator) -> Pose:
        """The first success, else the best."""
        best = self.at(self.tasks, q, None)
        for k in range(restarts):
            if best.success:
                break
            other = self.at(self.tasks, self.model.random_configuration(rng), None)
            total, better = best.iterations + other.iterations, self._first(other)
            chosen = other if other.success or better < self._first(best) else best
            best = replace(chosen, iterations=total, restarts=k + 1)
        return best

    def _first(self, pose: Pose) -> float:
        """Error of the tasks of the first priority."""
        first = min(task.priority for task in self.tasks)
        return sum(pose.errors[str(t)] for t in self.tasks if t.priority == first)

    def at(self, tasks: Sequence[PoseTask], q: Array, speed: Array | None) -> Pose:
        """From one start; `speed` bounds the change (nu,) from it."""
        everything = [*([LoopTask()] if self.model.is_constrained else []), *tasks]
        levels = sorted({task.priority for task in everything})
        moved, active = np.zeros(self.model.nu), np.zeros(self.model.nu, dtype=bool)
        count, damping, before = 0, 0.0, np.inf
        for _ in range(self.iterations):
            count += 1
            low, high = self._bounds(q, moved, speed)
            stacked = [
                _stacked([t for t in everything if t.priority == level], self.model, q)
                for level in levels
            ]
            size = sum(_MERIT**-k * float(np.linalg.norm(e)) for k, (e, _) in enumerate(stacked))
            damping = max(4 * damping, _FIRST) if size > before else damping / 2
            before = size
            step = _step(stacked, low, high, damping)
            active = (np.abs(step - low) < _LEAST) | (np.abs(step - high) < _LEAST)
            q, moved = np.asarray(self.integrate(q, step)), moved + step
            if np.abs(step).max(initial=0.0) < _ARRIVED:
                break
        errors = {str(t): float(np.linalg.norm(t.error(self.model, q)[0])) for t in everything}
        first = {str(t) for t in everything if t.priority <= max(levels[0], 0)}
        missed = tuple(name for name, error in errors.items() if error > self.tolerance)
        needed = [name for name in missed if name in first]
        return Pose(q, errors, not needed, count, 0, self._reason(needed, errors, active), missed)

    def _bounds(self, q: Array, moved: Array, speed: Array | None) -> tuple[Array, Array]:
        """Of the step: limits of joints and of speeds, and `reach`; zero is always inside."""
        value = np.where(self.place >= 0, q[self.place], 0.0)
        low, high = self.lower - value, self.upper - value
        if speed is not None:
            low, high = np.maximum(low, -speed - moved), np.minimum(high, speed - moved)
        # Outside its limits a joint returns as far as a step reaches.
        low = np.clip(low, -self.reach, self.reach)
        return low, np.maximum(np.clip(high, -self.reach, self.reach), low)

    def _reason(self, missed: list[str], errors: dict[str, float], active: Array) -> str:
        if not missed:
            return ""
        told = " and ".join(f"{name} misses by {errors[name]:.3g}" for name in missed)
        names = [self.model.displacements[k] for k in np.flatnonzero(active)]
        return f"{told}: out of reach, or a local minimum" + (
            f"; at the limits of {', '.join(names)}" if names else ""
        )


def _stacked(tasks: Sequence[PoseTask], model: CompiledModel, q: Array) -> tuple[Array, Array]:
    """(e, J) of tasks of one priority, weighted."""
    found = [(np.sqrt(t.weight), *t.error(model, q)) for t in tasks]
    return np.concatenate([w * e for w, e, _ in found]), np.concatenate(
        [w * J for w, _, J in found]
    )


def _step(levels: Sequence[tuple[Array, Array]], low: Array, high: Array, damping: float) -> Array:
    """xi of all levels, those after the first damped."""
    n = len(low)
    # Bounds that exclude zero are those of joints outside their limits, which move first.
    xi, N = np.clip(np.zeros(n), low, high), np.eye(n)
    for k, (e, J) in enumerate(levels):
        A = J @ N
        size = float(np.linalg.norm(A, 2)) if A.size else 0.0
        mu = _LEAST * max(size**2, 1e-6) + (damping if k else _DAMPING * float(e @ e))
        z = bounded_least_squares(A, e + J @ xi, mu, N, low - xi, high - xi)
        xi = np.clip(xi + N @ z, low, high)
        if k + 1 < len(levels):
            _, s, V = np.linalg.svd(A)
            rank = int((s > _RANK * max(size, _LEAST)).sum())
            N = N @ V[rank:].T
            if not N.shape[1]:
                break
    return xi
