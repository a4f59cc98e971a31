"""Two planar arms hold one object, one of them through a compliant wrist.

Drag the object to the wall on the right and feel the contact: the force is in the curves.
"""

from eomc.systems.impedance import two_arms
from eomc.systems.impedance.two_arms import START

model = two_arms()
start = {"q": START, "u": {"q11": -0.3, "q12": 0.5}}
