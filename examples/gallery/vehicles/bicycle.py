"""The benchmark bicycle: two wheels that roll without slip and a passive rider.

At 5 m/s it is stable: pull it to one side, and it steers into the fall. Below 4.3 m/s it weaves and
falls over; above 6 m/s it slowly falls over. Data of
Meijaard, Papadopoulos, Ruina and Schwab (2007).
"""

from math import cos, pi, sin, tan

import eomc

BASE, TRAIL, TILT, SPEED = 1.02, 0.08, pi / 10, 5.0  # [m], [m], [rad], [m/s]
REAR, FRONT = 0.3, 0.35  # radii [m]
HEAD = (BASE + TRAIL - 0.9 * tan(TILT), 0, 0.9 - REAR)  # on the steering axis, from the rear axle

model = eomc.Model("bicycle")
model.body("frame", mass=85, com=(0.3, 0, 0.9 - REAR), inertia=(9.2, 11, 2.8, 0, -2.4, 0))
model.body(
    "fork", mass=4, com=(0.9 - HEAD[0], 0, -0.2), inertia=(0.05892, 0.06, 0.00708, 0, 0.00756, 0)
)
model.body("rear", mass=2, inertia=(0.0603, 0.12, 0.0603))
model.body("front", mass=3, inertia=(0.1405, 0.28, 0.1405))
axle, steering = (0, 1, 0), (-sin(TILT), 0, cos(TILT))
model.joint("free", "floating", parent="world", child="frame", placement=(0, 0, REAR))
model.joint("rear", "revolute", parent="frame", child="rear", axis=axle)
model.joint("steer", "revolute", parent="frame", child="fork", axis=steering, placement=HEAD)
hub = (BASE - HEAD[0], 0, FRONT - 0.9)
model.joint("front", "revolute", parent="fork", child="front", axis=axle, placement=hub)
for wheel, radius in (("rear", REAR), ("front", FRONT)):
    rim = {"kind": "disc", "at": wheel, "radius": radius, "axis": axle}
    model.constraint(
        f"{wheel}_rolls", "rolling_contact", shape=rim, surface={"kind": "plane", "at": "world"}
    )
    tyre = {"kind": "tube", "radius": radius, "inner": radius - 0.03, "length": 0.03}
    lying = eomc.Placement(rpy=(pi / 2, 0, 0))
    model.visual(f"{wheel}_tyre", body=wheel, shape=tyre, placement=lying, color="#2b2f36")
    model.visual(
        f"{wheel}_spokes",
        body=wheel,
        shape={"kind": "box", "size": (2 * radius - 0.04, 0.01, 0.02)},
    )
seat = (0.15, 0, 0.55)
frame = [(0, 0, 0), seat, HEAD, (0.4, 0, -0.05), (0, 0, 0)]
model.visual(
    "frame", body="frame", shape={"kind": "line", "points": frame, "radius": 0.02}, color="#c9574d"
)
model.visual(
    "rider",
    body="frame",
    shape={"kind": "ellipsoid", "radii": (0.14, 0.18, 0.35)},
    placement=(0.2, 0, 0.95),
    color="#4c86c6",
)
model.visual(
    "fork",
    body="fork",
    shape={"kind": "line", "points": [hub, (0, 0, 0), (-0.05, 0, 0.15)], "radius": 0.018},
)
model.visual(
    "bar",
    body="fork",
    shape={"kind": "line", "points": [(-0.05, -0.25, 0.15), (-0.05, 0.25, 0.15)], "radius": 0.015},
)
start = {
    "u": {"free_vx": SPEED, "rear": SPEED / REAR, "front": SPEED / FRONT, "free_wx": 0.4},
    "step": 1e-3,
}
