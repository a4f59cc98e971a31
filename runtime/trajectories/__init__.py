"""Motions over time: position, rate and acceleration at any time, one file a profile.

A profile is a function of time: as the reference of a controller, as the motion of a prescribed
coordinate, or by itself.
"""

from eomc.runtime.trajectories.component import Component
from eomc.runtime.trajectories.fourier_series import FourierSeries
from eomc.runtime.trajectories.inverse_kinematics import InverseKinematics, SlewAndExtend, TwoLinks
from eomc.runtime.trajectories.jet import Jet
from eomc.runtime.trajectories.kepler_orbit import KeplerOrbit
from eomc.runtime.trajectories.parabolic_blend import ParabolicBlend
from eomc.runtime.trajectories.polynomials import Cubic, Quintic
from eomc.runtime.trajectories.profile import Profile, ProfileSample
from eomc.runtime.trajectories.shaping import (
    Shaped,
    Shaper,
    shaper_of,
    zero_vibration,
    zero_vibration_derivative,
)
from eomc.runtime.trajectories.sine_ramp import SineRamp
from eomc.runtime.trajectories.splines import CubicSpline, HermiteSpline, UniformHermiteSpline
from eomc.runtime.trajectories.workspace_entry import workspace_entry

__all__ = [
    "Component",
    "Cubic",
    "CubicSpline",
    "FourierSeries",
    "HermiteSpline",
    "InverseKinematics",
    "Jet",
    "KeplerOrbit",
    "ParabolicBlend",
    "Profile",
    "ProfileSample",
    "Quintic",
    "Shaped",
    "Shaper",
    "SineRamp",
    "SlewAndExtend",
    "TwoLinks",
    "UniformHermiteSpline",
    "shaper_of",
    "workspace_entry",
    "zero_vibration",
    "zero_vibration_derivative",
]
