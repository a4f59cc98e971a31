"""A scissor lift: crossed bars that extend together.

It has three stages of two bars, on a fixed pin and a roller. Push the roller with its force, or
pull the top: all stages fold alike. The lower the lift is, the larger the force.
"""

from math import cos, pi

import eomc

STAGES, LENGTH, LEAN = 3, 0.8, 0.6
AXIS = (0, -1, 0)  # angles grow from x to z
MIDDLE, END = (LENGTH / 2, 0, 0), (LENGTH, 0, 0)

model = eomc.Model("scissor_lift")
model.body("roller", mass=0.5)
model.joint("roller", "prismatic", parent="world", child="roller", axis=(1, 0, 0), damping=8)
feet = {"a": ("world", (0, 0, 0)), "b": ("roller", (0, 0, 0))}
q = {"roller": LENGTH * cos(LEAN)}
for k in range(1, STAGES + 1):
    for side in "ab":  # a leans to the right, b to the left
        bar, (parent, place) = f"{side}{k}", feet[side]
        model.body(bar, mass=0.4, com=MIDDLE, inertia=(1e-4, 0.02, 0.02))
        model.joint(bar, "revolute", parent=parent, child=bar, axis=AXIS, placement=place)
        absolute = LEAN if side == "a" else pi - LEAN
        q[bar] = absolute - (0 if k == 1 else pi - LEAN if side == "a" else LEAN)
    model.joint(
        f"cross{k}",
        "revolute",
        parent=f"a{k}",
        child=f"b{k}",
        axis=AXIS,
        cut=True,
        placement=MIDDLE,
        child_placement=MIDDLE,
    )
    feet = {"a": (f"b{k}", END), "b": (f"a{k}", END)}
for name, angle in q.items():  # at zero all bars lie flat, which is another branch
    model.initial_guess(name, angle)
start = {"q": q}
