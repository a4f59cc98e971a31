"""Resolved-rate control: speeds of the joints from rates of the outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.gains import gain_matrix
from eomc.runtime.control.task_space.task import OutputMotion, Task
from eomc.runtime.control.task_space.task_law import Moment, TaskLaw, usable_damping
from eomc.runtime.difference import Operations


class ResolvedRate(TaskLaw):
    """Q = Kv (u_c - u) + g(q),   u_c = J^+ (y_d' + Kp e),   J^+ = J^T (J J^T + damping^2 1)^-1

    Servos follow the commanded speeds u_c, and as they do e' + Kp e = 0. Of a task with fewer rows
    than the model has speeds u_c is the smallest that will do.

    References: Whitney, Resolved motion rate control of manipulators and human prostheses, IEEE
    Trans. Man-Machine Systems 10 (1969) 47; Nakamura and Hanafusa 1986 for the damping.

    Parameters
    ----------
    task, motions : as of `TransposeJacobian`
    kp : number, (m,) or (m, m)
        Gains of the outputs [1/s].
    servo : number, (nu,) or (nu, nu)
        Kv, gains of the servos [N m s/rad or N s/m].
    gravity : bool
        Whether weight is held.
    damping : float
        What bounds u_c near singular configurations.

    Raises SingularJacobianError where J has not its full rank and there is no damping; ValueError
    as of `TransposeJacobian`.
    """

    def __init__(
        self,
        task: Task,
        motions: Sequence[OutputMotion],
        kp: ArrayLike,
        servo: ArrayLike,
        *,
        gravity: bool = False,
        damping: float = 0.0,
    ) -> None:
        super().__init__(task, motions, kp, 0.0)
        self.servo = gain_matrix("servo", servo, task.model.nu)
        self.gravity, self.damping = gravity, usable_damping(damping)

    follows = ("y_d", "y_d_rate")

    @property
    def calls(self) -> tuple[str, ...]:  # type: ignore[override]
        """As of `TaskLaw`."""
        return ("gravity",) if self.gravity else ()

    def speeds(self, t: float, q: Array, u: Array) -> Array:
        """u_c (nu,)"""
        return np.asarray(self._speeds(*self.moment(t, q, u)), dtype=np.float64)

    def _speeds(self, by: Operations, moment: Moment) -> Any:
        J = moment.task.jacobian
        rates = moment.deviation.rate + J @ moment.u + self.kp @ moment.deviation.e
        if self.damping > 0:
            return self.task.solve(by, J, rates, self.damping)
        return J.T @ self.task.solve(by, J @ J.T, rates)

    def formed(self, by: Operations, moment: Moment, memory: Any) -> tuple[Any, Any]:
        """As of `TaskLaw`."""
        tau = self.servo @ (self._speeds(by, moment) - moment.u)
        return memory, tau + by.call("gravity", q=moment.q) if self.gravity else tau
