"""Franka's arm, seven joints.

The hinges have a little damping and no motors, so the arm falls. Drag the hand, or hold a joint
with the slider of its torque. The benchmarks use this arm.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "panda.toml")
start = {"q": {"joint2": -0.6, "joint4": -2.2, "joint6": 1.9}}
