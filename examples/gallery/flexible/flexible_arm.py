"""A slewing arm whose link bends, in and out of the plane of its turn.

Give the hinge a torque and let go: the beam rings in its first mode, longer with a heavier load.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "flexible_arm.toml")
start = {"q": {"link_y1": 0.12, "link_z1": 0.05}}
