"""Controllers: small objects with one method, ``torque(t, q, u)``, for `simulate(controller=)`.

One file a law, with its reference. All of them take errors on the configuration manifold, by the
model's `difference`, so that quaternions are no special case.
"""

from eomc.runtime.control.computed_torque import ComputedTorque
from eomc.runtime.control.driven import Driven
from eomc.runtime.control.gravity_compensation import GravityCompensation
from eomc.runtime.control.pd import PD
from eomc.runtime.control.reference import Reference

__all__ = ["PD", "ComputedTorque", "Driven", "GravityCompensation", "Reference"]
