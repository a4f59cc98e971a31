"""Operational-space control of arms with more joints than the task has rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.gains import critical_damping, gain_matrix
from eomc.runtime.control.reference import ReferenceMotion, reference_motion
from eomc.runtime.control.task_space.task import OutputMotion, Task
from eomc.runtime.control.task_space.task_law import Moment, TaskLaw, usable_damping
from eomc.runtime.difference import Operations


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

    calls = ("mass_matrix", "inverse_dynamics", "difference")

    def formed(self, by: Operations, moment: Moment, memory: Any) -> tuple[Any, Any]:
        """As of `TaskLaw`."""
        q, u, state, (e, e_rate, acceleration), _ = moment
        v = acceleration + self.kd @ e_rate + self.kp @ e
        J, a = state.jacobian, self._wish(by, moment)
        reach = by.solve_positive(by.call("mass_matrix", q=q), J.T)
        a = a + reach @ self._force(by, J @ reach, v - state.drift - J @ a)
        return memory, self.task.forces(by, q, u, a)

    def beside(self, t: float) -> dict[str, Array]:
        """The posture's motion."""
        if self.posture is None:
            return {}
        return dict(zip(("q_d", "u_d", "a_d"), self.posture(t), strict=True))

    def followed(self) -> dict[str, tuple[str, ...]]:
        """As of `TaskLaw`, and the posture's motion."""
        found, model = super().followed(), self.model
        if self.posture is not None:
            found |= {"q_d": model.coordinates, "u_d": model.speeds, "a_d": model.speeds}
        return found

    def wish(self, t: float, q: Array, u: Array) -> Array:
        """a_0 (nu,), what the posture would have the joints do."""
        return np.asarray(self._wish(*self.moment(t, q, u)), dtype=np.float64)

    def _wish(self, by: Operations, moment: Moment) -> Any:
        if self.posture is None:
            return -self.posture_kd @ moment.u
        q_d, u_d, a_d = (moment.wanted[name] for name in ("q_d", "u_d", "a_d"))
        error = by.call("difference", q0=moment.q, q1=q_d)
        return a_d + self.posture_kd @ (u_d - moment.u) + self.posture_kp @ error

    def _force(self, by: Operations, compliance: Any, lacking: Any) -> Any:
        """L times the acceleration of the outputs that is lacking, (m,)."""
        if self.damping > 0:
            damped = compliance + self.damping**2 * np.eye(len(compliance))
            return by.solve_positive(damped, lacking)
        return self.task.solve(by, compliance, lacking)
