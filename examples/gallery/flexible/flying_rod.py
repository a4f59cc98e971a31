"""Flying spaghetti: a free rod with large bending.

This is Simo and Vu-Quoc's example of 1986. The rod is released as an arc without gravity. It
straightens, overshoots and flies on. Energy and momentum are conserved.
"""

from eomc.systems.rods.flying import flying_rod

LENGTH, PARTS = 10.0, 14

model = flying_rod(functions=(3, 1))
for k in range(PARTS):  # what one sees of it, fastened at its stations
    name = f"part{k}"
    model.attachment(name, body="rod", at=LENGTH * (k + 0.5) / PARTS)
    half = 0.55 * LENGTH / PARTS
    model.visual(
        name,
        body=name,
        shape={"kind": "line", "points": [(-half, 0, 0), (half, 0, 0)], "radius": 0.12},
        color="#e08a3c" if k % 2 else "#4c86c6",
    )
start = {"q": {"rod_kz1": 0.25}, "u": {"free_theta": 0.6}}
