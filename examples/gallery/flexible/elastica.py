"""An elastica: a clamped rod with large bending.

Four curvature functions are its coordinates, so its length stays constant. Pull its tip to the
clamp, let go, and watch the energy balance.
"""

from eomc.systems.rods.cantilever import cantilever

model = cantilever("elastica", gravity=(0, 0, -4), strains={"bend_y": 4}, points=8, damping=0.002)
PARTS = 12
for k in range(PARTS):  # what one sees of it, fastened at its stations
    name = f"part{k}"
    model.attachment(name, body="rod", at=(k + 0.5) / PARTS)
    half = 0.55 / PARTS
    model.visual(
        name,
        body=name,
        shape={"kind": "line", "points": [(-half, 0, 0), (half, 0, 0)], "radius": 0.014},
        color="#e08a3c" if k % 2 else "#4c86c6",
    )
model.visual(
    "clamp", body="world", shape={"kind": "box", "size": (0.06, 0.1, 0.1)}, placement=(-0.03, 0, 0)
)
start = {"q": {"rod_ky1": -2.5}}
