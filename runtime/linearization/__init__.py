"""Linearization: small motions about any state, their modes, sensitivities and responses.

linear = linearize(model, equilibrium(model))
linear.mass, linear.damping, linear.stiffness
linear.A, linear.B, linear.C, linear.D
linear.modes().table()
"""

from eomc.runtime.derivatives.differencing import Steps
from eomc.runtime.derivatives.user_force import UserForce
from eomc.runtime.linearization.critical_speeds import CriticalSpeed, critical_speeds
from eomc.runtime.linearization.frequency_response import FrequencyResponse
from eomc.runtime.linearization.linear_model import LinearModel
from eomc.runtime.linearization.linearize import linearize
from eomc.runtime.linearization.modes import Modes, UndampedModes, undamped_modes
from eomc.runtime.linearization.pencil import unreduced_eigenvalues
from eomc.runtime.linearization.sequence import LinearSequence, linearize_along
from eomc.runtime.linearization.speed_form import SpeedForm, speed_form

__all__ = [
    "CriticalSpeed",
    "FrequencyResponse",
    "LinearModel",
    "LinearSequence",
    "Modes",
    "SpeedForm",
    "Steps",
    "UndampedModes",
    "UserForce",
    "critical_speeds",
    "linearize",
    "linearize_along",
    "speed_form",
    "undamped_modes",
    "unreduced_eigenvalues",
]
