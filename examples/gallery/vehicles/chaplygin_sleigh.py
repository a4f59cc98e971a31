"""Chaplygin's sleigh: a body on a knife edge that cannot slip sideways.

There is no friction and no loss of energy. Still, it always ends with straight motion and its
centre of mass in front of the blade.
"""

import eomc

model = eomc.Model("chaplygin_sleigh")
model.body("sleigh", mass=2.0, com=(0.3, 0, 0), inertia=(0.02, 0.1, 0.1))
model.joint("free", "planar", parent="world", child="sleigh", axis=(0, 0, 1))
model.constraint("blade", "knife_edge", a="sleigh", axis_a=(0, 1, 0))
model.visual(
    "hull",
    body="sleigh",
    shape={"kind": "extrusion", "polygon": [(-0.15, -0.2), (0.5, 0), (-0.15, 0.2)], "length": 0.06},
    placement=(0, 0, 0.05),
    color="#4c86c6",
)
model.visual(
    "edge", body="sleigh", shape={"kind": "box", "size": (0.16, 0.01, 0.05)}, color="#2b2f36"
)
start = {"u": {model.speeds[0]: -0.8, model.speeds[2]: 2.0}}
