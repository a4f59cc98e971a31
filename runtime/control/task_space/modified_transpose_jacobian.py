"""The modified transpose-Jacobian law, which remembers what it asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.task_space.output import NUMERIC
from eomc.runtime.control.task_space.task import OutputMotion, Task
from eomc.runtime.control.task_space.task_law import Moment, TaskLaw
from eomc.runtime.difference import Operations
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import vector


class ModifiedTransposeJacobian(TaskLaw):
    """Q = J^T Q^,    Q^ = Kp e + Kd e' + k Q^(t - period),

        k = exp(-(norm(e)/e_max + norm(e')/rate_max))

    The force of a moment ago stands for what a model would know: near the path, where k is almost
    1, it makes what `ResolvedAcceleration` computes, and leaves Kp e + Kd e' = 0 approximately.
    Away from the path it is the `TransposeJacobian`. With rows for e_max and rate_max each row of
    the task has a k of its own. The stored force is renewed every `period`, the rest is evaluated
    all the time; during the first period nothing is stored. `Sampled` evaluates all of it at its
    samples, and stores the force of the last one.

    Reference: Moosavian and Papadopoulos, Modified transpose Jacobian control of robotic systems,
    Automatica 43 (2007); Moosavian 1996, equations 5.13 to 5.16.

    Parameters
    ----------
    task, motions, kp, kd : as of `TransposeJacobian`
    e_max, rate_max : number, or (m,)
        Errors and rates of errors that count as large. A number is one of the norms of e and e', a
        row one of each row by itself.
    period : float
        Age of the stored force [s].

    Raises ValueError as of `TransposeJacobian`, and for thresholds or a period that are not
    positive.
    """

    follows = ("y_d", "y_d_rate")

    def __init__(
        self,
        task: Task,
        motions: Sequence[OutputMotion],
        kp: ArrayLike,
        kd: ArrayLike,
        *,
        e_max: ArrayLike,
        rate_max: ArrayLike,
        period: float,
    ) -> None:
        super().__init__(task, motions, kp, kd)
        self.period = float(_positive("period", period, 1)[0])
        self.by_row = np.ndim(e_max) > 0 or np.ndim(rate_max) > 0
        size = task.size if self.by_row else 1
        self.e_max = _positive("e_max", np.broadcast_to(e_max, size), size)
        self.rate_max = _positive("rate_max", np.broadcast_to(rate_max, size), size)
        self._times, self._stored = [-np.inf], [np.zeros(task.size)]

    def begin(self, model: CompiledModel, t: float) -> None:
        """Start a run at time t; nothing is stored."""
        # All of them are kept: the torques of a run are asked for again when it is recorded.
        self._times, self._stored = [-np.inf], [np.zeros(self.task.size)]
        self._first, self._instants = t, 1

    def following(self) -> float:
        """The next instant at which the force is stored."""
        return self._first + self._instants * self.period

    def act(self, t: float, q: Array, u: Array) -> None:
        """Store the force of now."""
        self._stored.append(self.command(t, q, u)[1])
        self._times.append(t)
        self._instants += 1

    def at_samples(self, period: float) -> Callable[[float, Array, Array], Array]:
        """As of `Remembering`: the law at each sample, which stores the force of the last one."""
        stored = self.start

        def sampled(t: float, q: Array, u: Array) -> Array:
            nonlocal stored
            stored, tau = self.formed(*self.moment(t, q, u), stored)
            return np.asarray(self.acts.only(tau))

        return sampled

    @property
    def start(self) -> Array:
        """Nothing is stored."""
        return np.zeros(self.task.size)

    def similarity(self, e: Any, e_rate: Any, by: Operations = NUMERIC) -> Any:
        """k, (1,) or (m,): how far the stored force counts."""
        if self.by_row:
            size, rate = by.elementary("abs", e), by.elementary("abs", e_rate)
        else:
            size, rate = (np.reshape(by.elementary("sqrt", part @ part), 1) for part in (e, e_rate))
        return by.elementary("exp", -remoteness(size, rate, self.e_max, self.rate_max))

    def command(self, t: float, q: Array, u: Array) -> tuple[Array, Array]:
        """J and Q^ (m,), the force on the outputs."""
        by, moment = self.moment(t, q, u)
        return moment.task.jacobian, self._force(by, moment, self._last(t))

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        tau = self.formed(*self.moment(t, q, u), self._last(t))[1]
        return np.asarray(self.acts.only(tau))

    def formed(self, by: Operations, moment: Moment, memory: Any) -> tuple[Any, Any]:
        """As of `TaskLaw`; what is remembered is Q^."""
        force = self._force(by, moment, memory)
        return force, moment.task.jacobian.T @ force

    def _last(self, t: float) -> Array:
        return self._stored[bisect_right(self._times, t) - 1]

    def _force(self, by: Operations, moment: Moment, stored: Any) -> Any:
        e, e_rate, _ = moment.deviation
        k = self.similarity(e, e_rate, by)
        force = commanded_force(self.kp, self.kd, e, e_rate, k, stored)
        return force + moment.wanted["contact"] if "contact" in moment.wanted else force


def remoteness(size: Array, rate: Array, e_max: Array, rate_max: Array) -> Array:
    """-log(k) = size/e_max + rate/rate_max"""
    return size / e_max + rate / rate_max


def commanded_force(
    Kp: Array, Kd: Array, e: Array, e_rate: Array, k: Array, stored: Array
) -> Array:
    """Q^ = Kp e + Kd e' + k Q^(t - period)"""
    return Kp @ e + Kd @ e_rate + k * stored


def _positive(name: str, value: Any, size: int) -> Array:
    numbers = vector(name, value, size)
    if not (numbers > 0).all():
        raise ValueError(f"{name} is {value!r}; give positive numbers")
    return numbers
