"""A dumbbell in orbit around a toy planet: gravity aligns its axis with the vertical.

Gravity is stronger on the nearer mass. The rod swings about the local vertical like a pendulum. For
small swings its frequency is the square root of three times the orbital rate.
"""

from eomc.systems.satellite import dumbbell

model = dumbbell(mass=1.0, half=0.25, mu=8.0)  # orbit of 2 m, pi seconds
model.visual(
    "planet", body="world", shape={"kind": "sphere", "radius": 0.8}, color="#4c86c6", roughness=0.8
)
model.visual("outer", body="outer", shape={"kind": "sphere", "radius": 0.08})
model.visual("inner", body="inner", shape={"kind": "sphere", "radius": 0.08}, color="#e08a3c")
model.visual(
    "rod",
    body="rod",
    shape={"kind": "line", "points": [(-0.25, 0, 0), (0.25, 0, 0)], "radius": 0.015},
)
start = {"q": {"orbit_r": 2.0, "orbit_psi": 0.4}, "u": {"orbit_theta": 1.0}}
