"""A crane of trusses that folds like a finger: nineteen links and six loops.

Actuators turn each hinge. Pull at the tip: jacks and trusses follow through their loops.
"""

from eomc.systems.truss_crane import articulated_crane

model = articulated_crane()
start = {"u": {"turn1": 0.06, "turn3": -0.1, "turn5": 0.1}}
