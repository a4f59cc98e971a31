"""A cable of point masses between two supports.

Lift it in the middle and let go: waves travel to the ends and back.
"""

import eomc

model = eomc.Model("hanging_cable")
model.lumped_cable(
    "line",
    a="world",
    b=eomc.Point("world", (4, 0, 0)),
    length=4.6,
    line_mass=0.4,
    lumps=12,
    modulus=3e3,
    viscosity=8,
)
start = {}
