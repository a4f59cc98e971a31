"""A wing nut in weightlessness: the instability of the intermediate axis.

It spins almost about its axis of intermediate inertia and flips again and again, while energy and
angular momentum are conserved.
"""

import eomc

model = eomc.Model("wing_nut", gravity=(0, 0, 0))
model.body("nut", mass=0.1, inertia=(1e-3, 2e-3, 2.8e-3))
model.joint("free", "floating", parent="world", child="nut")
model.visual(
    "stem",
    body="nut",
    shape={"kind": "cylinder", "radius": 0.05, "length": 0.3},
    placement=eomc.Placement((0, -0.05, 0), rpy=("pi/2", 0, 0)),
)
model.visual(
    "wings", body="nut", shape={"kind": "box", "size": (0.6, 0.1, 0.03)}, placement=(0, 0.06, 0)
)
start = {"u": {"free_wy": 6.0, "free_wx": 0.006}}
