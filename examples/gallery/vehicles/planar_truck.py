"""A tractor and its trailer in a plane, on tyres with slip.

Give it speed and push it from the side. Find the damping that brings the trailer back in line.
"""

from eomc.systems.trom import planar_truck

model = planar_truck()
start = {"u": {model.speeds[0]: 15.0, "gamma": 1.5}}
