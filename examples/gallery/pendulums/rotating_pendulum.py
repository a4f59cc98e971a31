"""A pendulum under a shaft that turns, the principle of the governor.

Faster than a critical speed it does not hang straight any longer: it settles at an angle.
"""

from eomc.systems.trom import rotating_pendulum

model = rotating_pendulum()
start = {"q": {model.coordinates[-1]: 0.5}, "u": {model.speeds[0]: 8.0}}
