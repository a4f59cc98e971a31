"""A robot arm of three joints on a rail, from a model file.

Joint limits, damping and tunable masses: the panel has a slider for each.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "arm.toml")
start = {"q": {"shoulder": 1.2, "elbow": 0.8}}
