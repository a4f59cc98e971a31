"""Configurations that attain poses of frames and other tasks, with priorities and limits."""

from eomc.runtime.inverse_kinematics.pose import Pose, inverse_kinematics
from eomc.runtime.inverse_kinematics.tasks import CenterOfMassTask, CoordinateTask, FrameTask, Task

__all__ = ["CenterOfMassTask", "CoordinateTask", "FrameTask", "Pose", "Task", "inverse_kinematics"]
