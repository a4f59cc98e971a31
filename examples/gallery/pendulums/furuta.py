"""Furuta's rotary pendulum: a motor turns the arm, and the pendulum at its end swings freely.

Set the motor current with its slider and try to swing the pendulum up.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "furuta.toml")
start = {"q": {"pivot": 0.4}}
