"""An arm of two joints with flexible links.

Apply a torque to a joint: the tip lags behind and vibrates.
"""

from eomc.systems.beam_robot import TWO_LINKS, beam_robot

model = beam_robot(TWO_LINKS, modes=2, damping=0.01)
start = {"q": {"joint2": 0.6, "beam1_y1": 0.08}, "u": {"joint1": 1.0}}
