"""Operational-space control of arms with more joints than the task has rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.control.gains import critical_damping, gain_matrix
from eomc.runtime.control.reference import ReferenceMotion, reference_motion
from eomc.runtime.control.task_space.output import Array
from eomc.runtime.control.task_space.task import OutputMotion, Task
from eomc.runtime.control.task_space.task_law import TaskLaw, usable_damping


class OperationalSpace(TaskLaw):
    """Q = M a + c,   a = a_0 + M^-1 J^T L (v - J' u - J a_0),   L = (J M^-1 J^T)^-1

    with v = y_d'' + Kd e' + Kp e, so that e'' + Kd e' + Kp e = 0, while the posture's wish a_0 acts
    in the null space alone: J M^-1 J^T L = 1, and what a_0 does to the outputs is taken back with
    the least kinetic energy of acceleration. L is the operational-space inertia.

    Reference: Khatib, A unified approach for motion and force control of robot manipulators: the
    operational space formulation, IEEE J. Robotics and Automation 3 (1987) 43.

    Parameters
    ----------
    task, motions, kp, kd : as of `ResolvedAcceleration`
        With at most as many rows as the model has speeds.
    posture : (nq,) array, mapping of names to values, or function t -> (q, u, a), optional
        What the joints are drawn to, as far as the task lets them; without it they are slowed down.
    posture_kp, posture_kd : number, (nu,) or (nu, nu)
        a_0 = a + posture_kd (u_d - u) + posture_kp difference(q, q_d); without `posture_kd` it is
        critically damped.
    damping : float
        With damping L = (J M^-1 J^T + damping^2 1)^-1, bounded near singular configurations.

    Raises SingularJacobianError, with the rows that are lost, where J has not its full rank and
    there is no damping; ValueError as of `TransposeJacobian`.
    """

    def __init__(
        self,
        task: Task,
        motions: Sequence[OutputMotion],
        kp: ArrayLike,
        kd: ArrayLike,
        *,
        posture: ReferenceMotion = None,
        posture_kp: ArrayLike = 1.0,
        posture_kd: ArrayLike | None = None,
        damping: float = 0.0,
    ) -> None:
        super().__init__(task, motions, kp, kd)
        nu = task.model.nu
        if task.size > nu:
            raise ValueError(f"the task has {task.size} rows, the model {nu} speeds; give fewer")
        self.damping = usable_damping(damping)
        self.posture = None if posture is None else reference_motion(task.model, posture)
        self.posture_kp = gain_matrix("posture_kp", posture_kp, nu)
        given = posture_kd is not None
        self.posture_kd = (
            gain_matrix("posture_kd", posture_kd, nu)  # type: ignore[arg-type]
            if given
            else critical_damping(self.posture_kp)
        )

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        state, (e, e_rate, acceleration) = self.look(t, q, u)
        v = acceleration + self.kd @ e_rate + self.kp @ e
        J, a = state.jacobian, self.wish(t, q, u)
        reach = np.linalg.solve(self.task.call("mass_matrix", t, q, u), J.T)
        a = a + reach @ self._inertia(J @ reach) @ (v - state.drift - J @ a)
        return self.task.call("inverse_dynamics", t, q, u, a=a)

    def wish(self, t: float, q: Array, u: Array) -> Array:
        """a_0 (nu,), what the posture would have the joints do."""
        if self.posture is None:
            return -self.posture_kd @ u
        goal = self.posture(t)
        error = self.task.call("difference", t, q, u, q0=q, q1=goal.q)
        return goal.a + self.posture_kd @ (goal.u - u) + self.posture_kp @ error

    def _inertia(self, compliance: Array) -> Array:
        """L (m, m)"""
        if self.damping > 0:
            return np.asarray(np.linalg.inv(compliance + self.damping**2 * np.eye(len(compliance))))
        return self.task.inverse(compliance)
