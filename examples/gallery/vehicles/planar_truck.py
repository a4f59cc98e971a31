"""A tractor and its trailer in a plane, on tyres with slip.

Stopped it does nothing; give it speed and a push from the side, and see which damping brings the
trailer back in line.
"""

from eomc.systems.trom import planar_truck

model = planar_truck()
start = {"u": {model.speeds[0]: 15.0, "gamma": 1.5}}
