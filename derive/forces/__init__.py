"""Force elements: one file a kind. They are summed in the order of the imports."""

from eomc.derive.elements.element import ForceElement, element
from eomc.derive.elements.fields import (
    AtPoint,
    Direction,
    Number,
    body,
    choice,
    direction,
    number,
    point,
)
from eomc.derive.elements.scope import FORCE
from eomc.derive.elements.state import ElementState
from eomc.derive.forces.applied_force import PointForce
from eomc.derive.forces.applied_torque import PointTorque
from eomc.derive.forces.central_gravity import CentralGravity

# isort: split
from eomc.derive.forces import cut_joint_losses, elasticity, joint_losses

# isort: split
from eomc.derive.forces.joint_spring import JointSpring
from eomc.derive.forces.point_spring import PointSpring
from eomc.derive.forces.potential import Potential

# isort: split
from eomc.derive.forces.generalized_force import GeneralizedForce

# isort: split
from eomc.derive.forces.bristle import Bristle
from eomc.derive.forces.cable import Cable
from eomc.derive.forces.lag import Lag
from eomc.derive.forces.state import State
from eomc.derive.scene.loads import AllLoads, Loads, Scene, all_loads

__all__ = [
    "FORCE",
    "AllLoads",
    "AtPoint",
    "Bristle",
    "Cable",
    "CentralGravity",
    "Direction",
    "ElementState",
    "ForceElement",
    "GeneralizedForce",
    "JointSpring",
    "Lag",
    "Loads",
    "Number",
    "PointForce",
    "PointSpring",
    "PointTorque",
    "Potential",
    "Scene",
    "State",
    "all_loads",
    "body",
    "choice",
    "cut_joint_losses",
    "direction",
    "elasticity",
    "element",
    "joint_losses",
    "number",
    "point",
]
