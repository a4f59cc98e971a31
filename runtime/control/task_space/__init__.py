"""Control of outputs that the user chooses: points, attitudes, angles, coordinates.

A `Task` stacks outputs of a model with their Jacobian; each law is one file, as is each kind of
output. All give generalized forces on the speeds, for `simulate(controller=)`.
"""

from eomc.runtime.control.task_space.attitude import Attitude
from eomc.runtime.control.task_space.coordinates import Coordinates
from eomc.runtime.control.task_space.euler_angles import EulerAngles
from eomc.runtime.control.task_space.modified_transpose_jacobian import ModifiedTransposeJacobian
from eomc.runtime.control.task_space.operational_space import OperationalSpace
from eomc.runtime.control.task_space.output import TaskOutput
from eomc.runtime.control.task_space.position import Position
from eomc.runtime.control.task_space.resolved_acceleration import ResolvedAcceleration
from eomc.runtime.control.task_space.resolved_rate import ResolvedRate
from eomc.runtime.control.task_space.task import SingularJacobianError, Task
from eomc.runtime.control.task_space.transpose_jacobian import TransposeJacobian

__all__ = [
    "Attitude",
    "Coordinates",
    "EulerAngles",
    "ModifiedTransposeJacobian",
    "OperationalSpace",
    "Position",
    "ResolvedAcceleration",
    "ResolvedRate",
    "SingularJacobianError",
    "Task",
    "TaskOutput",
    "TransposeJacobian",
]
