"""A quick-return mechanism: a pin on a crank slides in the slot of a rocker.

The rocker moves slowly one way and fast the other, like the ram of a shaping machine.
"""

import eomc

axis = (0, -1, 0)
model = eomc.Model("quick_return", gravity=(0, 0, 0))
model.body("crank", mass=1.0, com=(0.05, 0, 0), inertia=(1e-3, 5e-3, 5e-3))
model.body("slider", mass=0.2, inertia=(1e-4, 1e-4, 1e-4))
model.body("rocker", mass=0.5, com=(0.25, 0, 0), inertia=(1e-3, 1e-2, 1e-2))
model.joint("drive", "revolute", parent="world", child="crank", axis=axis, placement=(0, 0, 0.3))
model.joint("pin", "revolute", parent="crank", child="slider", axis=axis, placement=(0.1, 0, 0))
model.joint("rock", "revolute", parent="world", child="rocker", axis=axis)
model.joint("slot", "prismatic", parent="rocker", child="slider", axis=(1, 0, 0), cut=True)
model.frame("end", body="rocker", placement=(0.5, 0, 0))
start = {"q": {"drive": 0.4, "pin": 1.0, "rock": 1.3}, "u": {"drive": 6.0}}
