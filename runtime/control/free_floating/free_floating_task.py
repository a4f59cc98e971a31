"""Outputs of a robot with a free base, moved by its joints alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eomc.runtime.control.free_floating.free_base import base_of, places
from eomc.runtime.control.free_floating.momentum_unloading import MomentumUnloading
from eomc.runtime.control.task_space.output import TaskOutput
from eomc.runtime.control.task_space.task import Task, TaskState
from eomc.runtime.difference import Operations
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel


class FreeFloatingTask(Task):
    """Outputs by the generalized Jacobian: the base follows the joints, no actuator acts on it.

    The base's rows of the equations of motion, M_bb u_b' + M_bj u_j' + c_b = tau_b, give u_b', so
    that

        y'' = J* u_j' + d,   J* = J_j - J_b M_bb^-1 M_bj,   d = J' u - J_b M_bb^-1 (c_b - tau_b)

    for any momentum; tau_b = 0 without `unloading`. With this task, in place of a `Task`,

    - `ResolvedRate` is resolved motion rate control by the generalized Jacobian,
    - `TransposeJacobian` is control by its transpose (Masutani, Miyazaki and Arimoto 1989),
    - `ResolvedAcceleration` and `OperationalSpace` make the errors of the outputs linear, while the
      base goes where it must. With the attitude of the base itself among the outputs they move the
      joints in the reaction null space, and a posture of `OperationalSpace` moves them there alone.

    Where J* loses rank is a dynamic singularity, which depends on masses and on the path
    (Papadopoulos and Dubowsky 1993).

    References: Umetani and Yoshida, Resolved motion rate control of space manipulators with
    generalized Jacobian matrix, IEEE Trans. Robotics and Automation 5 (1989) 303.

    Parameters
    ----------
    model, outputs, inputs, prescribed, parameters : as of `Task`
    base : as of `FreeBase`
    unloading : MomentumUnloading, optional
        Actuators of the base that remove momentum meanwhile; the task knows what they do.

    Raises ValueError as of `Task` and `FreeBase`.

    >>> import eomc
    >>> from eomc.runtime.control.task_space import Position, ResolvedAcceleration
    >>> from eomc.systems import free_flyer
    >>> robot = eomc.build(free_flyer.planar())
    >>> task = FreeFloatingTask(robot, [Position("arm1_tip", "xy"), Position("arm2_tip", "xy")])
    >>> task.at(0.0, robot.neutral(), robot.neutral()).jacobian[:, :3].any()  # of the base
    np.False_
    """

    def __init__(
        self,
        model: CompiledModel,
        outputs: Sequence[TaskOutput],
        *,
        base: Sequence[str] | str | None = None,
        unloading: MomentumUnloading | None = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        speeds, _ = base_of(model, base)
        self._b, self._j = places(model, speeds)
        self._unloading = unloading
        driven = [name for name in model.speeds if name not in speeds]
        acting = [] if unloading is None else unloading.actuators
        super().__init__(
            model,
            outputs,
            actuators=[*driven, *acting],
            inputs=inputs,
            prescribed=prescribed,
            parameters=parameters,
        )

    def seen(self, by: Operations, q: Any, u: Any) -> TaskState:
        """As of `Task`, by the generalized Jacobian."""
        state = super().seen(by, q, u)
        following = self._following(by, q, u)[0]
        across = state.jacobian[:, self._b] @ following
        J = np.zeros_like(state.jacobian)
        J[:, self._j] = state.jacobian[:, self._j] + across[:, :-1]
        return TaskState(state.seen, J, state.drift + across[:, -1])

    def forces(self, by: Operations, q: Any, u: Any, a: Any) -> Any:
        """Q (nu,) that gives the joints the accelerations in `a`; those of the base follow."""
        following, M, c, tau = self._following(by, q, u)
        a_j, j = a[self._j], self._j
        base = following[:, :-1] @ a_j + following[:, -1]
        tau[j] = M[np.ix_(j, j)] @ a_j + M[np.ix_(j, self._b)] @ base + c[j]
        return tau

    def solve(self, by: Operations, J: Any, y: Any, damping: float = 0.0) -> Any:
        """As of `Task`; without damping as many rows as joints."""
        if damping > 0 or J.shape[1] != self.model.nu:
            return super().solve(by, J, y, damping)
        found = np.zeros_like(J[0])
        found[self._j] = super().solve(by, J[:, self._j], y)
        return found

    def _following(self, by: Operations, q: Any, u: Any) -> tuple[Any, Any, Any, Any]:
        """-M_bb^-1 [M_bj, c_b - tau_b] (nb, nj + 1), M, c, and tau with the base's rows alone."""
        M, c = by.call("mass_matrix", q=q), by.call("bias", q=q, u=u)
        tau = np.zeros_like(c) if self._unloading is None else self._unloading.forces(M, u, by)
        b = self._b
        rows = np.column_stack([M[np.ix_(b, self._j)], c[b] - tau[b]])
        return -by.solve_positive(M[np.ix_(b, b)], rows), M, c, tau
