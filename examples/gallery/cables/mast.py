"""A tensegrity mast: struts held by cables, without touching each other.

Each stage has three struts and twelve cables. Pull the top aside and let go.
"""

from eomc.systems.cables import mast

model = mast(3, modulus=2e9, viscosity=5e6)
start = {"step": 2e-4}
