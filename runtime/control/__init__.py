"""Controllers: small objects with one method, ``torque(t, q, u)``, for `simulate(controller=)`.

One file a law, with its reference. All of them take errors on the configuration manifold, by the
model's `difference`, so that quaternions are no special case; `FeedbackLinearization` controls
single coordinates. A controller's model may know less than the plant: `StateMap`.
"""

from typing import NoReturn

from eomc.runtime.control.actuation import actuation
from eomc.runtime.control.allocation import allocate
from eomc.runtime.control.combined import Combined
from eomc.runtime.control.computed_torque import ComputedTorque
from eomc.runtime.control.controllability import controllability
from eomc.runtime.control.feedback_linearization import FeedbackLinearization
from eomc.runtime.control.gravity_compensation import GravityCompensation
from eomc.runtime.control.linear_law import LinearLaw
from eomc.runtime.control.lqr import LQR
from eomc.runtime.control.near_rigid import NearRigid
from eomc.runtime.control.observed_regulator import ObservedRegulator
from eomc.runtime.control.pd import PD
from eomc.runtime.control.pid import PID
from eomc.runtime.control.pole_placement import pole_placement
from eomc.runtime.control.regulator import regulator
from eomc.runtime.control.sampled import Sampled
from eomc.runtime.control.sampled_regulator import sampled_regulator
from eomc.runtime.control.sensor import ElementSensor, JointForceSensor, Sensor
from eomc.runtime.control.servo_constraints import ServoConstraints
from eomc.runtime.control.settling import settling_gains
from eomc.runtime.control.state_feedback import StateFeedback
from eomc.runtime.linearization.discretization import zero_order_hold

__all__ = [
    "LQR",
    "PD",
    "PID",
    "Combined",
    "ComputedTorque",
    "ElementSensor",
    "FeedbackLinearization",
    "GravityCompensation",
    "JointForceSensor",
    "LinearLaw",
    "NearRigid",
    "ObservedRegulator",
    "Sampled",
    "Sensor",
    "ServoConstraints",
    "StateFeedback",
    "actuation",
    "allocate",
    "controllability",
    "pole_placement",
    "regulator",
    "sampled_regulator",
    "settling_gains",
    "zero_order_hold",
]


def __getattr__(name: str) -> NoReturn:
    from eomc.runtime.names.renamed import moved

    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{moved(__name__, name)}")
