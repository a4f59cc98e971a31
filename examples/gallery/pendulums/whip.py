"""A whip: a pendulum of ten links in a plane.

The last links turn many times as fast as the first when the wave arrives at the tip.
"""

from eomc.systems.pendulum import planar_pendulum

model = planar_pendulum(10, length=0.2, mass=0.1, damping=2e-4, rods=True)
start = {"q": {"q1": 2.4}}
