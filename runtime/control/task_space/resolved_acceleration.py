"""Computed torque in task space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from eomc.runtime.control.task_space.task import OutputMotion, Task
from eomc.runtime.control.task_space.task_law import Moment, TaskLaw, usable_damping
from eomc.runtime.difference import Operations


class ResolvedAcceleration(TaskLaw):
    """M u' + c = Q is, in the rates of the outputs,

        M^ y'' + c^ = Q^,    M^ = J^-T M J^-1,    c^ = J^-T c - M^ J' u,    Q^ = J^-T Q

    The law asks for

        Q = J^T (M^ v + c^),    v = y_d'' + Kd e' + Kp e,    e = y_d - y

    and with an exact model e'' + Kd e' + Kp e = 0. It is evaluated without inverting M, as

        Q = M a + c,    a = J^-1 (v - J' u).

    Of an `Attitude` e and v are those that keep the error of the Euler parameters linear.

    References: Luh, Walker and Paul, Resolved-acceleration control of mechanical manipulators, IEEE
    Trans. Automatic Control 25 (1980); Khatib, IEEE J. Robotics and Automation 3 (1987); Moosavian
    1996, equations 4.9 to 4.16 (model-based law 1; with attitudes 4.17 to 4.32, law 2).

    Parameters
    ----------
    task, motions : as of `TransposeJacobian`
        With as many rows as the model has speeds, unless there is damping.
    kp, kd : number, (m,) or (m, m)
        Gains [1/s^2, 1/s]; a number or a row stands for a diagonal.
    damping : float
        With damping a = J^T (J J^T + damping^2 1)^-1 (v - J' u), which stays bounded near singular
        configurations.

    Raises SingularJacobianError where J is singular and there is no damping, and ValueError as of
    `TransposeJacobian`.
    """

    calls = ("inverse_dynamics",)

    def __init__(
        self,
        task: Task,
        motions: Sequence[OutputMotion],
        kp: ArrayLike,
        kd: ArrayLike,
        *,
        damping: float = 0.0,
    ) -> None:
        super().__init__(task, motions, kp, kd)
        self.damping = usable_damping(damping)

    def formed(self, by: Operations, moment: Moment, memory: Any) -> tuple[Any, Any]:
        """As of `TaskLaw`."""
        q, u, state, (e, e_rate, acceleration), _ = moment
        v = acceleration + self.kd @ e_rate + self.kp @ e
        a = self.task.solve(by, state.jacobian, v - state.drift, self.damping)
        return memory, self.task.forces(by, q, u, a)
