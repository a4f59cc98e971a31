"""A disc rolls on a plane without slip, like a coin on a table.

Rolling couples tilt, heading and position. Started slowly and steeply, the disc rolls in circles.
Pull at its rim and it wobbles.
"""

import eomc

A = 0.25
model = eomc.Model("rolling_disc")
model.body("disc", mass=1.0, inertia=(A * A / 4, A * A / 4, A * A / 2))
model.joint("free", "floating", parent="world", child="disc")
model.constraint(
    "roll",
    "rolling_contact",
    shape={"kind": "disc", "at": "disc", "radius": A},
    surface={"kind": "plane", "at": "world"},
)
model.visual(
    "disc", body="disc", shape={"kind": "cylinder", "radius": A, "length": 0.02}, metalness=0.4
)
model.visual(
    "mark",
    body="disc",
    shape={"kind": "box", "size": (0.2, 0.03, 0.022)},
    placement=(0.12, 0, 0),
    color="#e08a3c",
)
start = {
    "q": {"free_z": 0.24, "free_qw": 0.83, "free_qx": 0.56},
    "u": {"free_wz": 9.0, "free_wy": 1.0},
}
