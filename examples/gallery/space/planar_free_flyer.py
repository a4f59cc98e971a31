"""A space robot in a plane: a floating base with two arms and an antenna.

Move an arm and the base turns the other way. The centre of mass does not move.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "planar_free_flyer.toml")
start = {"u": {model.speeds[3]: 1.0, model.speeds[5]: -1.2}}
