"""A gyroscope in two gimbals.

Push the outer frame: the inner one responds at a right angle. It does not if the rotor is at rest.
"""

import eomc

model = eomc.Model("gyroscope", gravity=(0, 0, 0))
model.body("outer", mass=0.2, inertia=(1e-3, 1e-3, 1e-3))
model.body("inner", mass=0.15, inertia=(5e-4, 5e-4, 5e-4))
model.body("rotor", mass=0.6, inertia=(6e-4, 6e-4, 1.1e-3))
model.joint("outer", "revolute", parent="world", child="outer", axis=(0, 0, 1), damping=2e-4)
model.joint("inner", "revolute", parent="outer", child="inner", axis=(1, 0, 0), damping=2e-4)
model.joint("spin", "revolute", parent="inner", child="rotor", axis=(0, 1, 0))
lying = eomc.Placement(rpy=("pi/2", 0, 0))
for name, radius, placement, color in (
    ("outer", 0.16, lying, "#4c86c6"),
    ("inner", 0.13, (0, 0, 0), "#e08a3c"),
):
    ring = {"kind": "tube", "radius": radius, "inner": radius - 0.012, "length": 0.012}
    model.visual(name, body=name, shape=ring, color=color, placement=placement)
model.visual(
    "rotor",
    body="rotor",
    shape={"kind": "cylinder", "radius": 0.09, "length": 0.03},
    metalness=0.6,
    placement=lying,
)
model.visual(
    "axle",
    body="rotor",
    shape={"kind": "line", "points": [(0, -0.125, 0), (0, 0.125, 0)], "radius": 0.006},
)
start = {"u": {"spin": 60.0, "outer": 1.0}}
