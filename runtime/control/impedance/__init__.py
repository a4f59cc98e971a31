"""Control of what a robot shows to what it touches: M_des e'' + k_d e' + k_p e = -F_c.

One file a law, with its reference; grasps, held objects and estimated forces of contact beside
them. All laws give generalized forces on the speeds, for `simulate(controller=)`.
"""

from eomc.runtime.control.impedance.admittance import Admittance
from eomc.runtime.control.impedance.contact_estimate import ContactEstimate
from eomc.runtime.control.impedance.cooperative_impedance import CooperativeImpedance
from eomc.runtime.control.impedance.desired_impedance import Impedance
from eomc.runtime.control.impedance.grasp import Grasp, grasp_matrix
from eomc.runtime.control.impedance.grasped_object import GraspedObject, MomentumSource
from eomc.runtime.control.impedance.held_object import HeldObject
from eomc.runtime.control.impedance.multiple_impedance import MultipleImpedance
from eomc.runtime.control.impedance.object_impedance import ObjectImpedance

__all__ = [
    "Admittance",
    "ContactEstimate",
    "CooperativeImpedance",
    "Grasp",
    "GraspedObject",
    "HeldObject",
    "Impedance",
    "MomentumSource",
    "MultipleImpedance",
    "ObjectImpedance",
    "grasp_matrix",
]
