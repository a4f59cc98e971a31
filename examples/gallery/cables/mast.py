"""A tensegrity mast: struts that touch no other strut, held up by cables.

Each stage is three struts and twelve cables. Pull its top aside and let go.
"""

from eomc.systems.cables import mast

model = mast(3, modulus=2e9, viscosity=5e6)
start = {"step": 2e-4}
