"""Configurations that attain poses of frames and other tasks, with priorities and limits."""

from eomc.runtime.inverse_kinematics.derivative import pose_derivative
from eomc.runtime.inverse_kinematics.pose import Pose, inverse_kinematics
from eomc.runtime.inverse_kinematics.step import InverseKinematicsStep
from eomc.runtime.inverse_kinematics.tasks import (
    CenterOfMassTask,
    CoordinateTask,
    FrameTask,
    PoseTask,
)

__all__ = [
    "CenterOfMassTask",
    "CoordinateTask",
    "FrameTask",
    "InverseKinematicsStep",
    "Pose",
    "PoseTask",
    "inverse_kinematics",
    "pose_derivative",
]
