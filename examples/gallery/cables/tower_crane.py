"""A tower crane: its rope runs along the jib, down to the hook, up again and to the tip.

Moving the trolley does not lift the load. Turning the drum lifts it by half of the wound length.
"""

from eomc.systems.cables import tower_crane

model = tower_crane()
hold = 0.5 * 2000 * 9.81 * 0.3  # half the load, at the drum's radius
start = {"q": {"hook_y": 2.0}, "inputs": {"hoisting": hold}}
