"""Slider-crank: the mechanism of every piston engine.

The motion of the piston is almost a sine. Because of the finite rod length it dwells longer at one
dead centre. Apply a torque to the crank and watch the speed vary.
"""

import eomc

R, L = 0.05, 0.15  # crank and rod [m]

model = eomc.Model("slider_crank")
model.body("crank", mass=2.0, com=(0.01, 0, 0), inertia=(1e-3, 4e-3, 4e-3))
model.body("rod", mass=0.4, com=(0.06, 0, 0), inertia=(2e-5, 1e-3, 1e-3))
model.body("piston", mass=0.5)
axis = (0, 1, 0)
model.joint("crank", "revolute", parent="world", child="crank", axis=axis, damping=0.002)
model.joint("pin", "revolute", parent="crank", child="rod", axis=axis, placement=(R, 0, 0))
model.joint("bore", "prismatic", parent="world", child="piston", axis=(1, 0, 0))
model.joint(
    "wrist", "revolute", parent="rod", child="piston", axis=axis, placement=(L, 0, 0), cut=True
)
model.visual(
    "head",
    body="piston",
    shape={"kind": "box", "size": (0.05, 0.06, 0.06)},
    placement=(0.015, 0, 0),
)
start = {"q": {"crank": -1.0, "pin": 1.3, "bore": 0.17}, "u": {"crank": 12.0}}
