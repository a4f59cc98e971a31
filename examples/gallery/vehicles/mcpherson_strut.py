"""The McPherson strut, the front suspension of most cars: a loop in space.

Lift the wheel: the strut guides it, the spring gives, camber and toe change a little on the way.
"""

from eomc.systems.trom import mcpherson_strut

model = mcpherson_strut(damping=1000.0)
start = {}
