"""A planar arm of two links on a table.

There is no gravity and no friction. Push it: the links exchange energy.
"""

from eomc.systems.two_link_arm import two_link_arm

model = two_link_arm()
start = {"q": {"q1": 0.4, "q2": 1.2}, "u": {"q1": 1.0, "q2": -3.0}}
