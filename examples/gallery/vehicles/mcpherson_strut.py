"""The McPherson strut, the front suspension of most cars: a loop in space.

Lift the wheel: the strut guides it and the spring compresses. Camber and toe change slightly.
"""

from eomc.systems.trom import mcpherson_strut

model = mcpherson_strut(damping=1000.0)
start = {}
