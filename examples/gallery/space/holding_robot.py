"""A space robot whose two arms of six joints hold one object: a loop through the payload.

Pull the object: both arms follow, and base and object move about their common centre of mass.
"""

from eomc.systems.impedance.space_robot import HOME, holding_robot

model = holding_robot()
home = {f"arm{m}_theta{i}": angle for m in (1, 2) for i, angle in enumerate(HOME[m], 1)}
start = {"q": home, "u": {"base_wz": 0.2}}
