"""The same space robot from a model file: spatial_free_flyer.toml.

Eight bodies on a base, declared in a text file with their published masses; what comes out has
the operation counts of the one that is made by a Python function.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "spatial_free_flyer.toml")
start = {"u": {model.speeds[5]: 0.4, model.speeds[6]: 0.6}}
