"""Control of mechanisms that bend: slow motion of the joints, fast vibration about it.

One file an idea: the two subsystems, the regulator of the fast one, the rigid motion with its
forces, the composite law, gains along a motion, the observer of what bends.
"""

from eomc.runtime.control.flexible.composite_control import CompositeControl
from eomc.runtime.control.flexible.fast_regulator import FastRegulator, fast_regulator
from eomc.runtime.control.flexible.gain_schedule import GainSchedule
from eomc.runtime.control.flexible.modal_observer import ModalObserver, ObservedControl
from eomc.runtime.control.flexible.rigid_motion import RigidMotion
from eomc.runtime.control.flexible.slow_fast import RigidForces, SlowFast
from eomc.runtime.control.flexible.subsystems import Subsystems

__all__ = [
    "CompositeControl",
    "FastRegulator",
    "GainSchedule",
    "ModalObserver",
    "ObservedControl",
    "RigidForces",
    "RigidMotion",
    "SlowFast",
    "Subsystems",
    "fast_regulator",
]
