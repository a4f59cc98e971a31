"""A pendulum, from a model file of a dozen lines.

Drag the bob and let go. Compare the periods of small and large swings: the period grows with the
amplitude.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "pendulum.toml")
start = {"q": {"hinge": 2.0}}
