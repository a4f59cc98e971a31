"""The transpose-Jacobian law."""

from __future__ import annotations

from eomc.runtime.control.task_space.output import Array
from eomc.runtime.control.task_space.task_law import TaskLaw


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

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        state, deviation = self.look(t, q, u)
        return transpose_jacobian(state.jacobian, self.kp, self.kd, deviation.e, deviation.rate)


def transpose_jacobian(J: Array, Kp: Array, Kd: Array, e: Array, e_rate: Array) -> Array:
    """Q = J^T (Kp e + Kd e')"""
    return J.T @ (Kp @ e + Kd @ e_rate)
