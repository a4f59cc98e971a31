"""The two captures of Moosavian's thesis.

Section 4.4.2 prints the planar one but for the standoff, the reach and the directions of the
mounts; of the spatial one, section 4.4.3, only masses, gains, limits and some times survive. What
is not printed was chosen so that the printed times come out.
"""

from __future__ import annotations

from eomc.systems.free_flyer.tables import PLANAR, SPATIAL
from eomc_published.moosavian.capture.maneuver import Capture

PLANAR_CAPTURE = Capture(
    flyer=PLANAR,
    position=(-0.04849557, -0.06588084, 0.0),
    attitude=(0.0, 0.0, -30.0),
    velocity=(0.01, 0.01, 0.0),
    attitude_rate=(0.0, 0.0, 0.001),
    home=(45.0, 90.0, 135.0, -90.0, 30.0),
    object_position=(3.0, 4.0, 0.0),
    object_velocity=(0.05, 0.10, 0.0),
    standoff=1.0,
    duration=15.0,
    turning_time=10.5,
    acceleration=0.2,
    deceleration=0.04,
    turn_acceleration=0.05,
    turn_deceleration=0.025,
    reach=2.0,
)

SPATIAL_CAPTURE = Capture(
    flyer=SPATIAL,
    position=(0.0, 0.0, 0.0),
    attitude=(5.0, 5.0, 5.0),
    velocity=(0.005, 0.005, 0.01),
    attitude_rate=(0.0, 0.0, 0.0),
    home=(0.0, 60.0, 100.0, 180.0, -60.0, -100.0, 0.0, 60.0),
    object_position=(3.0, 4.0, 10.0),
    object_velocity=(0.03, 0.04, 0.1),
    standoff=1.6,
    duration=60.0,
    turning_time=45.0,
    acceleration=0.038,
    deceleration=0.038,
    turn_acceleration=0.005,
    turn_deceleration=0.0025,
    reach=1.2,
)
