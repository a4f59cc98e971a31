"""Furuta's rotary pendulum: a motor turns the arm, the pendulum at its end swings free.

Give the motor a current by its slider and try to bring the pendulum up by hand.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "furuta.toml")
start = {"q": {"pivot": 0.4}}
