"""A platform in a frame, pulled by four cables from winches.

Cables only pull. If a winch has too little torque, its cable goes slack and the platform moves
away from its position.
"""

from eomc.systems.cables import planar_robot

model = planar_robot(modulus=2e8, drum_inertia=0.05)
torques = {"u1": 1.0, "u2": 1.0, "u3": 3.4, "u4": 3.4}
start = {"q": {f"drum{k}": 0.2 for k in (1, 2, 3, 4)}, "inputs": torques, "step": 2e-4}
