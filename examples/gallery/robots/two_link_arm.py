"""A planar arm of two links on a table.

No gravity and no friction: give it a push, and what one link loses the other has.
"""

from eomc.systems.two_link_arm import two_link_arm

model = two_link_arm()
start = {"q": {"q1": 0.4, "q2": 1.2}, "u": {"q1": 1.0, "q2": -3.0}}
