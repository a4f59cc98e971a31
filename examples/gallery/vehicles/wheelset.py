"""A railway wheelset: two cones on an axle steer themselves along round rails.

Where it comes near one rail, that wheel rolls on a larger radius and turns the set back: it follows
Klingel's wave. Pull it aside and it swings around the middle of the track again.
"""

import eomc

HALF, RADIUS, CONE, HEAD, SPEED = 0.75, 0.45, 0.15, 0.1, 3.0  # [m], [m], slope, [m], [m/s]

model = eomc.Model("wheelset")
model.body("set", mass=1200, inertia=(650, 80, 650))
model.joint("set", "floating_euler", parent="world", child="set", sequence="zxy")
for name, side in (("left", 1), ("right", -1)):
    wheel = {"body": "set", "xyz": (0, side * HALF, 0)}
    rail = {"body": "world", "xyz": (0, side * HALF, -RADIUS - HEAD)}
    ends = {"lower": -0.2, "upper": 0.2}
    cone = {"kind": "revolution", "profile": f"{RADIUS} - {CONE}*x", "axis": (0, side, 0), **ends}
    creep = {"along": 3e5, "load": 5886, "limit": 0.3, "rolling_speed": 0.5}
    model.contact(
        name,
        shape={"at": wheel, **cone},
        surface={"kind": "cylinder", "at": rail, "axis": (1, 0, 0), "radius": HEAD},
        normal={"kind": "kelvin_voigt", "stiffness": 2e7, "damping": 2e4},
        friction={"kind": "creep", **creep},
    )
    for k in range(8):  # a cone of discs, with a hole so that its turning shows
        x = side * (HALF - 0.175 + 0.05 * k)
        radius = RADIUS - CONE * (side * x - HALF)
        disc = {"kind": "tube", "radius": radius, "inner": 0.3, "length": 0.05}
        lying = eomc.Placement(xyz=(0, x, 0), rpy=(1.5707963, 0, 0))
        model.visual(f"{name}_{k}", body="set", shape=disc, placement=lying, color="#6b7480")
    spoke = {"kind": "box", "size": (0.6, 0.1, 0.12)}
    model.visual(f"{name}_spoke", body="set", shape=spoke, placement=(0, side * HALF, 0))
    track = {"kind": "line", "points": [(-5, 0, 0), (100, 0, 0)], "radius": HEAD}
    model.visual(f"{name}_rail", body="world", shape=track, placement=rail["xyz"])
axle = {"kind": "line", "points": [(0, -HALF, 0), (0, HALF, 0)], "radius": 0.06}
model.visual("axle", body="set", shape=axle)
start = {
    "q": {"set_y": 0.06, "set_z": 1.5e-3, "set_a2": 0.0135},
    "u": {"set_x": SPEED, "set_a3": SPEED / RADIUS},
    "step": 5e-4,
}
