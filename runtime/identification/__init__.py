"""Inertial numbers of bodies from measured motions and forces.

base = base_parameters(arm)                  # what forces can tell of them
motion = exciting_motion(arm, period=10.0)   # a motion that tells it best
found = identify(arm, q, u, a, tau)          # real bodies, by least squares
"""

from eomc.runtime.identification.base_parameters import BaseParameters, base_parameters
from eomc.runtime.identification.exciting_motion import ExcitingMotion, exciting_motion
from eomc.runtime.identification.identify import Identification, IdentificationError, identify

__all__ = [
    "BaseParameters",
    "ExcitingMotion",
    "Identification",
    "IdentificationError",
    "base_parameters",
    "exciting_motion",
    "identify",
]
