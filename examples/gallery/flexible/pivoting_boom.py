"""The boom of a crane: a truss of 39 nodes and 75 bars, reduced to its lowest modes.

The whole structure turns about the hinge. The hinge angle and the modes are its coordinates.
"""

from eomc.systems.truss_crane import pivoting_boom

model = pivoting_boom(2)
start = {"u": {model.speeds[0]: 0.1}}
