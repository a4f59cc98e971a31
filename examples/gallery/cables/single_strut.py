"""A strut on a universal joint between three cables, which wind on pulleys in swivelling blocks.

With three equal torques it falls over. It has five degrees of freedom and three actuators.
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
