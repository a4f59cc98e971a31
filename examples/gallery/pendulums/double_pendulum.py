"""A double pendulum, the smallest chaotic mechanism.

Reset it twice and pull it slightly differently: after some seconds the motions are unrelated. The
curve of energy minus work stays flat.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "double_pendulum.toml")
start = {"q": {"shoulder": 2.2, "elbow": 0.6}}
