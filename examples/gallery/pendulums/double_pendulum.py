"""A double pendulum, the smallest chaotic mechanism.

Reset it twice and pull at it a little differently: after some seconds the two motions have
nothing in common, and yet the curve of energy less work stays flat.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "double_pendulum.toml")
start = {"q": {"shoulder": 2.2, "elbow": 0.6}}
