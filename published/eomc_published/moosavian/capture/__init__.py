"""Maneuvers in which a free-flyer chases an object and meets it with both arms.

    PLANAR_CAPTURE, SPATIAL_CAPTURE    the two maneuvers of the literature, as data
    fly(plan, law)                     simulates one under a law of control

Moosavian 1996, chapter 4.
"""

from eomc_published.moosavian.capture.actuators import Actuators, limited
from eomc_published.moosavian.capture.maneuver import Capture
from eomc_published.moosavian.capture.run import CapturePhase, CaptureRun, fly, heavier
from eomc_published.moosavian.capture.scenarios import PLANAR_CAPTURE, SPATIAL_CAPTURE

__all__ = [
    "PLANAR_CAPTURE",
    "SPATIAL_CAPTURE",
    "Actuators",
    "Capture",
    "CapturePhase",
    "CaptureRun",
    "fly",
    "heavier",
    "limited",
]
