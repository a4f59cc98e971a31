"""A block and tackle of four parts, with friction in its sheaves.

The hand moves four times as far as the load. If friction is smaller than the weight, the load
comes down.
"""

from eomc.systems.cables import tackle

model = tackle(4, load=20, modulus=1e7, height=2, slip_speed=0.05)
start = {"q": {"hand": -0.9, "load": 0.22}, "step": 2e-4}
