"""The same space robot from a model file: spatial_free_flyer.toml.

The file declares a base and eight bodies with their published masses. The operation counts equal
those of the model made by a Python function.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "spatial_free_flyer.toml")
start = {"u": {model.speeds[5]: 0.4, model.speeds[6]: 0.6}}
