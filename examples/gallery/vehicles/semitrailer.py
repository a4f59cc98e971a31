"""A truck of five axles with springs, dampers, tyres and steering: nineteen coordinates.

It rolls at a walking pace on its suspension. Pull at the load from the side and it sways on its
axles.
"""

from eomc.systems.trom import semitrailer

model = semitrailer()
start = {"u": {"tractor_x": 2.0}}
