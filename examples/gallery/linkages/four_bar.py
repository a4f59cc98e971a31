"""A crank and rocker with a spring: four links in a loop.

The loop is cut at one joint and kept closed in every step; the panel's curve of the constraints
shows how well. Turn the crank by its slider, and the loop closes in the other angles.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "four_bar.toml")
start = {"u": {"drive": 10.0}}
