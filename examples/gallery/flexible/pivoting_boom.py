"""The boom of a crane: a truss of 39 nodes and 75 bars, reduced to its lowest modes.

What turns about the hinge is the whole structure; its modes are coordinates like the hinge's
angle.
"""

from eomc.systems.truss_crane import pivoting_boom

model = pivoting_boom(2)
start = {"u": {model.speeds[0]: 0.1}}
