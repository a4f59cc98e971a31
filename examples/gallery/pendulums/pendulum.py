"""A pendulum, from a model file of a dozen lines.

Drag the bob, let it go, and compare the period with small and large swings: it grows with the
angle.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "pendulum.toml")
start = {"q": {"hinge": 2.0}}
