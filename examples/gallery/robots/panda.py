"""Franka's arm, seven joints.

Hinges with a little damping, no motors: it falls. Drag the hand, or hold a joint by the slider of
its torque. This is the arm of the benchmarks; a step takes well under a microsecond in C.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "panda.toml")
start = {"q": {"joint2": -0.6, "joint4": -2.2, "joint6": 1.9}}
