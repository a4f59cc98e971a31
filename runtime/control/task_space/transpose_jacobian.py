"""The transpose-Jacobian law."""

from __future__ import annotations

from typing import Any

from eomc.binding.arrays import Array
from eomc.runtime.control.task_space.task_law import Moment, TaskLaw
from eomc.runtime.difference import Operations


class TransposeJacobian(TaskLaw):
    """Q = J^T (Kp e + Kd e'),    e = y_d - y

    Springs and dampers between the outputs and where they should be; geometry is all the law knows.
    Near singular configurations it degrades but does not fail. At rest and without weight V =
    (u^T M u + e^T Kp e)/2 falls by e'^T Kd e', so that e vanishes where J has full row rank.

    Reference: Craig, *Introduction to Robotics* (2005), sec. 10.8; Moosavian 1996, equation 4.33.

    Parameters
    ----------
    task : Task
    motions : sequence, one entry for each output of the task
        A value to hold, or a function t -> (y, y', y''), such as a profile.
    kp, kd : number, (m,) or (m, m)
        Gains [N/m or N m, N s/m or N m s]; a number or a row stands for a diagonal.

    Raises ValueError for gains and motions of other shapes, or gains that would destabilize.
    """

    follows = ("y_d", "y_d_rate")

    def formed(self, by: Operations, moment: Moment, memory: Any) -> tuple[Any, Any]:
        """As of `TaskLaw`."""
        e, e_rate, _ = moment.deviation
        return memory, transpose_jacobian(moment.task.jacobian, self.kp, self.kd, e, e_rate)


def transpose_jacobian(J: Array, Kp: Array, Kd: Array, e: Array, e_rate: Array) -> Array:
    """Q = J^T (Kp e + Kd e')"""
    return J.T @ (Kp @ e + Kd @ e_rate)
