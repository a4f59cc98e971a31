"""A heavy top: it precesses instead of falling.

At high spin it stays upright; at lower spin it nutates. Change the spin by pulling at the rim.
"""

import eomc

model = eomc.Model("heavy_top")
model.body("top", mass=0.5, com=(0, 0, 0.12), inertia=(6e-4, 6e-4, 1.1e-3))
model.joint("pivot", "spherical", parent="world", child="top")
model.visual(
    "disc",
    body="top",
    shape={"kind": "cylinder", "radius": 0.07, "length": 0.03},
    placement=(0, 0, 0.12),
)
model.visual(
    "axle", body="top", shape={"kind": "line", "points": [(0, 0, 0), (0, 0, 0.2)], "radius": 0.006}
)
start = {"q": {"pivot_qw": 0.966, "pivot_qx": 0.259}, "u": {"pivot_wz": 90.0}}
