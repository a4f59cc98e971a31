"""A Stewart platform: six variable-length legs hold a plate in six degrees of freedom.

Springs in the legs represent servo drives. Drag the plate: it returns in all six directions, with
the modes of the six springs.
"""

from math import cos, pi, sin

import eomc

BASE, PLATE, HEIGHT = 0.6, 0.35, 0.7


def corner(radius: float, k: int, spread: float) -> tuple[float, float, float]:
    """Of six points in pairs round a circle."""
    angle = 2 * pi / 3 * (k // 2) + (spread if k % 2 else -spread)
    return (radius * cos(angle), radius * sin(angle), 0.0)


model = eomc.Model("stewart_platform")
model.body("plate", mass=12, inertia=(0.4, 0.4, 0.8))
model.joint("plate", "floating", parent="world", child="plate", placement=(0, 0, HEIGHT))
for k in range(6):
    foot, head = corner(BASE, k, 0.25), corner(PLATE, k, pi / 3 - 0.25)
    length = sum((a - b) ** 2 for a, b in zip(foot, (*head[:2], HEIGHT), strict=True)) ** 0.5
    model.spring(
        f"leg{k}",
        a=eomc.Point("world", foot),
        b=eomc.Point("plate", head),
        stiffness=4000,
        damping=40,
        free_length=length + 0.006,
    )
thick = {"kind": "cylinder", "radius": PLATE, "length": 0.04}
model.visual("plate", body="plate", shape=thick)
model.visual(
    "base",
    body="world",
    shape={"kind": "cylinder", "radius": BASE, "length": 0.04},
    placement=(0, 0, -0.02),
)
start = {"u": {"plate_vx": 1.0, "plate_wz": 3.0}}
