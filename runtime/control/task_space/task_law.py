"""What laws of task-space control have in common: a task, where it should be, and gains."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import isfinite

from numpy.typing import ArrayLike

from eomc.runtime.control.gains import gain_matrix
from eomc.runtime.control.task_space.output import Array, Deviation
from eomc.runtime.control.task_space.task import OutputMotion, Task, TaskState


class TaskLaw(ABC):
    """A task, the motions of its outputs, and gains kp, kd (m, m).

    Arguments as of `TransposeJacobian`, which is one of these.
    """

    def __init__(
        self, task: Task, motions: Sequence[OutputMotion], kp: ArrayLike, kd: ArrayLike
    ) -> None:
        self.task = task
        self.wanted = task.wanted(motions)
        self.kp = gain_matrix("kp", kp, task.size)
        self.kd = gain_matrix("kd", kd, task.size)

    def look(self, t: float, q: Array, u: Array) -> tuple[TaskState, Deviation]:
        """The task at time t, and how far it is from where it should be."""
        state = self.task.at(t, q, u)
        return state, self.task.deviation(state, self.wanted(t))

    @abstractmethod
    def torque(self, t: float, q: Array, u: Array) -> Array:
        """Generalized forces (nu,) [N m or N]."""

    def error(self, t: float, q: Array, u: Array) -> Array:
        """e (m,), of the named rows of the task."""
        return self.look(t, q, u)[1].e


def usable_damping(damping: float) -> float:
    """What bounds an inverse near singular configurations; ValueError below 0, or of no number."""
    if not (isfinite(damping) and damping >= 0):
        raise ValueError(f"damping is {damping!r}; give 0 or a positive number")
    return damping
