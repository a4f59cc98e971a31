"""A platform and an arm with flexible links, one of which extends.

This is a published space manipulator without its orbit. Its arm slews on a spring and extends. The
frequencies decrease during deployment, and the platform turns the other way.
"""

import eomc

model = eomc.Model("deploying_beam", gravity=(0, 0, 0))
model.deformable(
    "platform",
    "beam",
    length=20.0,
    mass_per_length=20.0,
    EI=4e4,
    modes=(2, 0),
    shapes="free-free",
    origin="middle",
    damping=0.02,
)
model.joint("base", "planar", parent="world", child="platform", axis=(0, 0, 1))
model.body("seat", mass=10.0)
model.joint("seat", "attachment", parent="platform", child="seat", at="tip")
model.deformable(
    "arm",
    "telescopic_beam",
    slewing_length=5.0,
    slewing_mass=40.0,
    deployable_length=5.0,
    deployable_mass=40.0,
    EI=3e3,
    length=6.0,
    payload=20.0,
)
model.joint("slew", "revolute", parent="seat", child="arm", axis=(0, 0, 1), damping=40.0)
model.joint_spring("drive", joint="slew", stiffness=400.0, free_angle=1.2)
start = {"q": {"slew": 2.2, "arm_length": 6.0}, "u": {"arm_length": 0.15}}
