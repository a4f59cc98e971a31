"""A strut on a universal joint between three cables that are wound on pulleys in swivelling blocks.

Held upright by three torques that are equal, it falls over: five freedoms, three actuators.
"""

import math

from eomc.systems.tensegrity import single_strut

model = single_strut()
length, radius, strain = math.sqrt(2) - 0.07, 0.07, 0.01
wound = math.pi / 4 - length / (radius * (1 + strain))
torque = radius * 2e9 * math.pi * 1e-6 * strain
start = {
    "q": {"phi": 0.05} | {f"theta{i}": wound for i in (1, 2, 3)},
    "inputs": [torque] * 3,
    "step": 2e-4,
}
