"""The twist-beam axle: two trailing arms joined by a bar in torsion.

Lift one wheel and the other follows halfway.
"""

from eomc.systems.trom import twist_axle

model = twist_axle(damping=1000.0)
start = {}
