"""A four-bar whose coupler point traces a given curve of 18 points.

Lengths, place and angle of the ground were found by `eomc.optimize`, as the page on designs shows.
The small spheres are the points; at constant speed the crank takes 20 degrees from one to the next.
"""

from math import cos, sin

import eomc

R1, R2, R3, R4 = 1.05394, 0.42387, 0.91425, 0.59892  # ground, crank, coupler, rocker [m]
CX, CY, X0, Y0, T0, TH1 = 0.37060, 0.39935, 0.26766, 0.15465, 0.28482, 0.89156
POINTS = (
    *((0.5, 1.1), (0.4, 1.1), (0.3, 1.1), (0.2, 1), (0.1, 0.9), (0.05, 0.75)),
    *((0.02, 0.6), (0, 0.5), (0, 0.4), (0.03, 0.3), (0.1, 0.25), (0.15, 0.2)),
    *((0.2, 0.3), (0.3, 0.4), (0.4, 0.5), (0.5, 0.7), (0.6, 0.9), (0.6, 1)),
)

model = eomc.Model("tracing_four_bar", gravity=(0, 0, 0))
for name, length in (("crank", R2), ("coupler", R3), ("rocker", R4)):
    model.body(name, mass=length, com=(length / 2, 0, 0), inertia=(1e-3, 0.03, 0.03))
axis = (0, -1, 0)
foot = (X0 + R1 * cos(T0), 0, Y0 + R1 * sin(T0))
model.joint("drive", "revolute", parent="world", child="crank", axis=axis, placement=(X0, 0, Y0))
model.joint("pin", "revolute", parent="crank", child="coupler", axis=axis, placement=(R2, 0, 0))
model.joint("foot", "revolute", parent="world", child="rocker", axis=axis, placement=foot)
model.joint(
    "closing",
    "revolute",
    parent="coupler",
    child="rocker",
    axis=axis,
    placement={"xyz": (R3, 0, 0)},
    child_placement={"xyz": (R4, 0, 0)},
    cut=True,
)
model.frame("point", body="coupler", placement={"xyz": (CX, 0, CY)})
small = {"kind": "sphere", "radius": 0.012}
for k, (x, z) in enumerate(POINTS):
    model.visual(f"point{k}", body="world", shape=small, placement=(x, 0, z))
model.visual("pencil", body="coupler", shape={**small, "radius": 0.025}, placement=(CX, 0, CY))
start = {"q": {"drive": T0 + TH1, "pin": -0.6, "foot": 1.7}, "u": {"drive": 2.0}}
