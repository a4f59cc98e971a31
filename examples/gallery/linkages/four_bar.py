"""A crank and rocker with a spring: four links in a loop.

The loop is cut at one joint and closed in every step; the curve *constraints* shows the residual.
Move the crank with its slider: the loop closes by the other angles.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "four_bar.toml")
start = {"u": {"drive": 10.0}}
