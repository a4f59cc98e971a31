"""A crane of trusses in space: it slews, its booms bend in every direction, its load swings.

Torques slew the platform and wind the rope; jacks across the hinges are elastic.
"""

from eomc.systems.truss_crane import space_crane

model = space_crane()
hold = 0.3 * 500 * 9.81  # the load, at the drum's radius
start = {"u": {"slew": 0.02}, "inputs": {"hoisting": hold}}
