"""A pendulum on a slider between springs.

Two modes of similar frequency exchange energy.
"""

from eomc.systems.trom import slider_pendulum

model = slider_pendulum()
start = {"q": {model.coordinates[0]: 0.1, model.coordinates[1]: 0.6}}
