"""Base of task-space control laws: a task, the wanted motion of its outputs, and gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.emitted_law import MEASURED
from eomc.runtime.control.gains import gain_matrix
from eomc.runtime.control.task_space.output import OutputError
from eomc.runtime.control.task_space.task import OutputMotion, Task, TaskState
from eomc.runtime.difference import DifferenceEquation, NotEmittableError, Operations
from eomc.runtime.model.compiled import CompiledModel

FOLLOWED = ("y_d", "y_d_rate", "y_d_acceleration")


class Moment(NamedTuple):
    """Arguments of a law: the state, the task in it, its deviation; more references, by name."""

    q: Any
    u: Any
    task: TaskState
    deviation: OutputError
    wanted: Mapping[str, Any]


class TaskLaw:
    """A task, the motions of its outputs, and gains kp, kd (m, m).

    Arguments as of `TransposeJacobian`, which is one of these. The law itself, `formed`, is written
    in the operations of a difference equation: the same lines run here and are emitted as C.

    Attributes
    ----------
    follows : names
        What the law follows of y_d, y_d_rate and y_d_acceleration.
    calls : names
        Of functions of the model that it calls beside those of the outputs.
    """

    follows: tuple[str, ...] = FOLLOWED
    calls: tuple[str, ...] = ()

    def __init__(
        self, task: Task, motions: Sequence[OutputMotion], kp: ArrayLike, kd: ArrayLike
    ) -> None:
        self.task = task
        self.acts = task.acts(type(self).__name__)
        self.wanted = task.wanted(motions)
        self.kp = gain_matrix("kp", kp, task.size)
        self.kd = gain_matrix("kd", kd, task.size)

    @property
    def model(self) -> CompiledModel:
        """The controller's."""
        return self.task.model

    def look(self, t: float, q: Array, u: Array) -> tuple[TaskState, OutputError]:
        """The task at time t, and how far it is from where it should be."""
        state = self.task.at(t, q, u)
        return state, self.task.deviation(state, self.wanted(t))

    def moment(self, t: float, q: Array, u: Array) -> tuple[Operations, Moment]:
        """Operations on the law's model at time t, and the state, task and deviation then."""
        by = self.task.operations(t, q, u)
        state = self.task.seen(by, q, u)
        deviation = self.task.deviation(state, self.wanted(t))
        return by, Moment(q, u, state, deviation, self.beside(t))

    def formed(self, by: Operations, moment: Moment, memory: Any) -> tuple[Any, Any]:
        """The next memory, and the generalized forces (nu,) [N m or N]; a law that has nothing but
        `torque` cannot be emitted."""
        raise NotEmittableError(f"{type(self).__name__} has no difference equation: no formed()")

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """Generalized forces (nu,) [N m or N]."""
        tau = np.asarray(self.formed(*self.moment(t, q, u), self.start)[1], dtype=np.float64)
        found: Array = self.acts.only(tau)
        return found

    @property
    def start(self) -> Array:
        """Memory before the first sample; empty by default."""
        return np.zeros(0)

    def error(self, t: float, q: Array, u: Array) -> Array:
        """e (m,), of the named rows of the task."""
        return self.look(t, q, u)[1].e

    def reference(self, t: float) -> dict[str, Array]:
        """The law's reference at time t, by the names of the step's arguments."""
        rows = [np.concatenate(part) for part in zip(*self.wanted(t), strict=True)]
        return dict(zip(FOLLOWED, rows, strict=True)) | self.beside(t)

    def beside(self, t: float) -> dict[str, Array]:
        """References beside those of the outputs, such as a posture, by name; none by default."""
        return {}

    def followed(self) -> dict[str, tuple[str, ...]]:
        """Names of what `reference` has that the law takes, with names of the entries."""
        rows = dict.fromkeys(FOLLOWED, self.task.names) | {"y_d": self.task.entries}
        return {name: rows[name] for name in self.follows}

    def equation(self, period: float) -> DifferenceEquation:
        """The law at samples, for C.

        Raises NotEmittableError for an output that is not written in its operations, and for a law
        whose `torque` is another than what `formed` says.
        """
        kinds = type(self).__mro__
        first = {name: next(k for k in kinds if name in vars(k)) for name in ("torque", "formed")}
        if kinds.index(first["torque"]) < kinds.index(first["formed"]):
            raise NotEmittableError(
                f"{type(self).__name__} has a torque() of its own; write it as formed() to emit it"
            )
        for output in self.task.outputs:
            if "by" not in signature(output.deviation).parameters:
                raise NotEmittableError(
                    f"{type(output).__name__}: this output is not written in the operations of a "
                    "difference equation; its deviation(), and what begin() makes, lack the "
                    "argument 'by'"
                )
        followed, model = self.followed(), self.model

        def step(
            by: Operations, memory: Any, chance: Any, q: Any, u: Any, *given: Any
        ) -> tuple[Any, Any]:
            reference = dict(zip(followed, given, strict=True))
            state = self.task.seen(by, q, u)
            rows = (reference.get(name, np.zeros(self.task.size)) for name in FOLLOWED)
            deviation = self.task.deviation(state, self.task.parted(*rows), by)
            moment = Moment(q, u, state, deviation, reference)
            after, tau = self.formed(by, moment, memory)
            return after, self.acts.only(tau)

        measured = dict(zip(MEASURED, (model.coordinates, model.speeds), strict=True))
        functions = tuple(dict.fromkeys((*self.task.functions(), *self.calls)))
        return DifferenceEquation(
            self.start,
            measured | followed,
            "tau",
            model.speeds,
            step,
            0,
            functions,
            self.task.assumed_parameters(),
        )


def usable_damping(damping: float) -> float:
    """Damping of an inverse near singular configurations; ValueError below 0 or if not finite."""
    if not (isfinite(damping) and damping >= 0):
        raise ValueError(f"damping is {damping!r}; give 0 or a positive number")
    return damping
