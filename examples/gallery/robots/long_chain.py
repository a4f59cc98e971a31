"""A robot of twelve joints with random offsets and inertias.

It has no special geometry that would simplify the equations, so its operation counts are those of
a general robot.
"""

from eomc.systems.chain import general_chain

model = general_chain(12)
start = {}
