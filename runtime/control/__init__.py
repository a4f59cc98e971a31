"""Controllers: small objects with one method, ``torque(t, q, u)``, for `simulate(controller=)`.

One file a law, with its reference. All of them take errors on the configuration manifold, by the
model's `difference`, so that quaternions are no special case; `FeedbackLinearization` controls
single coordinates. A controller's model may know less than the plant: `StateMap`.
"""

from eomc.runtime.control.actuation import Actuation, actuation
from eomc.runtime.control.allocation import Allocation, allocate
from eomc.runtime.control.combined import Combined
from eomc.runtime.control.computed_torque import ComputedTorque
from eomc.runtime.control.controllability import (
    Controllability,
    ControllabilityError,
    controllability,
)
from eomc.runtime.control.servo_constraints import ServoConstraints
from eomc.runtime.control.feedback_linearization import FeedbackLinearization
from eomc.runtime.control.gravity_compensation import GravityCompensation
from eomc.runtime.control.least_effort import AllocationError, least_effort
from eomc.runtime.control.linear_law import LinearLaw
from eomc.runtime.control.lqr import LQR
from eomc.runtime.control.near_rigid import NearRigid, NearRigidForces
from eomc.runtime.control.observed_regulator import ObservedRegulator
from eomc.runtime.control.pd import PD
from eomc.runtime.control.pid import PID
from eomc.runtime.control.pole_placement import pole_placement
from eomc.runtime.control.reference import Reference
from eomc.runtime.control.regulator import Regulator, regulator
from eomc.runtime.control.sampled import Sampled
from eomc.runtime.control.sampled_regulator import sampled_regulator
from eomc.runtime.control.sensor import ElementSensor, JointForceSensor, Sensor
from eomc.runtime.control.settling import Gains, settling_gains, settling_product
from eomc.runtime.control.state_feedback import StateFeedback
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.linearization.discretization import held

__all__ = [
    "LQR",
    "PD",
    "PID",
    "Actuation",
    "Allocation",
    "AllocationError",
    "Combined",
    "ComputedTorque",
    "Controllability",
    "ControllabilityError",
    "ServoConstraints",
    "ElementSensor",
    "FeedbackLinearization",
    "Gains",
    "GravityCompensation",
    "JointForceSensor",
    "LinearLaw",
    "NearRigid",
    "NearRigidForces",
    "ObservedRegulator",
    "Reference",
    "Regulator",
    "Sampled",
    "Sensor",
    "StateFeedback",
    "StateMap",
    "actuation",
    "allocate",
    "controllability",
    "held",
    "least_effort",
    "pole_placement",
    "regulator",
    "sampled_regulator",
    "settling_gains",
    "settling_product",
]
