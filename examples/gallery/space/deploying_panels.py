"""Solar panels that unfold: four on a satellite, driven by springs and slowed by dampers.

The panels are folded like a map, with a spring in each hinge. While they open, the satellite turns
the other way. It then comes to rest, because there are no external forces.
"""

import eomc

SIZE = 0.5

model = eomc.Model("deploying_panels", gravity=(0, 0, 0))
model.body("hull", mass=12, inertia=(0.5, 0.5, 0.5))
model.joint("free", "floating", parent="world", child="hull")
model.visual(
    "hull",
    body="hull",
    shape={"kind": "box", "size": (0.5, 0.4, 0.5)},
    color="#c9a24a",
    metalness=0.6,
)
for side in (-1, 1):
    parent, place = "hull", (side * 0.25, 0, 0.25)
    for k in (1, 2):
        panel = f"panel{'LR'[side > 0]}{k}"
        model.body(panel, mass=0.8, com=(side * SIZE / 2, 0, 0), inertia=(0.011, 0.017, 0.028))
        model.joint(
            panel, "revolute", parent=parent, child=panel, axis=(0, side, 0), placement=place
        )
        model.joint_spring(f"spring_{panel}", joint=panel, stiffness=0.05, damping=0.06)
        model.visual(
            panel,
            body=panel,
            shape={"kind": "box", "size": (SIZE - 0.02, 0.4, 0.015)},
            color="#27447a",
            placement=(side * SIZE / 2, 0, 0),
            metalness=0.3,
        )
        parent, place = panel, (side * SIZE, 0, 0)
folded = {"panelL1": 1.55, "panelR1": 1.55, "panelL2": -3.0, "panelR2": -3.0}
start = {"q": folded}
