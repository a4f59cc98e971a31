"""Derivatives of configurations of inverse kinematics by their targets.

Where tasks are attained, J dxi = dX level by level: of the level p

    dxi_p = dxi_{p-1} + (J_p N_{p-1})^+ (dX_p - J_p dxi_{p-1})

over the coordinates that are not at a limit, with N_{p-1} the null space of the levels before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.inverse_kinematics.pose import Pose
from eomc.runtime.inverse_kinematics.tasks import LoopTask, PoseTask
from eomc.runtime.model.arguments import taken
from eomc.runtime.model.compiled import CompiledModel

_RANK, _AT = 1e-8, 1e-9


def pose_derivative(
    model: CompiledModel, tasks: PoseTask | Sequence[PoseTask], pose: Pose
) -> dict[str, Array]:
    """dxi/dX (nu, rows) of each task: tangent displacements by displacements of its target.

    Rows are those of the task's error; rotations of a target are in world axes. Loops stay closed,
    coordinates at a limit stay there. Exact for tasks of the first priority that are attained, and
    for later ones that are; ValueError for a path.

    >>> import eomc
    >>> from eomc.runtime.inverse_kinematics import FrameTask, inverse_kinematics
    >>> model = eomc.Model("slide")
    >>> model.body("block", mass=1)
    >>> model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    >>> slide = eomc.build(model)
    >>> task = FrameTask(frame="block", position=(0.2, np.nan, np.nan))
    >>> pose = inverse_kinematics(slide, task)
    >>> pose_derivative(slide, task, pose)["frame 'block'"].tolist()
    [[1.0]]
    """
    model = taken(model)
    if pose.q.ndim != 1:
        raise ValueError("pose: give one pose, not a path")
    several: list[PoseTask] = [tasks] if isinstance(tasks, PoseTask) else list(tasks)
    if model.is_constrained:
        several = [LoopTask(), *several]
    levels = sorted({task.priority for task in several})
    rows = [(task, task.error(model, pose.q)[1]) for task in several]
    total = sum(len(J) for _, J in rows)
    places = {name: k for k, name in enumerate(model.coordinates)}
    at = np.array([places.get(name, -1) for name in model.displacements])
    value = pose.q[at]
    stopped = (value <= model.lower[at] + _AT) | (value >= model.upper[at] - _AT)
    N = np.eye(model.nu)[:, ~(stopped & (at >= 0))]
    by, columns, first = np.zeros((model.nu, total)), np.eye(total), 0
    own = {}
    for task, J in rows:
        own[id(task)] = slice(first, first := first + len(J))
    for level in levels:
        now = [(t, J, np.sqrt(t.weight)) for t, J in rows if t.priority == level]
        J = np.concatenate([w * J for _, J, w in now])
        dX = np.concatenate([w * columns[own[id(t)]] for t, _, w in now])
        A = J @ N
        by = by + N @ np.linalg.pinv(A, rcond=_RANK) @ (dX - J @ by)
        _, s, V = np.linalg.svd(A)
        N = N @ V[int((s > _RANK * s.max(initial=0.0)).sum()) :].T
    return {str(t): by[:, own[id(t)]] for t, _ in rows if not isinstance(t, LoopTask)}
