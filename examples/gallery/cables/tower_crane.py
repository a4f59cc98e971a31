"""A tower crane: its rope runs along the jib, down to the hook, up again and to the tip.

Move the trolley: the load is not lifted. Turn the drum: it rises by half of what is wound.
"""

from eomc.systems.cables import tower_crane

model = tower_crane()
hold = 0.5 * 2000 * 9.81 * 0.3  # half the load, at the drum's radius
start = {"q": {"hook_y": 2.0}, "inputs": {"hoisting": hold}}
