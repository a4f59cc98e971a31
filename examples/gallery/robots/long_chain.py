"""A robot of twelve joints with offsets and inertias drawn at random.

Nothing about it is special, so that nothing can be left out: its operation counts are what a
general robot costs.
"""

from eomc.systems.chain import general_chain

model = general_chain(12)
start = {}
