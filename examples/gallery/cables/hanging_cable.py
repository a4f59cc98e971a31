"""A cable of point masses between two supports.

Lift it in the middle and let go: waves run to the ends and back.
"""

import eomc
from eomc.systems.lumped_cable import add_lumped_cable

model = eomc.Model("hanging_cable")
add_lumped_cable(
    model, "line", eomc.Point("world"), eomc.Point("world", (4, 0, 0)), length=4.6,
    line_mass=0.4, lumps=12, ends=[(0, 0, 0), (4, 0, 0)], modulus=3e3, viscosity=8,
)  # fmt: skip
start = {}
