"""A rattleback: it spins one way and then reverses.

Half an ellipsoid rolls without slip. Its axes of inertia are slightly rotated relative to its
shape. Spun the wrong way it begins to rattle, which reverses the spin.
"""

import eomc

AXES = (0.2, 0.03, 0.02)  # half axes of the ellipsoid [m]
DOWN = 0.01  # of the centre of mass under the middle of the ellipsoid [m]

model = eomc.Model("rattleback")
turned = eomc.Placement((0, 0, DOWN), rpy=(0, 0, 0.025))
model.body("stone", mass=1.0, inertia=(2e-4, 1.6e-3, 1.7e-3))
model.body("shape")
model.joint("shape", "fixed", parent="stone", child="shape", placement=turned)
model.joint("free", "floating", parent="world", child="stone")
model.constraint(
    "roll",
    "rolling_contact",
    shape={"kind": "ellipsoid", "at": "shape", "semi_axes": AXES},
    surface={"kind": "plane", "at": "world"},
)
model.visual(
    "stone",
    body="shape",
    shape={"kind": "ellipsoid", "radii": AXES},
    color="#7a6a58",
    roughness=0.35,
)
model.visual(
    "mark",
    body="shape",
    shape={"kind": "line", "points": [(-0.15, 0, 0.016), (0.15, 0, 0.016)], "radius": 0.004},
    color="#e9e4da",
)
start = {"q": {"free_z": AXES[2] - DOWN}, "u": {"free_wz": 5.0, "free_wx": 0.1, "free_wy": 0.1}}
