"""A slewing arm with a link that bends in and out of the plane of rotation.

Apply a torque to the hinge and release it: the beam vibrates in its first mode, more slowly with a
heavier load.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "flexible_arm.toml")
start = {"q": {"link_y1": 0.12, "link_z1": 0.05}}
