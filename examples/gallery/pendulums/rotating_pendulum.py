"""A pendulum under a rotating shaft, the principle of the governor.

Above a critical speed it no longer hangs straight but settles at an angle.
"""

from eomc.systems.trom import rotating_pendulum

model = rotating_pendulum()
start = {"q": {model.coordinates[-1]: 0.5}, "u": {model.speeds[0]: 8.0}}
