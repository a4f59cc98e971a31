"""A whip: a pendulum of ten links in a plane.

When the wave arrives at the tip, the last links turn many times faster than the first.
"""

from eomc.systems.pendulum import planar_pendulum

model = planar_pendulum(10, length=0.2, mass=0.1, damping=2e-4, rods=True)
start = {"q": {"q1": 2.4}}
