"""A truck of five axles with springs, dampers, tyres and steering: nineteen coordinates.

It rolls at walking pace. Pull the load from the side: it sways on its axles.
"""

from eomc.systems.trom import semitrailer

model = semitrailer()
start = {"q": {"tractor_z": 0.997}, "u": {"tractor_x": 2.0, "trailer1_roll": 0.6}}
