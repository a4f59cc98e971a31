"""A quadcopter with a load on a rope.

The four thrusts are inputs. Hover with the sliders (a quarter of the weight each), then tilt the
quadcopter and watch the load swing ahead.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "quadcopter.toml")
start = {}
