"""Two planar arms hold one object, one of them through a compliant wrist.

Drag the object to the wall on the right. The curves show the contact force.
"""

from eomc.systems.impedance import two_arms
from eomc.systems.impedance.two_arms import START

model = two_arms()
start = {"q": START, "u": {"q11": -0.3, "q12": 0.5}}
